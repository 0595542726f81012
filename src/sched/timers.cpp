// The thread that waits for the times of all timers. timers.md says more.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "filch/detail/base/one_per_process.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/base/thread.hpp"
#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/timer.hpp"
#include "filch/detail/sched/timer_heap.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

/// The timers of this process, and their thread. Never destroyed: the thread may still run when the
/// program ends. Its functions are called under the lock of all timers.
class timer_queue {
 public:
  /// Throws what timer::wait_until() throws.
  void add(timer& t, timer::clock::time_point when) {
    t.home().require_threads();
    if (is_closed(t.home()))
      throw pool_closed("filch::" + title(t.home()) +
                        " is closed: it takes no task for a later time");
    waiting_.make_room(live_ + 1);
    if (!has_thread_) {
      os_thread::start([](void* self) { static_cast<timer_queue*>(self)->run(); }, this,
                       {.name = "filch-timer"})
          .detach();
      has_thread_ = true;
    }
    ++live_;
    put(t, when);
  }
  bool add_again(timer& t, timer::clock::time_point when) noexcept {
    if (t.cancelled_ || is_closed(t.home())) {
      end_one();
      return false;
    }
    put(t, when);
    return true;
  }
  bool cancel(timer& t) noexcept {
    t.cancelled_ = true;
    if (t.heap_index == timer_entry::nowhere) return false;
    waiting_.remove(t);
    end_one();
    return true;
  }
  /// Removes the timers of a pool that is closed. They are linked by next().
  timer* remove_all_of(const registry& home) noexcept {
    timer* list = nullptr;
    waiting_.remove_if([&](timer_entry& e) { return &as_timer(e).home() == &home; },
                       [&](timer_entry& e) {
                         as_timer(e).next_ = std::exchange(list, &as_timer(e));
                         end_one();
                       });
    return list;
  }

  static bool is_cancelled(const timer& t) noexcept { return t.cancelled_; }
  /// Called under no lock, for what remove_all_of() returned.
  static void abandon_all(timer* list) noexcept {
    while (list != nullptr) std::exchange(list, list->next_)->abandoned();
  }

 private:
  static timer& as_timer(timer_entry& e) noexcept { return static_cast<timer&>(e); }
  static bool is_closed(const registry& home) noexcept {
    return home.accepts.accepted().closed || home.accepts.retired();
  }

  void put(timer& t, timer::clock::time_point when) noexcept {
    t.due = when;
    waiting_.add(t);
    if (&waiting_.first() == &t) changed_.notify_one();
  }
  void end_one() noexcept {
    if (--live_ == 0) changed_.notify_one();
  }

  void run() noexcept;
  void begin_first(std::unique_lock<std::mutex>& lock) noexcept;

  timer_heap waiting_;    // has memory for live_
  std::size_t live_ = 0;  // those that wait, and those that may wait again
  bool has_thread_ = false;
  std::condition_variable changed_;  // an earlier time, or no timers any more
};

namespace {

constinit one_per_process<timer_queue> timers;  // made on first use

}  // namespace

/// Ends when there are no timers. The next timer starts another thread.
void timer_queue::run() noexcept {
  std::unique_lock lock(timers.mutex);
  while (live_ != 0) {
    if (waiting_.empty() || waiting_.first().due == timer::clock::time_point::max())
      changed_.wait(lock);
    else if (const auto when = waiting_.first().due; timer::clock::now() < when)
      changed_.wait_until(lock, when);
    else
      begin_first(lock);
  }
  has_thread_ = false;
}

/// If its pool is just being closed, it waits to be abandoned. The lock is held meanwhile, so the
/// pool that is closed either finds the timer here, or has accepted its task.
void timer_queue::begin_first(std::unique_lock<std::mutex>& lock) noexcept {
  timer& t = as_timer(waiting_.first());
  std::shared_ptr<registry> home = t.home_;  // once it has begun, it may be gone
  const bool comes_back = t.how_often_ == timer::times::many;
  waiting_.remove(t);
  if (!t.begins())
    put(t, timer::clock::time_point::max());
  else if (!comes_back)
    --live_;
  lock.unlock();
  home.reset();  // may be the last to let go of the pool, whose hooks are the program's
  lock.lock();
}

timer::~timer() = default;

void timer::wait_until(clock::time_point when) {
  const hidden_from_sanitizers hidden;
  const std::scoped_lock lock(timers.mutex);
  if (timers.it == nullptr) timers.it = new timer_queue;
  timers.it->add(*this, when);
}

bool timer::wait_again_until(clock::time_point when) noexcept {
  const std::scoped_lock lock(timers.mutex);
  return timers.it->add_again(*this, when);
}

bool timer::cancel() noexcept {
  if (is_inherited()) return false;
  const hidden_from_sanitizers hidden;
  const std::scoped_lock lock(timers.mutex);
  return timers.it->cancel(*this);
}

bool timer::is_cancelled() const noexcept {
  const std::scoped_lock lock(timers.mutex);
  return timer_queue::is_cancelled(*this);
}

void abandon_timers(const registry& home) noexcept {
  timer* list = nullptr;
  {
    const std::scoped_lock lock(timers.mutex);
    if (timers.it != nullptr) list = timers.it->remove_all_of(home);
  }
  timer_queue::abandon_all(list);
}

void forget_timers() noexcept { timers.forget(); }

}  // namespace filch::detail
