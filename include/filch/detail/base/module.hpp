// Modules (a program, libfilch.so, plug-ins) whose code the threads of a pool run.
#pragma once

#include "filch/detail/base/config.hpp"

namespace filch::detail {

/// From now on the module with the address `inside` stays loaded until the process ends: dlclose(3)
/// does not unload it. Any thread. Returns true.
bool stay_loaded(const void* inside) noexcept;

#if FILCH_SHARED_CODE
/// Each shared library that is compiled with this header stays loaded, because threads of a pool
/// may run its code after all its tasks have ended: docs/decisions/0016-plug-ins-stay.md.
[[gnu::visibility("hidden")]] inline const bool this_module_stays = stay_loaded(&this_module_stays);
#endif

}  // namespace filch::detail
