// How many threads may run the work of one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/sched/found_job.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

class registry;

/// The places in a call: options::max_workers. A thread takes one when it enters the call, and
/// gives it back when it leaves. The call is a region, and the region's number says which object
/// this is, and which of its calls it is. An isolate() inside of the call has a region of the same
/// call. A limited call inside of it has an object of its own: a thread that enters that call needs
/// a place in both. If the call is full, a thread that brings a job leaves the job here; a thread
/// of the call runs it. When the call ends, jobs may be left that are no parts of it: tasks that
/// its bodies spawned into an older scope. They go into the injector.
///
/// A thread asks only for the region that it is in, for that of a job that it has taken, or for
/// that in which another thread says that it is or sleeps. So its table of objects is plain memory:
/// the object of that region was made before.
///
/// Such objects are used again, never freed. So a thread may ask for a call that has ended: for a
/// task that the call left behind, or when it leaves.
class alignas(cache_line_size) call_limit {
 public:
  call_limit(const call_limit&) = delete;
  call_limit& operator=(const call_limit&) = delete;

  /// A call with `threads` places, for as long as this lives.
  class call {
   public:
    /// The calling thread takes one of them. Throws `std::bad_alloc`.
    explicit call(std::size_t threads);
    /// No place is taken yet: each thread comes with a job. The jobs come from region `around`, and
    /// a thread in the call may run jobs of that region, too. Throws `std::bad_alloc`.
    call(std::size_t threads, region around);
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    /// In the child of a fork it does nothing: a thread of the parent may have held the lock.
    ~call();
    /// The jobs come from region `around` from now on. It has no limit.
    void set_around(region around) noexcept;
    /// The region of the call, isolated or not.
    region where(bool isolated) const noexcept;

   private:
    call_limit& limit_;
    birthplace born_;
  };

  /// That of region `r`; null if it has no limit.
  static call_limit* of(region r) noexcept { return is_limited(r) ? &object(r) : nullptr; }
  /// A new region for an isolate() in region `r`, which has a limit.
  static region isolated_inside(region r) noexcept;
  /// Is a thread in region `inside` also in the call of region `r`?
  static bool is_within(region inside, region r) noexcept;
  /// The region in which the call of region `r` was made, if that one has a limit, too.
  static region limited_around(region r) noexcept;
  static bool is_over(region r) noexcept;

  /// The region whose jobs a thread in region `r` may run besides those of `r`; no_region if there
  /// is none. Any thread.
  static region around(region r) noexcept {
    call_limit* const limit = of(r);
    return limit != nullptr ? limit->around_of(r) : no_region;
  }

  /// The region around `r`, the one around that, and so on: the last of them, or `r`. Threads whose
  /// regions give the same one are in the same call of a guest. Any thread.
  static region outermost(region r) noexcept {
    for (region out = around(r); out != no_region; out = around(out)) r = out;
    return r;
  }

  enum class entry : unsigned char { enters, waits, ended };
  /// A thread that is not in the call of region `r` brings a job of `home`. `enters`: it runs the
  /// job, and then calls next_or_leave(). `waits`: the job waits here, and the threads in the call
  /// have to be woken. `ended`: there is no such call any more. Any thread. Throws
  /// `std::bad_alloc`.
  entry enter_with(region r, job* j, registry& home);
  /// The same without a job. False if the call is full, or has ended.
  bool enter(region r) noexcept;
  /// The same without a look at the free places: the job waits.
  entry leave_job(region r, job* j, registry& home);
  /// A thread that entered has run its job. The next job that waits here; none if there is none:
  /// then the thread has left the call.
  found_job next_or_leave(region r) noexcept;
  /// A job that waits here and that a thread may run that waits in region `r`; or none. Any thread
  /// that is in the call.
  found_job take(region r) noexcept;
  bool has_jobs(region r) noexcept;

 private:
  /// A job that waits here. It is a listed_job of its own, since the job may be none.
  struct waiting_job final : listed_job {
    waiting_job(found_job j, registry& of) noexcept : listed_job(&entry), what(j), home(of) {}
    static void entry(job& self) noexcept;
    found_job what;
    registry& home;
    waiting_job* older = nullptr;
  };

  // A region: flags, 22 bits that number the isolate()s inside of a call (0: the call itself), 20
  // bits that number the calls of an object, 16 bits that number the object.
  static constexpr region most_objects = region{1} << 16;
  static constexpr region calls = region{1} << 20;
  static constexpr region isolated_unit = most_objects * calls;
  static constexpr region isolates = region{1} << 22;

  static constinit call_limit* objects[most_objects];

  static call_limit& object(region r) noexcept { return *objects[r % most_objects]; }
  static region call_of(region r) noexcept { return r % isolated_unit; }
  static bool is_call_itself(region r) noexcept { return r / isolated_unit % isolates == 0; }
  static bool serves(region waiting, region job) noexcept {
    return waiting == job || (is_call_itself(waiting) && call_of(waiting) == call_of(job));
  }

  static call_limit& borrow();
  call_limit(region number) noexcept : object_(number) {}
  bool has_ended(region r) const noexcept { return r / most_objects % calls != number_; }
  void add(region r, job* j, registry& home);
  waiting_job** find(region r) noexcept;
  static found_job unlink(waiting_job*& at) noexcept;
  region around_of(region r) noexcept;

  call_limit* next_unused_ = nullptr;
  const region object_;
  std::mutex mutex_;  // what follows
  region number_ = 0;
  region made_in_ = no_region;
  region around_ = no_region;
  std::size_t free_ = 0;  // places
  waiting_job* waiting_ = nullptr;
};

/// In the child of a fork: makes the lock usable, and forgets the objects of the parent.
void forget_call_limits() noexcept;

}  // namespace filch::detail
