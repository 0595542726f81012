// What templates see of a worker: enough to spawn a task into its deque.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/base/tally.hpp"
#include "filch/detail/sched/account.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/region.hpp"
#include "filch/detail/sched/region_stack.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "filch/detail/sched/task_memory.hpp"

namespace filch::detail {

class registry;

/// The parts of a worker that inline code in programs uses. Every object of this class is a
/// `worker`; the other parts stay in the library. So this class is as large as an inline spawn
/// needs, and programs do not compile the rest.
class worker_front {
 public:
  worker_front(const worker_front&) = delete;
  worker_front& operator=(const worker_front&) = delete;

  /// The calling thread's slot, or null if it has none.
  static worker_front* current() noexcept {
    if constexpr (FILCH_MSAN == 1)
      if (current_ != nullptr) msan_written(*current_);
    return current_;
  }

  registry& home() const noexcept {
    const sanitizer_hidden hidden;
    return home_;
  }
  std::size_t index() const noexcept {
    const sanitizer_hidden hidden;
    return index_;
  }

  /// Pushes `j` into the deque, as a job of the current region or with the given tag, and wakes a
  /// sleeper if there is one. Owner only. Throws `std::bad_alloc`, and changes nothing, if the
  /// deque cannot grow.
  void push(job* j) { push(j, regions.current()); }
  void push_submitted(job* j) { push(j, region_of_submitted(regions.current()) | submitted); }
  void push(job* j, region tag) {
    j->given();
    deque.msan_written_by_library();
    msan_written(sleepers_);
    deque.push({j, tag});                                                     // P1
    if (sleepers_.any_to_notify(ends_before_guest_leaves(tag))) [[unlikely]]  // P2, P3
      wake_another(region_of(tag));                                           // P4
  }

  job_deque deque{1024};  // so much that a thousand tasks at once resize nothing
  task_memory memory;
  region_stack regions;
  account tasks;
  tally spawned;  // jobs that it has put into its deque

 protected:
  /// Throws `std::bad_alloc`.
  worker_front(registry& home, std::size_t index);
  ~worker_front() = default;

  // Constant initialisation and the initial-exec model: reading it is one instruction.
  // Visible, since a shared libfilch and its program must agree on it.
  [[gnu::tls_model("initial-exec"), gnu::visibility("default")]] static
#if !FILCH_SHARED_CODE
      inline
#endif
      constinit thread_local worker_front* current_;

 private:
  [[gnu::cold, gnu::noinline]] void wake_another(region where) noexcept;

  sleepers& sleepers_;
  registry& home_;
  std::size_t index_;
};

}  // namespace filch::detail
