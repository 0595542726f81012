// The inside of a pool. README.md has the life of a worker, the sleep protocol and its proof.
#include "filch/detail/sched/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <ostream>
#include <system_error>
#include <thread>
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
  if (o.max_spares != 0 || o.queue_limit != 0)
    throw usage_error("filch::pool: max_spares and queue_limit are not supported yet; " +
                      std::to_string(o.max_spares) + " and " + std::to_string(o.queue_limit) +
                      " were asked for, leave them at 0");
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

struct start_note {
  registry* home;
  std::size_t index;
};

const char* words_for(activity a) {
  switch (a) {
    case activity::running:
      return "running";
    case activity::searching:
      return "searching";
    case activity::sleeping:
      return "sleeping";
    case activity::absent:
      break;
  }
  return "absent";
}

}  // namespace

registry::registry(pool_options settings)
    : settings_(checked(std::move(settings))),
      size_(settings_.threads),
      leaving_(static_cast<std::ptrdiff_t>(size_)) {
  (void)asymmetric_fences_available();  // decided now, not by the first worker that sleeps
  // Every worker is there, with its deque, before the first thread can look for victims. Its start
  // counts as a task, so that the pool does not stop before on_start has run.
  for (std::size_t i = 0; i < size_; ++i) add_participant(false).tasks.open();
}

registry::~registry() = default;

worker& registry::add_participant(bool guest) {
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
  owned_.push_back(
      std::make_unique<worker>(*this, index, guest, 0x9E3779B97F4A7C15u * (index + 1)));
  r->entries[index].store(owned_.back().get(), std::memory_order_relaxed);  // ordered by join
  roster_size_.store(index + 1, std::memory_order_release);                 // [join]
  return *owned_.back();
}

void registry::start() {
  try {
    threads_.reserve(size_);
    const std::vector<std::size_t> cpus =
        settings_.pin ? process_cpus() : std::vector<std::size_t>{};
    for (std::size_t i = 0; i < size_; ++i) {
      thread_settings s{.name = settings_.name + "-" + std::to_string(i),
                        .stack_size = settings_.stack_size,
                        .cpu = {}};
      if (!cpus.empty()) s.cpu = cpus[i % cpus.size()];
      auto note = std::make_unique<start_note>(start_note{this, i});
      threads_.push_back(os_thread::start(&registry::thread_main, note.get(), s));
      (void)note.release();  // the thread has it
    }
  } catch (const std::system_error& e) {
    const std::string done = std::to_string(threads_.size());
    give_up_start();
    throw std::system_error(e.code(), "filch::pool: thread " + done + " of " +
                                          std::to_string(size_) + " could not be started");
  } catch (...) {
    give_up_start();
    throw;
  }
}

/// Not all threads could be started: ends those that were.
void registry::give_up_start() noexcept {
  for (std::size_t i = threads_.size(); i < size_; ++i) participant(i).tasks.close();
  leaving_.count_down(static_cast<std::ptrdiff_t>(size_ - threads_.size()));
  close();
  join_threads();
}

void registry::thread_main(void* note) {
  const std::unique_ptr<start_note> n(static_cast<start_note*>(note));
  n->home->thread_body(n->index);
}

void registry::thread_body(std::size_t index) noexcept {
  worker& self = participant(index);
  worker::set_current(&self);
  self.set_doing(activity::running);
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
  self.run_until_stopped();
  hook(settings_.on_stop);
  self.hide_branches();
  leaving_.arrive_and_wait();
  self.close_branches();
  worker::set_current(nullptr);
}

void registry::stop() {
  if (is_current())
    fail(
        "a pool was destroyed by one of its own workers ('%s-%zu'), which would have to wait for "
        "itself. Destroy it on a thread outside of it.",
        settings_.name.c_str(), worker::current()->index());
  close();
  latch ended;
  bool wait = false;
  {
    const std::scoped_lock lock(mutex_);
    wait = !stopped();
    if (wait) stop_waiter_ = &ended;
  }
  if (wait) wait_for(ended);
  join_threads();
}

void registry::join_threads() noexcept {
  for (os_thread& t : threads_) t.join();
  threads_.clear();
}

void registry::close() noexcept {
  const std::uint64_t before =
      accepted_.fetch_or(closed_bit, std::memory_order_acq_rel);  // [close]
  if ((before & closed_bit) != 0) return;
  watchers_.fetch_add(1, std::memory_order_relaxed);  // ordered by the fences
  heavy_fence();
  settle();
}

// ---- submission ---------------------------------------------------------------------------------

/// Counts tasks from outside in, unless the pool is closed.
void registry::accept(std::uint64_t count) {
  std::uint64_t before =
      accepted_.load(std::memory_order_relaxed);  // orders nothing: retried below
  do {
    if ((before & closed_bit) != 0)
      throw pool_closed("filch::pool '" + settings_.name +
                        "' is closed: it takes no more work from outside");
  } while (!accepted_.compare_exchange_weak(before, before + count * one_task,
                                            std::memory_order_acq_rel,    // [close]
                                            std::memory_order_relaxed));  // orders nothing: retried
}

void registry::inject(listed_job* first, listed_job* last) noexcept {
  injector_.push_chain(first, last);                        // P1
  if (sleepers_.any()) wake_one(nullptr, wanted::anybody);  // P2, P3, P4
}

void registry::submit(listed_job* task) { submit_chain(task, task, 1); }

bool registry::submit_unless_retired(listed_job* task) {
  if (retired() && !is_current()) return false;
  try {
    submit(task);
    return true;
  } catch (const pool_closed&) {
    if (retired()) return false;  // it did so just now
    throw;
  }
}

void registry::submit_chain(listed_job* first, listed_job* last, std::size_t count) {
  worker* const w = worker::current();
  if (w == nullptr || &w->home() != this) {
    accept(count);
    injector_.push_chain(first, last);  // P1
    for (std::size_t i = 0; i < count && sleepers_.any(); ++i)
      if (!wake_one(nullptr, wanted::anybody)) break;  // P2, P3, P4
    return;
  }
  require_running();
  w->reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    listed_job* const next = first->next;  // once pushed it may be gone
    w->tasks.open();
    w->push(first);
    w->tallies.spawned.add();
    first = next;
  }
}

void registry::submit_to_worker(listed_job* task) {
  accept_from_anywhere(1);
  for_workers_.push(task);                                 // P1
  if (sleepers_.any()) wake_one(nullptr, wanted::worker);  // P2, P3, P4
}

void registry::submit_to_each(const std::vector<listed_job*>& tasks) {
  accept_from_anywhere(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    worker& to = participant(i);
    to.put_in_inbox(tasks[i]);  // P1
    light_fence();              // P2
    (void)sleepers_.wake(to.bed());
  }
}

/// The pool's own tasks may submit until it is empty, and it is not while they run; but on_stop
/// hooks come too late.
void registry::require_running() const {
  if (stopped())
    throw pool_closed("filch::pool '" + settings_.name + "' has stopped: its workers are ending");
}

void registry::accept_from_anywhere(std::uint64_t count) {
  if (!is_current()) return accept(count);
  require_running();
  accepted_.fetch_add(count * one_task, std::memory_order_acq_rel);  // [close]
}

// ---- idle ---------------------------------------------------------------------------------------

/// Has everything been finished that `accepted`, which is set, and the accounts say was accepted?
bool registry::settled(std::uint64_t& accepted) const noexcept {
  std::uint64_t closed = 0;
  const std::size_t before = roster_size();
  for (std::size_t i = 0; i < before; ++i) closed += participant(i).tasks.closed();
  accepted = accepted_.load(std::memory_order_acquire);  // [close]
  std::uint64_t opened = accepted / one_task;
  const std::size_t after = roster_size();
  for (std::size_t i = 0; i < after; ++i) opened += participant(i).tasks.opened();
  return closed == opened;
}

/// Is everything accepted finished? Then tells whoever waits for that.
void registry::settle() noexcept {
  full_fence();  // two workers that finish the last two tasks must not both miss the other
  std::uint64_t accepted = 0;
  if (!settled(accepted)) return;
  const std::scoped_lock lock(mutex_);
  // Before the sums, so that what a guest accepted before it left is in them. None can enter
  // meanwhile.
  const bool no_guests = guests_.load(std::memory_order_acquire) == 0;  // [leave]
  if (!settled(accepted)) return;
  for (latch* l : idle_waiters_) {
    watchers_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: a count
    latch::set(*l);
  }
  idle_waiters_.clear();
  // The bit is in the very word whose count has been settled: nothing was accepted in between.
  const bool closed = (accepted & closed_bit) != 0;
  if (closed && no_guests && !stopped()) {
    stopped_.store(true, std::memory_order_release);  // [stop]
    heavy_fence();
    wake_all();
    if (latch* const l = std::exchange(stop_waiter_, nullptr)) latch::set(*l);
  }
}

bool registry::wait_idle_until(clock::time_point deadline) {
  if (is_current())
    throw usage_error("filch::pool::wait_idle() was called by a worker of pool '" + settings_.name +
                      "': it would wait for the task that calls it. Use a scope to wait for tasks "
                      "inside a task.");
  latch idle_now;
  {
    const std::scoped_lock lock(mutex_);
    idle_waiters_.push_back(&idle_now);
  }
  watchers_.fetch_add(1, std::memory_order_relaxed);  // ordered by the fences
  heavy_fence();
  settle();
  if (wait_for_until(idle_now, deadline)) return true;
  const std::scoped_lock lock(mutex_);
  if (std::erase(idle_waiters_, &idle_now) == 0) return true;  // set at the last moment
  watchers_.fetch_sub(1, std::memory_order_relaxed);           // orders nothing: a count
  return false;
}

// ---- guests -------------------------------------------------------------------------------------

worker& registry::enter() {
  const std::scoped_lock lock(mutex_);
  worker* place = nullptr;
  if (free_guests_.empty()) {
    free_guests_.reserve(owned_.size() - size_ + 1);  // so that leave() cannot throw
    place = &add_participant(true);
  } else {
    place = free_guests_.back();
    free_guests_.pop_back();
  }
  guests_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: settle() has the mutex too
  place->set_doing(activity::running);
  return *place;
}

void registry::leave(worker& guest) noexcept {
  // Tasks that a helped job spawned here must not wait for the next guest.
  for (job* left = nullptr; guest.pop(left);) {
    auto* task = static_cast<listed_job*>(left);
    inject(task, task);
  }
  guest.set_doing(activity::absent);
  {
    const std::scoped_lock lock(mutex_);
    free_guests_.push_back(&guest);
  }
  guests_.fetch_sub(1, std::memory_order_release);  // [leave]
  found_nothing();
}

// ---- looking and waking -------------------------------------------------------------------------

bool registry::has_work(const worker* who) const noexcept {
  if (!injector_.empty_hint()) return true;
  if (!who->is_guest() && !for_workers_.empty_hint()) return true;
  if (!who->inbox_empty()) return true;
  const std::size_t n = roster_size();
  for (std::size_t i = 0; i < n; ++i) {
    const worker& w = participant(i);
    if (w.size_hint() >= (&w == who ? 1 : settings_.steal_threshold)) return true;
  }
  return false;
}

void registry::ask_everybody() const noexcept {
  const std::size_t n = roster_size();
  for (std::size_t i = 0; i < n; ++i) participant(i).ask_for_branches();
}

bool registry::wake_one(worker* by, wanted whom) noexcept {
  const std::size_t n = whom == wanted::worker ? size_ : roster_size();
  const std::size_t start = by != nullptr ? by->random.bounded(static_cast<std::uint32_t>(n)) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    worker& w = participant((start + i) % n);
    if (&w != by && sleepers_.wake(w.bed())) {
      if (by != nullptr) by->tallies.wakes.add();
      return true;
    }
  }
  return false;
}

void registry::wake_all() noexcept {
  const std::size_t n = roster_size();
  for (std::size_t i = 0; i < n; ++i) (void)sleepers_.wake(participant(i).bed());
}

// ---- the rest -----------------------------------------------------------------------------------

void registry::report(std::exception_ptr error) noexcept {
  if (settings_.on_exception) {
    settings_.on_exception(std::move(error));  // one that throws ends in std::terminate
    return;
  }
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "filch: a task of pool '%s' that nobody waits for threw: %s\n",
                 settings_.name.c_str(), e.what());
  } catch (...) {
    std::fprintf(stderr,
                 "filch: a task of pool '%s' that nobody waits for threw something that is "
                 "not a std::exception\n",
                 settings_.name.c_str());
  }
  std::fprintf(stderr, "filch: set pool_options::on_exception to handle this, or use submit()\n");
  std::terminate();
}

std::vector<worker*> registry::participants() const {
  std::vector<worker*> all;
  const std::size_t n = roster_size();
  all.reserve(n);
  for (std::size_t i = 0; i < n; ++i) all.push_back(&participant(i));
  return all;
}

void registry::dump(std::ostream& out) const {
  std::uint64_t accepted = 0;
  const bool idle_now = settled(accepted);
  out << "pool '" << settings_.name << "': " << size_ << " workers, "
      << (has_outside_work() ? "injector not empty" : "injector empty") << ", "
      << sleepers_.count_hint() << " sleeping, "
      << (stopped()                      ? "stopped"
          : (accepted & closed_bit) != 0 ? "closed"
                                         : "open")
      << (idle_now ? ", idle" : ", tasks unfinished") << '\n';
  for (const worker* w : participants()) {
    if (w->is_guest() && w->doing() == activity::absent) continue;
    out << "  " << (w->is_guest() ? "guest " : "worker ") << w->index() << ": "
        << words_for(w->doing()) << ", " << w->size_hint(true) << " jobs in its deque, "
        << w->tallies.jobs.read() << " run, " << w->tallies.steals_taken.read() << " stolen";
    if (w->last_victim() != SIZE_MAX) out << ", last from " << w->last_victim();
    out << '\n';
  }
}

// ---- waiting ------------------------------------------------------------------------------------

namespace {

/// An outside thread's bed, for as long as the thread lives. Destructors of thread_local objects
/// may wait after this one is gone, which a plain bool can still tell them.
constinit thread_local bool bed_is_gone = false;

struct bed_of_thread {
  parker* bed = nullptr;
  bed_of_thread() = default;
  bed_of_thread(const bed_of_thread&) = delete;
  bed_of_thread& operator=(const bed_of_thread&) = delete;
  ~bed_of_thread() {
    bed_is_gone = true;
    if (bed != nullptr) return_parker(*bed);
  }
};

/// A parker, or null if there is no memory for one.
parker* try_to_borrow() noexcept {
  try {
    return &borrow_parker();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

/// Without a bed: looks again and again, with naps.
bool wait_without_bed(const latch& done, std::chrono::steady_clock::time_point deadline) noexcept {
  while (!done.probe()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool wait_in(parker& bed, latch& done, std::chrono::steady_clock::time_point deadline) noexcept {
  const bool for_ever = deadline == std::chrono::steady_clock::time_point::max();
  // Again and again, since a late call() that was meant for an earlier sleeper ends a sleep too.
  while (!done.probe()) {
    if (!for_ever && std::chrono::steady_clock::now() >= deadline) return false;
    bed.announce();
    if (done.try_sleep(bed)) {
      for_ever ? bed.sleep() : bed.sleep_until(deadline);
      done.stay_up(bed);
    }
    (void)bed.get_up();
  }
  return true;
}

}  // namespace

bool wait_for_until(latch& done, std::chrono::steady_clock::time_point deadline) noexcept {
  if (worker* w = worker::current()) return w->wait_until(done, deadline);
  if (done.probe()) return true;
  if (bed_is_gone) {
    parker* const borrowed = try_to_borrow();
    if (borrowed == nullptr) return wait_without_bed(done, deadline);
    const bool set = wait_in(*borrowed, done, deadline);
    return_parker(*borrowed);
    return set;
  }
  thread_local bed_of_thread mine;
  if (mine.bed == nullptr) mine.bed = try_to_borrow();
  if (mine.bed == nullptr) return wait_without_bed(done, deadline);
  return wait_in(*mine.bed, done, deadline);
}

void wait_for(latch& done) noexcept {
  (void)wait_for_until(done, std::chrono::steady_clock::time_point::max());
}

}  // namespace filch::detail
