// A program without filch. Its arguments are the name of a function, and plug-ins. It loads each
// plug-in, calls the function, and closes the plug-in while the default pool of the plug-in still
// exists. With the function `tasks`, another thread calls it too, and outlives the plug-in.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <future>
#include <optional>
#include <thread>

namespace {

bool use(const char* path, const char* name) {
  void* const plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::printf("%s\n", dlerror());
    return false;
  }
  auto* const work = reinterpret_cast<int (*)()>(dlsym(plugin, name));
  std::promise<int> answer;
  std::promise<void> closed;
  std::optional<std::thread> other;
  if (std::strcmp(name, "tasks") == 0)
    other.emplace([&] {
      answer.set_value(work());
      closed.get_future().wait();
    });
  else
    answer.set_value(1);
  const int others = answer.get_future().get();
  const int own = work();
  dlclose(plugin);
  closed.set_value();
  if (other) other->join();
  return own == 1 && others == 1;
}

}  // namespace

int main(int count, char** arguments) {
  for (int round = 0; round < 2; ++round)
    for (int i = 2; i < count; ++i)
      if (!use(arguments[i], arguments[1])) return 1;
  std::puts("closed");
}
