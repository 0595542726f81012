// What a thread does between two looks at a value that another thread will change.
#pragma once

#include "filch/detail/base/config.hpp"

#ifdef FILCH_MODEL
#include FILCH_MODEL_SEAM
#else

#if __has_include(<sched.h>)
#include <sched.h>
#else
#include <thread>
#endif

#include <atomic>

namespace filch::detail {

/// Lets the core's other hardware thread run and saves power, for some tens of nanoseconds. Any
/// thread. It is a compiler barrier, but orders no memory.
inline void cpu_relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
  // Not `yield`: most cores treat it as a nop, and a back-off that counts steps would not wait.
  asm volatile("isb" ::: "memory");
#endif
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Lets another thread run on this CPU, if one is ready. Any thread.
inline void yield() noexcept {
#if __has_include(<sched.h>)
  sched_yield();
#else
  std::this_thread::yield();
#endif
}

}  // namespace filch::detail

#endif
