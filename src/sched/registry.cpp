// The inside of a pool. README.md has the life of a worker, the sleep protocol and its proof.
#include "filch/detail/sched/registry.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "filch/detail/base/affinity.hpp"
#include "filch/detail/base/check.hpp"
#include "filch/detail/base/cpu_count.hpp"
#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

pool_options checked(pool_options o) {
  if (o.threads > most_threads)
    throw usage_error("filch::pool: " + std::to_string(o.threads) +
                      " threads were asked for; at most " + std::to_string(most_threads) +
                      " are possible, 0 means choose");
  if (o.steal_threshold == 0)
    throw usage_error(
        "filch::pool: a steal_threshold of 0 was asked for; it is the least number of "
        "jobs a victim must have, so 1 or more");
  if (o.max_spares > most_threads)
    throw usage_error("filch::pool: max_spares is " + std::to_string(o.max_spares) + "; at most " +
                      std::to_string(most_threads) + " are possible");
  if (o.idle > idle::power)
    throw usage_error("filch::pool: there is no idle number " +
                      std::to_string(static_cast<unsigned>(o.idle)) +
                      ", only latency, balanced and power");
  if (o.threads == 0) o.threads = default_thread_count();
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

struct start_note {
  registry* home;
  std::size_t index;
};

}  // namespace

registry::registry(pool_options settings)
    : settings_(checked(std::move(settings))),
      size_(settings_.threads),
      id_(pools_so_far.fetch_add(1, std::memory_order_relaxed)),  // orders nothing: a number
      room_(settings_.queue_limit) {
  care_for_forks();
  (void)asymmetric_fences_available();  // decided now, not by the first worker that sleeps
  // Every worker is there, with its deque, before the first thread can look for victims. Its start
  // counts as a task, so that the pool does not stop before on_start has run.
  // It starts asleep: if each looked for work first, that would be looks at the square of their
  // number. One with on_start does not, as that may leave work behind.
  for (std::size_t i = 0; i < size_; ++i) {
    worker& w = add_participant(place_kind::worker);
    w.tasks.open();
    if (!settings_.on_start) sleepers_.announce_unborn(w.bed());
  }
}

registry::~registry() = default;

worker& registry::add_participant(place_kind kind) {
  const std::size_t index =
      roster_size_.load(std::memory_order_relaxed);     // own value: under mutex_
  roster* r = roster_.load(std::memory_order_relaxed);  // own value: under mutex_
  if (r == nullptr || index == r->capacity) {
    // Old rosters stay: a thief may be reading one, and together they are no larger than the new.
    auto larger = std::make_unique<roster>(r == nullptr ? std::max<std::size_t>(size_ + 8, 16)
                                                        : 2 * r->capacity);
    for (std::size_t i = 0; i < index; ++i)
      larger->entries[i].store(&participant(i), std::memory_order_relaxed);  // ordered by join
    rosters_.push_back(std::move(larger));
    r = rosters_.back().get();
    roster_.store(r, std::memory_order_release);  // [join]
  }
  owned_.push_back(std::make_unique<worker>(*this, index, kind, 0x9E3779B97F4A7C15u * (index + 1)));
  r->entries[index].store(owned_.back().get(), std::memory_order_relaxed);  // ordered by join
  roster_size_.store(index + 1, std::memory_order_release);                 // [join]
  return *owned_.back();
}

void registry::start() {
  enlist();
  pool_starts(*this);
  std::size_t started = 0;  // threads_ may have spares, too: a worker may be blocked already
  try {
    threads_.reserve(size_);
    const std::vector<std::size_t> cpus =
        settings_.pin ? process_cpus() : std::vector<std::size_t>{};
    for (; started < size_; ++started) {
      const std::scoped_lock lock(mutex_);
      threads_.push_back(start_thread(
          started, cpus.empty() ? std::nullopt : std::optional(cpus[started % cpus.size()])));
    }
  } catch (const std::system_error& e) {
    give_up_start(started);
    const std::string stack =
        settings_.stack_size == 0
            ? ""
            : ", with a stack of " + std::to_string(settings_.stack_size) + " bytes,";
    throw std::system_error(e.code(), "filch::pool: thread " + std::to_string(started) + " of " +
                                          std::to_string(size_) + stack + " could not be started");
  } catch (...) {
    give_up_start(started);
    throw;
  }
}

os_thread registry::start_thread(std::size_t index, std::optional<std::size_t> cpu) {
  const thread_settings s{.name = settings_.name + "-" + std::to_string(index),
                          .stack_size = settings_.stack_size,
                          .cpu = cpu};
  auto note = std::make_unique<start_note>(start_note{this, index});
  os_thread started = os_thread::start(&registry::thread_main, note.get(), s);
  (void)note.release();  // the thread has it
  return started;
}

/// Not all threads could be started: ends those that were, and their spares.
void registry::give_up_start(std::size_t started) noexcept {
  for (std::size_t i = started; i < size_; ++i) participant(i).tasks.close();
  end_threads();
}

void registry::thread_main(void* note) {
  const std::unique_ptr<start_note> n(static_cast<start_note*>(note));
  n->home->thread_body(n->index);
}

void registry::thread_body(std::size_t index) noexcept {
  worker& self = participant(index);
  worker::set_current(&self);
  self.set_doing(activity::running);
  somebody_is_up();
  self.open_branches();
  const auto hook = [&](const std::function<void(std::size_t)>& f) {
    try {
      if (f) f(index);
    } catch (...) {
      report(std::current_exception());
    }
  };
  hook(settings_.on_start);
  task_ended();  // see the constructor
  do {
    self.run_until_stopped();
  } while (self.kind() == place_kind::spare && rest_until_called(self));
  hook(settings_.on_stop);
  self.hide_branches();
  leave_together();
  self.close_branches();
  worker::set_current(nullptr);
}

/// Nobody ends before everybody has stopped looking for work.
void registry::leave_together() noexcept {
  std::unique_lock lock(mutex_);
  if (++threads_leaving_ == threads_.size()) everybody_leaves_.notify_all();
  everybody_leaves_.wait(lock, [this] { return threads_leaving_ == threads_.size(); });
}

void registry::stop() {
  if (is_current())
    fail(
        "pool '%s'%s was destroyed by one of its own workers ('%s-%zu'), which would have to wait "
        "for itself. Destroy it on a thread outside of it.",
        settings_.name.c_str(), number_if_namesakes().data(), settings_.name.c_str(),
        worker::current()->index());
  end_threads();
}

/// After this no spare is called any more, and everything that was accepted has ended.
void registry::end_threads() noexcept {
  close();
  latch ended;
  bool wait = false;
  {
    const std::scoped_lock lock(mutex_);
    wait = !stopped();
    if (wait) stop_waiter_ = &ended;
  }
  if (wait) wait_for(ended);
  for (os_thread& t : threads_) t.join();
  threads_.clear();
  delist();
  pool_ends(*this);
}

void registry::close() noexcept {
  if (is_inherited()) return;
  const std::uint64_t before =
      accepted_.fetch_or(closed_bit, std::memory_order_acq_rel);  // [close]
  if ((before & closed_bit) != 0) return;
  room_.close();  // whoever waits for room comes in and is refused
  watchers_.fetch_add(1, std::memory_order_relaxed);  // ordered by the fences
  heavy_fence();
  settle();
}

// ---- guests -------------------------------------------------------------------------------------

worker* registry::enter() {
  require_threads();
  std::unique_lock lock(mutex_);
  if (stopped()) return nullptr;
  worker* place = nullptr;
  if (free_guests_.empty()) {
    free_guests_.reserve(owned_.size() - size_ + 1);  // so that leave() cannot throw
    place = &add_participant(place_kind::guest);
  } else {
    place = free_guests_.back();
    free_guests_.pop_back();
  }
  guests_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: settle() has the mutex too
  place->set_doing(activity::running);
  place->tallies.busy.start();
  lock.unlock();
  somebody_is_up();
  if (tracing_now() != not_tracing) trace_guest_comes(*place);
  return place;
}

void registry::leave(worker& guest) noexcept {
  if (tracing_now() != not_tracing) trace_guest_leaves(guest);
  guest.set_doing(activity::absent);
  guest.tallies.busy.stop();
  {
    const std::scoped_lock lock(mutex_);
    free_guests_.push_back(&guest);
  }
  guests_.fetch_sub(1, std::memory_order_release);  // [leave]
  found_nothing();
}

}  // namespace filch::detail
