// How a participant waits, runs jobs, and goes to sleep. sleep_and_wake.md has the protocol and its
// proof.
#include "filch/detail/sched/worker.hpp"

#include <chrono>
#include <utility>

#include "filch/detail/sched/idle_spell.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "filch/detail/sched/waiting.hpp"

namespace filch::detail {

namespace {

// Joins that are nested deeper than this use slots elsewhere, which thieves do not see. A thread
// stack of 8 MiB is deeper only if a level takes less than 128 bytes of it.
constexpr std::size_t branch_slots = std::size_t{1} << 16;

}  // namespace

worker::worker(registry& home, std::size_t index, participant_kind kind, std::uint64_t seed)
    : random(seed),
      branch_memory_(branch_slots * sizeof(branch_slot)),
      sleepers_(home.wakes().sleeping()),
      urgent_(home.queues().urgent()),
      home_(home),
      index_(index),
      kind_(kind) {}

worker::~worker() = default;

bool worker::wait_until(latch& done, clock::time_point deadline, awaited_task* what) noexcept {
  const goal g{&done, deadline};
  const counted_wait here(*this);
  if (stack_is_full() && wait_with_a_full_stack(g, what)) return done.probe();
  ++help_depth_;
  // Once even if the time is over: so a loop that polls goes on, even without another worker.
  if (deadline != clock::time_point::max() && !done.probe()) {
    if (const found_job j = find())
      run(j);
    else if (region_ != no_region)
      (void)nap(done, without_spare::block);
  }
  ticks before = 0;
  while (const found_job j = next_job(g)) run_next(j, before);
  --help_depth_;
  set_doing(activity::running);
  return done.probe();
}

bool worker::stack_is_full() const noexcept {
  return help_depth_ >= home_.settings().max_help_depth;
}

/// Enough jobs are nested on this stack. From here on the waiter runs only the task that it waits
/// for, if no thread has begun that, and what was spawned here after the wait began. Else it
/// sleeps, while a spare does the rest. False if there is no spare, or none any more: then it is
/// better to help than to hang. src/sched/blocked_workers.md says more.
bool worker::wait_with_a_full_stack(const goal& g, awaited_task* what) noexcept {
  const std::uint64_t first = deque_.next_index();
  // The task runs in its own region, which is this one. The finder of its entry counts it among the
  // jobs that it ran.
  if (what != nullptr && !g.done->probe() &&
      what->run_unless_begun(awaited_task::place_of(&home_, region_)))
    return true;
  if (reached(g)) return g.done->probe() || nap(*g.done, without_spare::go_on);
  while (!reached(g)) {
    if (const found_job own = pop_pushed_since(first)) {
      run(own);
      continue;
    }
    if (!sleep_in_reserve(g)) return false;
  }
  return true;
}

/// Sleeps as a standby. True after a sleep, which may have ended for no reason. False if this
/// worker is needed.
bool worker::sleep_in_reserve(const goal& g) noexcept {
  spare_threads::standby me{.who = *this, .counts = is_away() ? 0u : 1u};
  parker& bed = *reserve_bed_;
  bed.announce();  // before it is entered: whoever recalls it finds it asleep
  const bool may_sleep = home_.spares().begin_standby(me);
  bool recalled = false;
  if (may_sleep) {
    go_away();
    set_blocked(true);
    if (g.done->try_sleep(bed)) {
      bed.sleep_until(g.deadline);
      g.done->stay_up(bed);
    }
    set_blocked(false);
    come_back();
    recalled = home_.spares().end_standby(me);
  }
  (void)bed.get_up();
  return may_sleep && !recalled;
}

/// The time of a wait is over, and there was no job that may run here. A caller that polls would
/// keep the pool's only worker from all other work: so a spare stands in for a moment. False if
/// there is none, and the caller prefers to go on.
bool worker::nap(latch& done, without_spare choice) noexcept {
  if (!begin_absence(choice)) return false;
  set_blocked(true);
  (void)wait_asleep(done, clock::now() + std::chrono::milliseconds(1));
  set_blocked(false);
  end_absence();
  return true;
}

/// It takes nothing from outside: that would be one more unrelated job on this stack.
found_job worker::pop_pushed_since(std::uint64_t first) noexcept {
  if (static_cast<std::int64_t>(deque_.next_index() - first) <= 0) return {};
  return pop_own();
}

void worker::run_newest(std::uint64_t first, const std::int64_t& left) noexcept {
  ticks before = 0;
  while (left > 0) {
    if (distracted()) [[unlikely]] {  // always so in a region
      if (!run_newest_or_other(first)) return;
      continue;
    }
    queued newest;  // NOLINT(*-member-init): filled by what comes next
    if (!deque_.pop_since(first, newest)) return;
    if (newest.mark != no_region) [[unlikely]] {
      if (!run_marked(newest)) return;
      continue;
    }
    tallies.jobs.add();
    if (tracing_now() != not_tracing) [[unlikely]]
      before = run_traced({newest.word, no_region}, before);
    else
      newest.word->run();
  }
}

/// One step of run_newest() where the newest job may not be the next one, or may not run here.
/// False if there is no more to do.
bool worker::run_newest_or_other(std::uint64_t first) noexcept {
  if (static_cast<std::int64_t>(deque_.next_index() - first) <= 0) return false;
  if (help_outside()) return true;
  queued newest;  // NOLINT(*-member-init): filled by what comes next
  return pop_own(newest) && run_marked(newest);
}

bool worker::run_marked(queued newest) noexcept {
  if ((newest.mark & submitted) != 0) return run_as_help(newest);
  run({newest.word, newest.mark});
  return true;
}

/// A job that lies above a scope's tasks, but is not one of them: the tasks, or jobs that they
/// helped with, submitted it. If the stack is full, it stays where it was.
bool worker::run_as_help(queued newest) noexcept {
  if (stack_is_full()) {
    push(newest.word, newest.mark);  // into the place that it has just left: it cannot throw
    return false;
  }
  ++help_depth_;
  run({newest.word, region_of(newest.mark)});
  --help_depth_;
  return true;
}

/// Runs a job that is urgent, or waits outside. It is not one of the scope's tasks, either.
bool worker::help_outside() noexcept {
  if (region_ != no_region || stack_is_full()) return false;
  const found_job j = find_outside_first();
  if (!j) return false;
  ++help_depth_;
  run(j);
  --help_depth_;
  return true;
}

/// The job itself may end the trace, or begin another one.
ticks worker::run_traced(found_job j, ticks before) noexcept {
  const std::uint32_t session = tracing_now();
  const bool recorded = trace_job_begins(session, *this, before);
  run_where_it_belongs(j);
  return recorded ? trace_job_ends(session) : 0;
}

void worker::run_until_stopped() noexcept {
  const goal g{nullptr, clock::time_point::max()};
  // A new worker sleeps first. Searching first would make n new workers try to steal from n victims
  // each, again and again.
  const bool is_new = tallies.jobs.read() == 0 && kind_ == participant_kind::worker;
  if (is_new) sleep(g);
  set_doing(activity::running);
  tallies.busy.start();
  home_.observed().participant_is_awake();
  ticks before = 0;
  for (found_job j = next_job(g, is_new); j; j = next_job(g)) run_next(j, before);
  tallies.busy.stop();
  set_doing(activity::absent);
}

bool worker::reached(const goal& g) const noexcept {
  if (g.done == nullptr) return home_.stopped();
  if (g.done->probe()) return true;
  return g.deadline != clock::time_point::max() && clock::now() >= g.deadline;
}

/// The next job to run; none when the goal is reached, or when a spare is not needed any more.
found_job worker::next_job(const goal& g, bool slept) noexcept {
  idle_spell spell(
      random, home_.settings().spin,
      home_.settings().idle == idle::latency ? idle_spell::short_pauses : backoff_params{});
  // What ends a pause early. Looking disturbs no thread: both words are written only then.
  const auto news = [&] {
    return (watched_ != nullptr && watched_->has_public_branch()) ||
           (g.done != nullptr && g.done->probe());
  };
  // An idle spell that ends at once is not worth two readings of the clock.
  constexpr int worth_timing = 3;
  bool timed = false;
  const auto is_idle = [&] {
    if (std::exchange(timed, true)) return;
    tallies.busy.stop();
    if (is_guest() && tracing_now() != not_tracing) trace_idle_begins(*this);
  };
  const auto is_busy = [&] {
    if (timed) tallies.busy.start();
    if (is_guest() && tracing_now() != not_tracing) trace_idle_ends(*this);
  };
  for (int rounds = slept ? 1 : 0;;) {
    const bool was_idle = rounds != 0;
    if (reached(g)) {
      if (was_idle) {
        is_busy();
        pass_on();  // the wake-up that came with the latch may have been meant for a job
      }
      return {};
    }
    if (kind_ == participant_kind::spare && g.done == nullptr && deque_.size_hint() == 0 &&
        home_.spares().may_rest(*this)) {
      pass_on();
      return {};
    }
    if (const found_job j = find()) {
      if (was_idle) {
        is_busy();
        pass_on();  // first wake, then run: else ramping up takes as long as the jobs
      }
      set_doing(activity::running);
      return j;
    }
    set_doing(activity::searching);
    if (!was_idle && tracing_now() != not_tracing) trace_search();
    if (rounds < worth_timing && ++rounds == worth_timing) is_idle();
    home_.found_nothing();
    if (spell.keep_looking(news)) continue;
    is_idle();
    // A thread that waits in a region runs no job of the rest of the pool, not even from its deque.
    const bool absent = region_ != no_region && begin_absence(without_spare::block);
    sleep(g);
    if (absent) end_absence();
    spell.restart();
  }
}

/// Does `is` hold for the oldest job of the deque? Any participant.
template <class Is>
bool worker::oldest_is(Is is) noexcept {
  bool holds = false;
  queued oldest{};
  (void)deque_.steal_if(oldest, [&](const queued& q) {
    holds = is(q);
    return false;
  });
  return holds;
}

bool worker::has_work_for_thief(region r) noexcept {
  if (size_hint() < least_to_steal()) return false;
  if (r == no_region) return true;
  bool some = oldest_is([r](const queued& q) { return region_of(q.mark) == r; });
  visit_branches(false, [&](const branch_stack& b) {
    const branch_slot* const first = b.oldest_hint();
    if (first != nullptr && first->where() == r) some = true;
  });
  return some;
}

bool worker::has_own_work() noexcept {
  if (region_ == no_region) return !inbox_empty() || size_hint() != 0;
  const branch_slot* const oldest = my_branches.oldest_hint();
  const auto same = [this](const queued& q) { return region_of(q.mark) == region_; };
  return (oldest != nullptr && oldest->where() == region_) || deque_.newest_is(same) ||
         oldest_is(same);
}

std::size_t worker::least_to_steal() const noexcept {
  return away_.load(std::memory_order_seq_cst) != 0 ? 1 : home_.settings().steal_threshold;
}

bool worker::begin_absence(without_spare choice) noexcept {
  const bool may = is_guest() ? choice == without_spare::block
                              : home_.spares().begin_blocking(choice, is_away());
  if (may) go_away();
  return may;
}

void worker::end_absence() noexcept {
  come_back();
  if (!is_guest() && !is_away()) home_.spares().end_blocking();
}

void worker::go_away() noexcept {
  away_.fetch_add(1, std::memory_order_seq_cst);        // P1, for its jobs below the threshold
  if (home_.settings().steal_threshold > 1) pass_on();  // P2, P3, P4
}

void worker::set_blocked(bool blocked) noexcept {
  set_doing(blocked ? activity::blocked : activity::running);
  blocked ? tallies.busy.stop() : tallies.busy.start();
}

void worker::come_back() noexcept { away_.fetch_sub(1, std::memory_order_seq_cst); }

std::size_t worker::size_hint(bool outsider) const noexcept {
  std::size_t size = deque_.size_hint();
  visit_branches(outsider, [&](const branch_stack& b) { size += b.size_hint(); });
  return size;
}

void worker::ask_for_branches() noexcept {
  visit_branches(false, [](branch_stack& b) { b.ask(); });
}

bool worker::has_public_branch() const noexcept {
  bool some = false;
  visit_branches(false, [&](const branch_stack& b) { some = b.has_public(); });
  return some;
}

// ---- isolation ----------------------------------------------------------------------------------

region worker::enter_region(region r) noexcept {
  const region outer = std::exchange(region_, r);
  look_at_ = 0;
  my_branches.hear_all(true);
  tag_next_branch();
  return outer;
}

void worker::end_region(region outer) noexcept {
  deque_.change_newest([&](queued& q) {
    if (region_of(q.mark) != region_) return false;
    q.mark = outer | (q.mark & from_outside);
    return true;
  });
  leave_region(outer);
}

void worker::leave_region(region outer) noexcept {
  region_ = outer;
  if (branch_slot* h = my_branches.next(); my_branches.shares(h))
    for (; h < tagged_end_; ++h) h->set_region(outer);
  if (outer != no_region) return;
  tagged_end_ = nullptr;
  my_branches.hear_all(false);
}

void worker::run_in_region(found_job j) noexcept {
  const std::uint64_t look_at = look_at_;
  const std::uint64_t jobs = tallies.jobs.read();
  const region outer = enter_region(j.where);
  j.what->run();
  outer == no_region ? leave_region(outer) : end_region(outer);
  if (outer == no_region) look_at_ = look_at + (tallies.jobs.read() - jobs);
}

/// A slot gets its region before the push that makes it visible, so that no thief can read a wrong
/// one: the next slot to be pushed has it already.
void worker::tag_next_branch() noexcept {
  branch_slot* const next = my_branches.next();
  if (!my_branches.shares(next)) return;
  next->set_region(region_);
  if (tagged_end_ == nullptr || tagged_end_ <= next) tagged_end_ = next + 1;
}

void worker::clear_before_leaving() noexcept {
  while (const found_job j = pop_any()) {
    if (j.where == no_region)
      home_.accepts().inject(static_cast<listed_job*>(j.what));
    else
      run(j);
  }
}

// ---- branches -----------------------------------------------------------------------------------

void worker::open_branches(bool for_one_join) noexcept {
  auto* const base = static_cast<branch_slot*>(branch_memory_.start());
  my_branches.open(base, base + branch_slots - 1, !asymmetric_fences_available(), for_one_join);
  branches_.store(&my_branches, std::memory_order_seq_cst);  // [visit]
}

void worker::begin_one_join(std::shared_ptr<registry> host) noexcept {
  host_ = std::move(host);
  open_branches(true);
}

std::shared_ptr<registry> worker::end_one_join() noexcept {
  close_branches();
  in_last_branch_ = false;
  return std::move(host_);
}

void worker::hide_branches() noexcept {
  branches_.store(nullptr, std::memory_order_seq_cst);  // [visit]
}

void worker::close_branches() noexcept {
  hide_branches();
  while (visitors_.load(std::memory_order_seq_cst) != 0) yield();  // [visit]
  my_branches.close();
}

/// P1, P2 and a first P3 were my_branches.push().
void worker::answer_thieves(branch_slot* h) noexcept {
  const bool some = my_branches.answer(h);
  if (region_ != no_region) tag_next_branch();
  if (!sleepers_.any()) return;                        // P2, P3
  if (some) wake_another(region_);                     // P4
  if (sleepers_.count_hint() != 0) my_branches.ask();  // for those who still sleep
}

/// S1 to S5.
void worker::sleep(const goal& g) noexcept {
  sleeps_in_.store(region_, std::memory_order_relaxed);  // orders nothing: the announcement does
  // Until the pool has its first work, no participant has anything to take or to be asked for. So n
  // new workers do not look at n participants each.
  bool asked = false;
  sleepers_.announce(*bed_, [&] {  // S1, S2
    asked = home_.has_had_work();
    if (asked) ask_everybody();
  });
  const bool waits = g.done != nullptr;
  const bool set = waits && !g.done->try_sleep(*bed_);
  const bool stopping = !waits && home_.stopped();
  const bool nothing = asked ? !has_work_anywhere() : !home_.has_had_work();  // S3
  if (!set && !stopping && nothing) lie_down(g.deadline);                     // S4
  if (waits && !set) g.done->stay_up(*bed_);
  sleepers_.get_up(*bed_);  // S5
}

/// S4.
void worker::lie_down(clock::time_point deadline) noexcept {
  tallies.sleeps.add();  // first: whoever sees it asleep finds it counted
  set_doing(activity::sleeping);
  tallies.asleep.start();
  if (tracing_now() != not_tracing) trace_sleep_begins(*this);
  if (deadline == clock::time_point::max())
    bed_->sleep();
  else
    bed_->sleep_until(deadline);
  tallies.asleep.stop();
  set_doing(activity::searching);
  home_.observed().participant_is_awake();
  if (tracing_now() != not_tracing) trace_sleep_ends(*this);
}

void worker::wake_another(region where) noexcept {
  (void)home_.wakes().wake_one(this, waker::wanted::anybody, where);
}

/// Called after an idle spell: if there is more work, a sleeper may be needed for it. So a wake-up
/// that this participant used up goes on to the next sleeper.
void worker::pass_on() noexcept {
  if (sleepers_.any()) wake_one_that_can_help();
}

void worker::wake_one_that_can_help() noexcept {
  waker& wakes = home_.wakes();
  if (home_.queues().has_work() && wakes.wake_one(this, waker::wanted::worker, no_region)) return;
  const roster& all = home_.participants();
  const std::size_t n = all.size();
  bool some = false;
  for (std::size_t i = 0; i < n && !some; ++i) some = all[i].has_work_for_thief(no_region);
  for (std::size_t i = 0; i < n && some; ++i) {
    worker& w = all[i];
    if (&w == this) continue;
    const region where = w.sleeps_in();
    if ((where == no_region || w.others_have_work(where)) && wakes.wake(w, this)) return;
  }
}

/// Asks every participant for branches: S1.
void worker::ask_everybody() noexcept {
  tallies.rounds.add();
  const roster& all = home_.participants();
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n; ++i) all[i].ask_for_branches();
}

bool worker::has_work_anywhere() noexcept {
  tallies.rounds.add();
  if (region_ == no_region) {
    if (home_.queues().has_work_for_anybody()) return true;
    if (!is_guest() && home_.queues().has_work_for_workers()) return true;
  }
  return has_own_work() || others_have_work(region_);
}

bool worker::others_have_work(region where) const noexcept {
  const roster& all = home_.participants();
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n; ++i)
    if (worker& w = all[i]; &w != this && w.has_work_for_thief(where)) return true;
  return false;
}

void worker::put_in_inbox(listed_job* j) noexcept {
  listed_job* below = inbox_.load(std::memory_order_relaxed);  // orders nothing: retried below
  do {
    j->next = below;
  } while (!inbox_.compare_exchange_weak(below, j, std::memory_order_release,  // [inbox]
                                         std::memory_order_relaxed));  // orders nothing: retried
}

}  // namespace filch::detail
