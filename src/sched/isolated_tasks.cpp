#include "filch/detail/sched/isolated_tasks.hpp"

#include <memory>
#include <mutex>
#include <utility>

#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/guest_stay.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

/// While this lives, jobs that the calling thread pushes belong to a region, if it is a participant
/// of `home`.
class in_region_of {
 public:
  in_region_of(region r, const registry& home) noexcept {
    worker* const w = worker::current();
    if (w == nullptr || &w->home() != &home) return;
    slot_ = w;
    outer_ = w->regions.enter(r);
  }
  in_region_of(const in_region_of&) = delete;
  in_region_of& operator=(const in_region_of&) = delete;
  ~in_region_of() {
    if (slot_ != nullptr) slot_->regions.leave(outer_);
  }

 private:
  worker* slot_ = nullptr;
  region outer_ = no_region;
};

}  // namespace

isolated_tasks::isolated_tasks(registry& home) noexcept
    : home_(home), where_(home.is_current() ? new_region() : new_unlimited_region()) {}

region isolated_tasks::where_to_wait() const noexcept {
  const worker* const w = worker::current();
  return w == nullptr || &w->home() == &home_ ? where_ : new_region();
}

void isolated_tasks::add(job& task, priority level) {
  home_.require_threads();  // else the lock may be held for ever
  if (worker::current() == nullptr && is_full()) {
    home_.accepts.require_open();
    return run_in_place(task);
  }
  auto t = std::make_unique<ticket>(shared_from_this(), task);
  latch* notified = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    t->older = newest_;
    if (newest_ != nullptr) newest_->newer = t.get();
    newest_ = t.get();
    ++left_;
    ++waiting_;
    notified = std::exchange(waiter_, nullptr);
  }
  if (notified != nullptr) latch::set(*notified);
  try {
    const in_region_of tagged(where_, home_);
    // The priority is for tasks that come from outside of the pool, as in any other scope. Such a
    // thread is never kept waiting: it may hold a lock that the workers want.
    if (home_.is_current() ? submit_unless_retired(home_, t.get())
                           : submit_beyond_limit_unless_retired(home_, t.get(), level)) {
      (void)t.release();  // the pool has it
      return;
    }
  } catch (...) {
    if (take(*t) == nullptr) return;  // the waiter was quick: it runs all the same
    ended();
    throw;
  }
  if (job* const mine = take(*t)) {
    const guest_stay stay = guest_stay::in_place(home_);
    const in_region here(where_);
    mine->run();
    ended();
  }
}

bool isolated_tasks::is_full() noexcept {
  const std::size_t most = home_.settings().queue_limit;
  if (most == 0 || home_.stopped()) return false;
  const std::scoped_lock lock(mutex_);
  return waiting_ >= most;
}

/// The calling thread is outside of every pool. As many tasks wait as may: it runs this one, as a
/// guest.
void isolated_tasks::run_in_place(job& task) noexcept {
  const guest_stay stay(home_.shared_from_this());
  const in_region here(where_);
  task.run();
}

void isolated_tasks::ticket::entry(job& self) noexcept {
  std::unique_ptr<ticket> t(&static_cast<ticket&>(self));
  const region where = t->home->where_;
  worker& here = *worker::current();
  // Where few threads may be, this one may have to leave the ticket with them.
  if (is_limited(where) && here.regions.current() != where && !call_limit::is_over(where))
    return here.run_in_region({t.release(), where});
  if (job* const task = t->home->take(*t)) {
    worker::current()->run_in_region({task, t->home->where_});
    if (worker::current() == nullptr) [[unlikely]]
      went_on_after_fork();
    t->home->ended();
  }
  t.reset();
  task_ended();
}

bool isolated_tasks::none_left() noexcept {
  const std::scoped_lock lock(mutex_);
  return left_ == 0;
}

bool isolated_tasks::wait_until(std::chrono::steady_clock::time_point deadline) noexcept {
  worker* const w = worker::current();
  const bool alone = w == nullptr;
  const bool takes_part = !alone && &w->home() == &home_;
  const in_region here(where_to_wait());
  for (;;) {
    const bool stays_out =
        takes_part && w->is_guest() && has_waiting() && !w->loop.wait_for_seat(deadline);
    latch news;
    job* task = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      if (left_ == 0) break;
      if ((alone || takes_part) && !stays_out && newest_ != nullptr) {
        task = unlink(*newest_);
        if (takes_part)
          w->tasks.open();  // before the ticket, which counts until it is found, can be closed
      } else {
        waiter_ = &news;
      }
    }
    if (task == nullptr) {
      if (!wait_for_until(news, deadline) && withdraw(news)) return false;
      continue;
    }
    if (alone) {
      task->run();
      if (home_.is_inherited()) [[unlikely]]
        went_on_after_fork();
      ended();
      continue;
    }
    w->run({task, where_});
    if (worker::current() == nullptr) [[unlikely]]
      went_on_after_fork();
    ended();
    task_ended();
  }
  if (takes_part)
    while (const found_job j = w->finder.pop(where_))
      w->run(j);  // tickets whose tasks were found in the list
  return true;
}

bool isolated_tasks::has_waiting() noexcept {
  const std::scoped_lock lock(mutex_);
  return newest_ != nullptr;
}

/// The waiter does not wait for `news` any more. False if it has been set.
bool isolated_tasks::withdraw(latch& news) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    if (waiter_ == &news) {
      waiter_ = nullptr;
      return true;
    }
  }
  wait_for(news);  // the setter has its address
  return false;
}

/// The task of a ticket, which the caller runs from now on; null if another thread has it.
job* isolated_tasks::take(ticket& t) noexcept {
  const std::scoped_lock lock(mutex_);
  return t.task != nullptr ? unlink(t) : nullptr;
}

/// Under mutex_.
job* isolated_tasks::unlink(ticket& t) noexcept {
  if (t.older != nullptr) t.older->newer = t.newer;
  (t.newer != nullptr ? t.newer->older : newest_) = t.older;
  --waiting_;
  return std::exchange(t.task, nullptr);
}

void isolated_tasks::ended() noexcept {
  latch* notified = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    if (--left_ == 0) notified = std::exchange(waiter_, nullptr);
  }
  if (notified != nullptr) latch::set(*notified);
}

}  // namespace filch::detail
