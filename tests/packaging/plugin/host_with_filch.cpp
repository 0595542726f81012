// A program with filch. Its arguments are a plug-in with filch, and "shared" or "own": what the
// default pool of the plug-in has to be. The plug-in ends its default pool before the program
// closes it.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filch/filch.hpp>
#include <vector>

namespace {

int failed(const char* what) {
  std::printf("%s\n", what);
  return 1;
}

int sum() {
  std::vector<int> v(10000);
  filch::parallel_for(std::size_t{0}, v.size(), [&](std::size_t i) { v[i] = 1; }, {.grain = 10});
  return filch::reduce(v, 0);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return failed("two arguments are needed");
  if (sum() != 10000) return failed("the program's loop is wrong");
  void* const plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) return failed(dlerror());
  for (const char* const name : {"loops", "tasks"})
    if (reinterpret_cast<int (*)()>(dlsym(plugin, name))() != 1) return failed(name);
  const bool shared = reinterpret_cast<const void* (*)()>(dlsym(plugin, "pool_of_plug_in"))() ==
                      &filch::default_pool();
  if (shared != (std::strcmp(arguments[2], "shared") == 0))
    return failed(shared ? "the default pool is shared" : "the default pool is not shared");
  reinterpret_cast<void (*)()>(dlsym(plugin, "end_pool_of_plug_in"))();
  dlclose(plugin);
  if (sum() != 10000) return failed("the program's loop is wrong after dlclose()");
  std::puts("closed");
}
