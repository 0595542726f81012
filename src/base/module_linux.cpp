// dladdr1(3), dlopen(3).
#include <dlfcn.h>
#include <link.h>

#include "filch/detail/base/module.hpp"

// A program that is linked statically has neither, and loads no plug-ins. Before glibc 2.34 they
// are in a library of their own, which a program that loads plug-ins has.
#pragma weak dladdr1
#pragma weak dlopen

namespace filch::detail {

bool stay_loaded(const void* inside) noexcept {
  if (dladdr1 == nullptr || dlopen == nullptr) return true;
  Dl_info info{};
  void* found = nullptr;
  if (dladdr1(inside, &info, &found, RTLD_DL_LINKMAP) == 0) return true;
  const char* const name = static_cast<const link_map*>(found)->l_name;
  const bool is_program = name == nullptr || *name == '\0';
  if (!is_program) (void)dlopen(name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  return true;
}

}  // namespace filch::detail
