// Store-load barriers: the symmetric one, and a pair that is free on one side.
//
// Every fence here answers the same question, Dekker's: two threads each write one variable and
// then read the other's. May both miss the other's write? They may not, if each thread has one
// fence of such a pair between its write and its read:
//
//     full_fence()    |  full_fence()
//     light_fence()   |  heavy_fence()      the side that runs often  |  the side that runs rarely
//     heavy_fence()   |  full_fence()
//
// But two light fences promise nothing to each other (as in P1202). All of them are also compiler
// barriers. The heavy side interrupts every running thread of this process (membarrier on Linux):
// that costs microseconds, and all running threads pay. It does not reach other processes that
// share the memory.
//
// Where membarrier is missing, both sides of the pair are full fences. The first heavy_fence() or
// asymmetric_fences_available() decides which it is, once for the process. No caller has to care
// when: until a light_fence() has seen the decision it is a full fence, which pairs with every
// heavy one; and a heavy_fence() always makes or learns the decision first. The registration can
// take milliseconds once there are threads: to pay for it early, call asymmetric_fences_available()
// before starting them.
//
// The environment variable FILCH_NO_MEMBARRIER=1 chooses full fences; 0 or nothing leaves the
// choice to filch. For any other value filch prints a message on stderr and uses full fences, which
// are never wrong.
#pragma once

#include "filch/detail/base/config.hpp"

#ifdef FILCH_MODEL
#include FILCH_MODEL_SEAM
#else

#include <atomic>

#include "filch/detail/base/cache_line.hpp"

namespace filch::detail {

#if FILCH_TSAN
// ThreadSanitizer does not know fences (g++ warns about each), but it knows what a chain of
// read-modify-writes orders. Such a chain orders more than a fence does, so races near a full fence
// may go unseen in these builds. The model checker finds those.
inline constinit std::atomic<unsigned> fence_stand_in{0};
#endif

/// A sequentially consistent fence. Any thread.
///
/// On x86-64 it is a locked read-modify-write of the stack, which no other thread touches. clang
/// turns std::atomic_thread_fence(seq_cst) into an mfence, which takes several times as long. (g++
/// emits this very instruction.)
inline void full_fence() noexcept {
#if FILCH_TSAN
  fence_stand_in.fetch_add(1, std::memory_order_seq_cst);
#elif defined(__x86_64__) && defined(__GNUC__)
  asm volatile("lock orq $0, (%%rsp)" ::: "memory", "cc");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

enum class fence_mode : unsigned char {
  undecided,   ///< No thread has asked yet: light is a full fence, heavy is about to decide.
  full,        ///< Both are full fences.
  asymmetric,  ///< Light is a compiler barrier, heavy interrupts every running thread.
};

/// What light_fence() does. It is constant once decided, hence on a line that no thread writes. A
/// program that ends up with several copies (hidden visibility) is slower, not wrong: a copy that
/// stays undecided means full fences.
inline constinit padded<std::atomic<fence_mode>> current_fence_mode{fence_mode::undecided};

/// The cheap side of the pair: pairs with heavy_fence() and with nothing else. Any thread.
inline void light_fence() noexcept {
  const auto mode = current_fence_mode->load(std::memory_order_relaxed);  // orders nothing: above
  if (mode == fence_mode::asymmetric) [[likely]] {
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } else {
    full_fence();
  }
}

/// light_fence() for a caller that has made sure that asymmetric_fences_available(): only a
/// compiler barrier.
inline void asymmetric_light_fence() noexcept {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// The expensive side of the pair: pairs with light_fence(), full_fence() and itself. Any thread.
///
/// Aborts with a message if the system takes membarrier away after the decision (a seccomp filter
/// that was installed late): other threads are relying on it by then.
void heavy_fence() noexcept;

/// Is light_fence() cheap in this process? Makes the decision, if there is none yet. Any thread.
bool asymmetric_fences_available() noexcept;

/// Makes both sides full fences as if membarrier were missing, or undoes that. For tests only, and
/// only while no other thread uses the pair and there is no pool: a pool remembers the decision.
void force_full_fences(bool forced) noexcept;

}  // namespace filch::detail

#endif
