// The life of a pool, of its threads, and of its guests.
#include "filch/detail/sched/registry.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "filch/detail/base/check.hpp"
#include "filch/detail/base/cpu_count.hpp"
#include "filch/detail/base/fence.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/running_here.hpp"
#include "filch/detail/sched/timer.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

pool_options checked(pool_options o) {
  if (o.threads > most_threads && o.threads != none)
    throw usage_error("filch::pool: threads is " + std::to_string(o.threads) + "; at most " +
                      std::to_string(most_threads) +
                      " are possible, 0 lets filch choose, and filch::none means no workers");
  if (o.steal_threshold == 0)
    throw usage_error(
        "filch::pool: steal_threshold is 0; it is the least number of jobs that a victim must "
        "have, so it must be 1 or more");
  if (o.max_spares > most_threads)
    throw usage_error("filch::pool: max_spares is " + std::to_string(o.max_spares) + "; at most " +
                      std::to_string(most_threads) + " are possible");
  if (o.max_guests > most_threads)
    throw usage_error("filch::pool: max_guests is " + std::to_string(o.max_guests) + "; at most " +
                      std::to_string(most_threads) + " are possible");
  if (o.idle > idle::power)
    throw usage_error("filch::pool: there is no idle number " +
                      std::to_string(static_cast<unsigned>(o.idle)) +
                      ", only latency, balanced and power");
  if (o.threads == 0)
    o.threads = default_thread_count();
  else if (o.threads == none)
    o.threads = 0;
  if (o.name.empty()) o.name = "filch";
  if (o.spin.count() < 0) {
    switch (o.idle) {
      case idle::latency:
        o.spin = std::chrono::milliseconds(1);
        break;
      case idle::balanced:
        o.spin = std::chrono::microseconds(50);
        break;
      case idle::power:
        o.spin = std::chrono::microseconds(0);
        break;
    }
  }
  return o;
}

constinit std::atomic<std::uint32_t> pools_so_far{0};

}  // namespace

registry::registry(pool_options settings)
    : settings_(checked(std::move(settings))),
      participants(settings_.threads, settings_.max_guests),
      wakes(participants, settings_.threads),
      queues(settings_.queue_limit, wakes),
      seating(participants, wakes, queues, settings_.threads),
      accepts(*this, queues),
      idle(participants, accepts),
      spares(*this),
      threads(*this),
      observed(participants, queues),
      id_(pools_so_far.fetch_add(1, std::memory_order_relaxed)) {  // orders nothing: a number
  register_atfork();
  (void)asymmetric_fences_available();  // decided now, not by the first worker that sleeps
  // Every worker exists, with its deque, before the first thread can look for victims. Its start
  // counts as a task, so that the pool does not stop before on_start has run.
  for (std::size_t i = 0; i < size(); ++i)
    participants.add(*this, participant_kind::worker).tasks.open();
}

registry::~registry() = default;

// ---- threads ------------------------------------------------------------------------------------

void registry::start() {
  add_live_pool(*this);
  pool_starts(*this);
  try {
    threads.start_workers();
  } catch (...) {  // ends the threads that were started, and their spares
    for (std::size_t i = threads.started(); i < size(); ++i) participants[i].tasks.close();
    end_threads();
    throw;
  }
}

void registry::run_thread(worker& self) noexcept {
  worker::set_current(&self);
  seating.take();
  self.thread.begin();
  self.state.set_doing(activity::running);
  observed.participant_is_awake();
  self.branches.open();
  const auto call = [&](const std::function<void(std::size_t)>& hook) {
    const shown_to_sanitizers shown;
    try {
      if (hook) hook(self.index());
    } catch (...) {
      report_exception(*this, std::current_exception());
    }
  };
  call(settings_.on_start);
  tell_release(this);  // wait_idle() waits for on_start
  task_ended();        // see the constructor
  const auto is_called_again = [&] {
    if (self.kind() != participant_kind::spare) return false;
    seating.give_back(self);
    const bool woken = spares.rest_until_woken(self);
    seating.take();
    return woken;
  };
  do {
    self.loop.run_until_stopped();
  } while (is_called_again());
  call(settings_.on_stop);
  seating.give_back(self);
  self.branches.hide();
  threads.leave_together();
  self.branches.close();
  self.tallies.cpu.add(processor_time(self.thread.mark()).value_or(0));
  worker::set_current(nullptr);
}

void registry::stop() {
  if (is_current())
    fail(
        "pool '%s'%s was destroyed by a thread that takes part in it ('%s-%zu'), which would have "
        "to "
        "wait for itself. Destroy the pool on another thread.",
        settings_.name.c_str(), number_if_namesakes(*this).data(), settings_.name.c_str(),
        worker::current()->index());
  if (running_here::called_from(*this))
    fail(
        "pool '%s'%s was destroyed inside one of its own tasks, which called install() of another "
        "pool: it would have to wait for that task. Destroy it on a thread outside of it.",
        settings_.name.c_str(), number_if_namesakes(*this).data());
  end_threads();
}

/// When this returns, everything that was accepted has ended, and no spare is woken or started any
/// more.
void registry::end_threads() noexcept {
  close();
  latch ended;
  if (idle.notify_of_stop(ended)) wait_for(ended);
  threads.join();
  remove_live_pool(*this);
  pool_ends(*this);
}

void registry::close() noexcept {
  if (is_inherited() || !accepts.close()) return;
  abandon_timers(*this);
  idle.begin_stop();
  settle();
}

void registry::refuse_inherited() const {
  throw usage_error("filch::" + title(*this) +
                    " was made before fork(), and its threads do not exist in this child process: "
                    "make a new pool here. (default_pool() gives a new one by itself.)");
}

// ---- idleness -----------------------------------------------------------------------------------

void registry::settle() noexcept {
  if (!idle.settle()) return;
  wakes.wake_all();
  spares.stop();
  idle.stop_is_known();
}

bool registry::wait_idle_until(clock::time_point deadline) {
  require_threads();
  if (is_current() || running_here::called_from(*this))
    throw usage_error("filch::pool::wait_idle() was called on a thread that takes part in " +
                      title(*this) +
                      ", or inside one of its tasks: it would wait for its caller. Use a scope to "
                      "wait for tasks there.");
  latch idle_now;
  idle.add(idle_now);
  settle();
  return wait_for_until(idle_now, deadline) || !idle.remove(idle_now);
}

// ---- guests -------------------------------------------------------------------------------------

bool registry::enter(worker& guest) noexcept {
  if (!idle.enter_guest()) return false;
  seating.take();
  guest.thread.begin();
  guest.state.set_doing(activity::running);
  guest.tallies.busy.start();
  observed.participant_is_awake();
  if (tracing_now() != not_tracing) trace_guest_comes(guest);
  return true;
}

void registry::leave(worker& guest) noexcept {
  if (tracing_now() != not_tracing) trace_guest_leaves(guest);
  guest.state.set_doing(activity::absent);
  guest.state.set_stays(false);
  guest.tallies.busy.stop();
  seating.give_back_after_call(guest, idle);
  idle.leave_guest();
  found_nothing();  // a closed pool may have waited for this guest only
}

}  // namespace filch::detail
