// How many threads may run the work of one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

class registry;

/// Lets at most so many threads into a call: options::max_workers. The call is a region, and the
/// region's number has the address of this object in it, and which of its calls it is. A thread
/// that brings a job and may not come in leaves the job here; a thread of the call runs it. When
/// the call ends, jobs may be left that are no parts of it: tasks that its bodies spawned into an
/// older scope. They go into the injector.
///
/// Such objects are used again, never freed. So a thread may ask for a call that has ended: for a
/// task that the call left behind, or when it leaves.
class alignas(cache_line_size) call_limit {
 public:
  call_limit(const call_limit&) = delete;
  call_limit& operator=(const call_limit&) = delete;

  /// A call of the calling thread and `threads` - 1 others, for as long as this lives.
  class call {
   public:
    /// Throws `std::bad_alloc`.
    explicit call(std::size_t threads);
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    ~call();
    /// The thread that made the call does not run its work: another one may.
    void caller_stays_out() noexcept;
    /// The region of the call, isolated or not.
    region where(bool isolated) const noexcept;

   private:
    call_limit& limit_;
  };

  /// That of region `r`; null if it has no limit.
  static call_limit* of(region r) noexcept {
    if ((r & limited_bit) == 0) return nullptr;
    const std::uintptr_t address = (r & (number_unit - 1)) * cache_line_size;
    return reinterpret_cast<call_limit*>(address);  // NOLINT(*-int-to-ptr)
  }

  enum class entry : unsigned char { enters, waits, ended };
  /// A thread that is not in the call `r` brings a job of `home`. `enters`: it runs the job, and
  /// then calls next_or_leave(). `waits`: the job waits here, and the threads in the call have to
  /// be woken. `ended`: there is no such call any more. Any thread. Throws `std::bad_alloc`.
  entry enter_with(region r, job* j, registry& home);
  /// A thread that entered has run its job. The next job that waits here; null if there is none:
  /// then the thread has left the call.
  job* next_or_leave(region r) noexcept;
  /// A job that waits here, or null. Any thread that is in the call.
  job* take(region r) noexcept;
  bool has_jobs(region r) noexcept;

 private:
  call_limit() = default;

  /// A job that waits here. It is a listed_job of its own, since the job may be none.
  struct waiting_job final : listed_job {
    waiting_job(job* j, registry& of) noexcept : listed_job(&entry), what(j), home(of) {}
    static void entry(job& self) noexcept;
    job* what;
    registry& home;
  };

  // A region: flags, 17 bits that number the calls of an object, 42 bits of its address.
  static constexpr region limited_bit = region{1} << 60;
  static constexpr region number_unit = region{1} << 42;
  static constexpr region numbers = 1u << 17;

  static call_limit& borrow();
  bool is_over(region r) const noexcept { return r / number_unit % numbers != number_; }
  job* pop() noexcept;

  call_limit* next_unused_ = nullptr;
  std::mutex mutex_;  // what follows
  region number_ = 0;
  std::size_t free_ = 0;
  listed_job* waiting_ = nullptr;  // waiting_jobs
};

/// In the child of a fork: makes the lock usable, and forgets the objects of the parent.
void forget_call_limits() noexcept;

}  // namespace filch::detail
