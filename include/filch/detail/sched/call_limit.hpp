// How many threads may run the work of one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

/// Lets at most so many threads into a call: options::max_workers. The call is a region, and the
/// region's number has the address of this object in it. A thread that has a job of the call can
/// use the object, because the call does not end before its jobs have; one that has run its job can
/// do so until it has left. A thread that brings a job and may not come in leaves the job here; a
/// thread of the call runs it.
class call_limit {
 public:
  /// The calling thread is the first of `threads`.
  explicit call_limit(std::size_t threads) noexcept : others_(threads - 1), free_(others_) {}
  call_limit(const call_limit&) = delete;
  call_limit& operator=(const call_limit&) = delete;
  /// All jobs have ended. Waits until the threads that ran them have left.
  ~call_limit();

  /// The region of the call, isolated or not.
  region where(bool isolated) const noexcept {
    const auto address = static_cast<region>(reinterpret_cast<std::uintptr_t>(this));
    return address | limited_bit | (isolated ? 0 : call_bit);
  }
  /// The limit of the call that is region `r`; null if it has none. Only for a thread that has a
  /// job of the call, or waits in it.
  static call_limit* of(region r) noexcept {
    return (r & limited_bit) == 0 ? nullptr
                                  : reinterpret_cast<call_limit*>(  // NOLINT(*-int-to-ptr)
                                        static_cast<std::uintptr_t>(r & ~(call_bit | limited_bit)));
  }

  /// A thread that is not in the call brings a job. True if it may run the job, and has to call
  /// next_or_leave() afterwards. Else the job waits here, and the threads in the call have to be
  /// woken. Any thread. Throws `std::bad_alloc`.
  bool enter_with(job* j);
  /// A thread that entered has run its job. The next job that waits here; null if there is none:
  /// then the thread has left the call.
  job* next_or_leave() noexcept;
  /// A job that waits here, or null. Any thread that is in the call.
  job* take() noexcept;
  bool has_jobs() noexcept;

 private:
  static constexpr region limited_bit = region{1} << 60;

  const std::size_t others_;
  std::mutex mutex_;  // what follows
  std::size_t free_;
  std::vector<job*> waiting_;
};

}  // namespace filch::detail
