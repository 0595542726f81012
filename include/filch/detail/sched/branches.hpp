// The branches of the joins that the calling thread is in.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/queue/split_stack.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

/// A slot for one branch: a job that thieves may take, and its result. One cache line, so that a
/// branch moves to its thief in one transfer.
///
/// Between two uses `done` is unset, so that a push does not have to write it.
class alignas(cache_line_size) branch_slot : public job {
 public:
  static constexpr std::size_t storage_size = 40;

  branch_slot() noexcept : job(nullptr) {}
  ~branch_slot() = default;

  void become(entry what) noexcept { replace_entry(what); }
  void* storage() noexcept { return storage_; }

  /// The isolation region of a branch. The owner writes it while the slot is free, before the push,
  /// so that thieves may look at it before they take the branch.
  region where() const noexcept {
    return where_.load(std::memory_order_relaxed);  // ordered by publish
  }
  void set_region(region r) noexcept {
    where_.store(r, std::memory_order_relaxed);  // ordered by publish
  }

  latch done;

 private:
  alignas(std::max_align_t) std::byte storage_[storage_size];  // closure, then result
  atomic<region> where_{no_region};
};

using branch_stack = split_stack<branch_slot>;

// In a program the compiler reaches a thread-local variable in one instruction by itself. In a
// shared library the code has to tell it that it may; else it calls a function.
#if FILCH_SHARED_CODE
#define FILCH_NEAR_TLS [[gnu::tls_model("initial-exec")]]
#else
#define FILCH_NEAR_TLS
#endif

/// The calling thread's stack of branches: closed while the thread has no slot in a pool. There is
/// one per thread, also if the program and a shared libfilch are compiled with hidden symbols.
FILCH_NEAR_TLS
[[gnu::visibility("default")]] FILCH_ONE_FOR_ALL constinit thread_local branch_stack my_branches;

// ---- what join does rarely ----------------------------------------------------------------------

/// The calling thread has no slot in a pool. Makes it a guest for as long as this join lasts, or
/// else finds a branch slot that no other thread sees. Returns the branch slot to use. Throws what
/// making the default pool throws.
[[gnu::cold, gnu::noinline]] branch_slot* enter_for_join();

/// push(h) returned false.
[[gnu::cold, gnu::noinline]] void answer_thieves(branch_slot* h) noexcept;

/// pop(h) returned false. True if the caller is to run `h`, as if pop() had returned true.
[[gnu::cold, gnu::noinline]] bool take_branch_back(branch_slot* h) noexcept;

/// What happened to a branch that its join could not simply call.
enum class branch_fate : unsigned char {
  taken,  ///< a thief took it and has run it: its result is in the slot, until branch_is_over()
  mine,   ///< the caller is to run it
  last,   ///< the same, and afterwards to call leave_after_join(): it was a guest for this join
};

/// After take_branch_back() returned false: `taken` or `last`. If a thief took `h`, waits for it.
[[gnu::cold, gnu::noinline]] branch_fate fate_of_branch(branch_slot* h) noexcept;

/// The same, if pop(h) has not been called.
[[gnu::cold, gnu::noinline]] branch_fate reclaim_branch(branch_slot* h) noexcept;

/// The caller has used the result of a branch that was taken.
[[gnu::cold, gnu::noinline]] void branch_is_over(branch_slot* h) noexcept;

/// The last branch of a guest has run: the guest leaves.
[[gnu::cold, gnu::noinline]] void leave_after_join() noexcept;

}  // namespace filch::detail
