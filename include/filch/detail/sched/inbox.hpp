// Jobs that only one worker may run.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/sched/listed_job.hpp"

namespace filch::detail {

/// Reverses the list that begins with `first` and is linked by `next`.
inline listed_job* reversed(listed_job* first) noexcept {
  listed_job* turned = nullptr;
  while (first != nullptr) {
    listed_job* const next = first->next;
    first->next = turned;
    turned = first;
    first = next;
  }
  return turned;
}

/// Jobs that only the owner may run. Any thread puts them in; the owner takes them in the order in
/// which they came.
///
/// Edge
///   [inbox]  put() stores the newest job -> take() loads it   the job is complete
class inbox {
 public:
  /// Any thread.
  void put(listed_job* j) noexcept {
    listed_job* below = newest_.load(std::memory_order_relaxed);  // orders nothing: retried below
    do {
      j->next = below;
    } while (!newest_.compare_exchange_weak(below, j, std::memory_order_release,  // [inbox]
                                            std::memory_order_relaxed));  // orders nothing: retried
  }

  /// The oldest job; null if there is none. Owner only.
  listed_job* take() noexcept {
    if (oldest_ == nullptr)
      oldest_ = reversed(newest_.exchange(nullptr, std::memory_order_acquire));  // [inbox]
    listed_job* const first = oldest_;
    if (first != nullptr) oldest_ = first->next;
    return first;
  }

  /// Owner only.
  bool empty() const noexcept { return !has_rest() && arrived_hint() == 0; }
  /// Did an earlier take() find more than one job, and are some of them left? Owner only.
  bool has_rest() const noexcept { return oldest_ != nullptr; }
  /// Not 0 if jobs have arrived since the last take() that found has_rest() false. A hint.
  std::uintptr_t arrived_hint() const noexcept {
    return reinterpret_cast<std::uintptr_t>(
        newest_.load(std::memory_order_relaxed));  // orders nothing: a hint
  }

  /// In the child of a fork: the next job is `next`. Owner only.
  void replace_by(listed_job& next) noexcept { oldest_ = &next; }

 private:
  alignas(no_sharing_size) atomic<listed_job*> newest_{nullptr};
  listed_job* oldest_ = nullptr;  // jobs that the owner has taken out of newest_ and not run yet
};

}  // namespace filch::detail
