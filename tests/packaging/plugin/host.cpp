// A program without filch. It loads each plug-in that it is given, calls it on two threads, and
// closes it while the plug-in's default pool and the other thread still exist.
#include <dlfcn.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable changed;
int step = 0;

void go_to(int next) {
  const std::scoped_lock lock(mutex);
  step = next;
  changed.notify_all();
}
void wait_for(int wanted) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return step == wanted; });
}

bool use(const char* path) {
  void* const plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::printf("%s\n", dlerror());
    return false;
  }
  auto* const work = reinterpret_cast<int (*)()>(dlsym(plugin, "work"));
  go_to(0);
  bool right = true;
  std::thread other([&] {
    right = work() == 1;
    go_to(1);
    wait_for(2);
  });  // its thread-local objects of the plug-in end after the plug-in was closed
  wait_for(1);
  right = work() == 1 && right;
  dlclose(plugin);
  go_to(2);
  other.join();
  return right;
}

}  // namespace

int main(int count, char** paths) {
  for (int round = 0; round < 2; ++round)
    for (int i = 1; i < count; ++i)
      if (!use(paths[i])) return 1;
  std::puts("closed");
}
