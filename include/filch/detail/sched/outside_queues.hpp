// Where work from outside waits for a worker: a queue for each priority, and one for install().
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/queue/injector.hpp"
#include "filch/detail/sched/admission.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/options.hpp"

namespace filch::detail {

class waker;

/// The injectors of a pool. With a `queue_limit`, outside threads must be admitted before they put
/// a task in; a participant that takes a task out lets the next one in. src/sched/admission.md says
/// more.
class outside_queues {
 public:
  outside_queues(std::size_t queue_limit, waker& wakes) noexcept
      : limit_(queue_limit), admission_(queue_limit), wakes_(wakes) {}
  outside_queues(const outside_queues&) = delete;
  outside_queues& operator=(const outside_queues&) = delete;

  /// Puts in `count` tasks that are linked by `next`, and wakes sleepers for them. Any thread.
  void put(listed_job* first, listed_job* last, std::size_t count, priority level) noexcept;
  /// Puts in a task of install(): it has a queue of its own, so that it does not wait for all tasks
  /// that were submitted before. Any thread.
  void put_installed(listed_job* task) noexcept;

  /// Takes up to `most` tasks, linked by `next`. Null if there are none. Workers and spares only.
  listed_job* take(priority level, std::size_t most) noexcept;
  /// Takes one task of install(). Workers and spares only.
  listed_job* take_installed() noexcept { return installed_.take(1); }

  /// Does anything wait here? Any thread. A hint; but it is certain for a thread that has announced
  /// its sleep.
  bool has_work() const noexcept;
  /// Are the two queues empty that are used most? A task that ends looks at no others.
  bool usual_are_empty() const noexcept { return normal().empty_hint() && installed_.empty_hint(); }
  /// About how many tasks of high priority there are. Participants keep the address.
  const atomic<std::uint64_t>& urgent() const noexcept { return urgent_; }
  bool has_urgent_work() const noexcept {
    return urgent_.load(std::memory_order_relaxed) != 0;  // orders nothing: a hint
  }
  injector<listed_job>& normal() noexcept { return queue(priority::normal); }
  const injector<listed_job>& normal() const noexcept { return queues_[1]; }

  // ---- admission, if there is a limit ---------------------------------------------------------

  std::size_t limit() const noexcept { return limit_; }
  std::size_t admitted_hint() const noexcept { return admission_.size_hint(); }
  /// Waits until `count` tasks are admitted. A worker of another pool helps its own meanwhile. Any
  /// thread but this pool's participants.
  void admit(std::size_t count) noexcept;
  /// Admits `count` tasks if the queues are below the limit. Any thread.
  bool try_admit(std::size_t count) noexcept { return admission_.try_enter(count); }
  /// Admits `count` tasks, also above the limit. Any thread.
  void admit_anyway(std::size_t count) noexcept {
    if (limit_ != 0) admission_.enter_anyway(count);
  }
  /// Takes back what was admitted. Any thread.
  void release(std::size_t count) noexcept {
    if (limit_ != 0) admission_.leave(count);
  }
  /// From now on every task is admitted, those that wait included. Any thread.
  void open_for_all() noexcept { admission_.close(); }

 private:
  injector<listed_job>& queue(priority level) noexcept {
    return queues_[static_cast<std::size_t>(level)];
  }

  const std::size_t limit_;  // 0: none
  std::array<injector<listed_job>, 3> queues_;
  injector<listed_job> installed_;
  alignas(no_sharing_size) atomic<std::uint64_t> urgent_{0};
  admission admission_;
  waker& wakes_;
};

}  // namespace filch::detail
