// How a participant finds jobs, waits, and goes to sleep. README.md has the protocol and its proof.
#include "filch/detail/sched/worker.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <numeric>
#include <span>
#include <utility>

#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/sched/idle_spell.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"

namespace filch::detail {

namespace {

constexpr std::size_t injector_batch = 16;  // jobs taken from the injector in one turn
constexpr std::size_t most_at_once = 16;    // jobs taken from one victim in one go
constexpr std::uint32_t urgent_turn = 16;   // every so many times work of high priority waits
constexpr std::uint32_t low_turn = 8;       // every so many looks outside low priority goes first

// Deeper joins than this find room elsewhere, and keep their branches to themselves. A stack of
// 8 MiB is deeper only if a level takes less than 128 bytes of it.
constexpr std::size_t branch_slots = std::size_t{1} << 16;

// How long a thief waits for the owner to make branches public before it does so itself.
constexpr std::chrono::nanoseconds patience{500};

/// `newest` and those behind it by `next`, the other way round.
listed_job* reversed(listed_job* newest) noexcept {
  listed_job* turned = nullptr;
  while (newest != nullptr) {
    listed_job* const next = newest->next;
    newest->next = turned;
    turned = newest;
    newest = next;
  }
  return turned;
}

}  // namespace

worker::worker(registry& home, std::size_t index, place_kind kind, std::uint64_t seed)
    : random(seed),
      branch_memory_(branch_slots * sizeof(branch_slot)),
      sleepers_(home.sleeping()),
      urgent_(home.urgent()),
      home_(home),
      index_(index),
      kind_(kind),
      bed_(&borrow_parker()) {}

worker::~worker() { return_parker(*bed_); }

bool worker::wait_until(latch& done, clock::time_point deadline) noexcept {
  if (help_depth_ >= home_.settings().max_help_depth && wait_with_a_full_stack(done, deadline))
    return done.probe();
  const goal g{&done, deadline};
  ++help_depth_;
  // Once even if the time is over: a loop that polls gets on, though there be no other worker.
  if (deadline != clock::time_point::max() && !done.probe())
    if (const found_job j = find()) run(j);
  while (const found_job j = next_job(g)) run(j);
  --help_depth_;
  set_doing(activity::running);
  return done.probe();
}

/// Enough jobs are nested on this stack: from here on it runs only what its current job has spawned
/// itself, and else sleeps, while a spare worker does the rest. False if there is no spare: then to
/// help is better than to hang.
bool worker::wait_with_a_full_stack(latch& done, clock::time_point deadline) noexcept {
  while (!done.probe()) {
    if (static_cast<std::int64_t>(deque_.next_index() - first_of_job_) > 0)
      if (const found_job own = pop_own()) {
        run(own);
        continue;
      }
    if (!home_.begin_blocking(registry::without_spare::go_on)) return false;
    go_away();
    (void)wait_asleep(done, deadline);
    come_back();
    home_.end_blocking();
    break;
  }
  return true;
}

void worker::run_until_stopped() noexcept {
  const goal g{nullptr, clock::time_point::max()};
  while (const found_job j = next_job(g)) run(j);
  set_doing(activity::absent);
}

bool worker::reached(const goal& g) const noexcept {
  if (g.done == nullptr) return home_.stopped();
  if (g.done->probe()) return true;
  return g.deadline != clock::time_point::max() && clock::now() >= g.deadline;
}

/// The next job to run, or none when the goal is reached, or when a spare is not needed any more.
found_job worker::next_job(const goal& g) noexcept {
  idle_spell spell(random, home_.settings().spin);
  for (bool was_idle = false;; was_idle = true) {
    if (reached(g)) {
      if (was_idle)
        pass_on();  // the wake-up that came with the latch may have been meant for a job
      return {};
    }
    if (kind_ == place_kind::spare && g.done == nullptr && deque_.size_hint() == 0 &&
        home_.may_rest(*this)) {
      pass_on();
      return {};
    }
    if (const found_job j = find()) {
      if (was_idle) pass_on();  // first wake, then run: else ramping up takes as long as the jobs
      set_doing(activity::running);
      return j;
    }
    set_doing(activity::searching);
    home_.found_nothing();
    if (spell.keep_looking()) continue;
    // In a region it is of no use to the rest of the pool, and counts as blocked.
    const bool missed =
        region_ != no_region && !is_guest() && home_.begin_blocking(registry::without_spare::go_on);
    sleep(g);
    if (missed) home_.end_blocking();
    spell.restart();
  }
}

/// What is urgent first, then own jobs, newest first; then others', oldest first; then the
/// injectors, unless it is their turn.
found_job worker::find() noexcept {
  if (const found_job j = find_here()) return j;
  if (region_ != no_region) {  // whoever waits in a region takes only what belongs to it
    if (const found_job j = find_in_own_branches()) return j;
    return find_by_theft();
  }
  outside_in_deque_ = false;
  if (const found_job j = find_in_own_branches()) return j;
  if (const found_job j = find_by_theft()) return j;
  return {find_in_injector()};
}

found_job worker::find_here_or_outside() noexcept {
  if (region_ == no_region)
    if (const found_job j = find_outside_first()) return j;
  return pop_own();
}

/// What comes from outside is none of the waiting job's: it counts as help, and is bounded like it.
bool worker::run_outside_or_own() noexcept {
  if (region_ == no_region && help_depth_ < home_.settings().max_help_depth)
    if (const found_job j = find_outside_first()) {
      ++help_depth_;
      run(j);
      --help_depth_;
      return true;
    }
  const found_job own = pop_own();
  if (own) run(own);
  return static_cast<bool>(own);
}

found_job worker::pop_own() noexcept {
  if (region_ == no_region) return pop_any();
  queued newest{};
  const auto same = [this](const queued& q) { return q.mark == region_; };
  return deque_.pop_if(newest, same) ? found_job{newest.word, newest.mark} : found_job{};
}

/// The inbox, what is urgent, or what waits from outside if it is its turn. That may also lie below
/// local work in the own deque, where a pop does not get to it: so every other turn takes the
/// oldest there. If the newest comes from outside, nothing is kept waiting, and to take more would
/// be out of order.
found_job worker::find_outside_first() noexcept {
  if (!inbox_empty())
    if (job* j = find_in_inbox()) return {j};
  if (home_.has_urgent_work())
    if (job* j = find_urgent()) return {j};
  if (jobs_in_a_row_ < outside_turn) return {};
  jobs_in_a_row_ = 0;
  if (deque_.newest_is([](const queued& q) { return q.mark == from_outside; })) return {};
  if (queued q{}; outside_in_deque_ && std::exchange(oldest_next_, !oldest_next_) &&
                  deque_.steal(q) == steal_status::taken)
    return {q.word, region_of(q.mark)};
  return {find_in_injector()};
}

/// What a take left in the injector was out of sight for a moment: a sleeper may have missed it.
void worker::tell_of_outside_work(bool for_workers) noexcept {
  if (home_.has_outside_work() && sleepers_.any())
    (void)home_.wake_one(this, for_workers ? registry::wanted::worker : registry::wanted::anybody,
                         no_region);
}

/// In the order in which they came.
job* worker::find_in_inbox() noexcept {
  if (oldest_in_inbox_ == nullptr)
    oldest_in_inbox_ = reversed(inbox_.exchange(nullptr, std::memory_order_acquire));  // [inbox]
  listed_job* const first = oldest_in_inbox_;
  if (first != nullptr) oldest_in_inbox_ = first->next;
  return first;
}

/// One job of high priority. Not always, so that the rest gets on, too; and not counted among the
/// jobs in a row, so that the rest shares its part as it shares the whole.
job* worker::find_urgent() noexcept {
  if (++urgent_looks_ % urgent_turn == 0) return nullptr;
  job* const j = take_one(priority::high);
  if (j != nullptr) --jobs_in_a_row_;  // run() adds one
  return j;
}

/// One job, and none for the own deque, where it would no longer be late or early.
job* worker::take_one(priority level) noexcept {
  listed_job* const first = home_.take_outside(level, 1);
  if (first == nullptr) return nullptr;
  tallies.injector_takes.add();
  tell_of_outside_work(false);
  return first;
}

/// What was submitted and what was installed, in turn. Low priority comes last, but for every so
/// many looks.
job* worker::find_in_injector() noexcept {
  jobs_in_a_row_ = 0;
  if (++outside_looks_ % low_turn == 0)
    if (job* j = take_one(priority::low)) return j;
  const bool installed_first = std::exchange(installed_next_, !installed_next_);
  if (installed_first)
    if (job* j = find_installed()) return j;
  if (job* j = find_submitted()) return j;
  if (!installed_first)
    if (job* j = find_installed()) return j;
  if (job* j = take_one(priority::low)) return j;
  return take_one(priority::high);  // if it was left out
}

job* worker::find_installed() noexcept {
  listed_job* const first = is_guest() ? nullptr : home_.outside_for_workers().take(1);
  if (first == nullptr) return nullptr;
  tallies.injector_takes.add();
  tell_of_outside_work(true);
  return first;
}

/// One job of those of normal priority; more of them go into the own deque, for the others to
/// steal. Not if those would be too few to be stolen, and not into a guest's, who may leave.
job* worker::find_submitted() noexcept {
  const bool one = is_guest() || home_.settings().steal_threshold > 1;
  listed_job* const first = home_.take_outside(priority::normal, one ? 1 : injector_batch);
  if (first == nullptr) return nullptr;
  tallies.injector_takes.add();
  if (first->next == nullptr) {
    tell_of_outside_work(false);
    return first;
  }
  outside_in_deque_ = true;
  // The oldest last, so that it is the first to be popped.
  for (listed_job* rest = reversed(first->next); rest != nullptr;) {
    listed_job* const next = rest->next;
    tallies.injector_takes.add();
    try {
      push(rest, from_outside);
    } catch (const std::bad_alloc&) {
      home_.inject(rest);  // no room here: back to where it was
    }
    rest = next;
  }
  return first;
}

/// Branches of joins further down this stack, while something above them waits. The oldest first,
/// as for a thief: a join that finds its branch gone does not mind who took it.
found_job worker::find_in_own_branches() noexcept {
  if (!my_branches.has_work()) return {};
  branch_slot* taken = nullptr;
  if (region_ == no_region) {
    my_branches.expose_all();
    (void)my_branches.steal(taken);
  } else {
    (void)my_branches.steal_if(taken,
                               [this](const branch_slot& b) { return b.where() == region_; });
  }
  return found(taken);
}

found_job worker::found(branch_slot* taken) noexcept {
  return taken == nullptr ? found_job{} : found_job{taken, taken->where()};
}

/// One round over all other participants, in an order drawn anew: a random start and a random step
/// that is prime to their number visits each once. If nothing is to be had so, another round, in
/// which owners are asked for what they keep to themselves.
found_job worker::find_by_theft() noexcept {
  const std::size_t count = home_.roster_size();
  if (count < 2) return {};
  pacing_.wait();
  const auto n = static_cast<std::uint32_t>(count);
  const std::uint32_t start = random.bounded(n);
  std::uint32_t stride = 1 + random.bounded(n - 1);
  while (std::gcd(stride, n) != 1) stride = 1 + random.bounded(n - 1);
  using way = found_job (worker::*)(worker&);
  static constexpr way anything[] = {&worker::steal_what_is_public, &worker::ask_and_steal};
  static constexpr way of_region[] = {&worker::steal_of_region};
  for (const way steal : region_ == no_region ? std::span<const way>(anything) : of_region) {
    std::uint32_t at = start;
    for (std::uint32_t i = 0; i < n; ++i, at = (at + stride) % n) {
      worker& victim = home_.participant(at);
      if (&victim == this) continue;
      if (const found_job j = (this->*steal)(victim)) return j;
    }
  }
  return {};
}

found_job worker::steal_what_is_public(worker& victim) noexcept {
  if (victim.size_hint() < victim.least_to_steal()) {
    tallies.steals_empty.add();
    return {};
  }
  queued oldest{};
  steal_status status = victim.deque_.steal(oldest);
  if (status == steal_status::taken)
    return taken_from(victim, {oldest.word, region_of(oldest.mark)}, 1 + steal_more(victim));
  branch_slot* slot = nullptr;
  if (status == steal_status::empty)
    victim.visit_branches(false, [&](branch_stack& b) { status = b.steal(slot); });
  if (status == steal_status::taken) return taken_from(victim, found(slot), 1);
  (status == steal_status::lost ? tallies.steals_lost : tallies.steals_empty).add();
  return {};
}

/// One has been taken. Of a long deque others are taken along, fewer than a fair share of what is
/// there, so that small tasks are worth the way. Not by a guest, who may leave.
std::size_t worker::steal_more(worker& victim) noexcept {
  if (is_guest()) return 0;
  const std::size_t fair = victim.deque_.size_hint() / (2 * home_.size());
  std::array<queued, most_at_once - 1> more;
  std::size_t count = 0;
  try {
    deque_.reserve(std::min(fair, more.size()));
    while (count < std::min(fair, more.size()) && victim.size_hint() >= victim.least_to_steal() &&
           victim.deque_.steal(more[count]) == steal_status::taken)
      ++count;
  } catch (const std::bad_alloc&) {
    return 0;
  }
  for (std::size_t left = count; left > 0; --left) {  // the oldest is popped first
    const queued& q = more[left - 1];
    push(q.word, q.mark);
    if (q.mark == from_outside) outside_in_deque_ = true;
  }
  return count;
}

/// Nothing is public. The owner is asked, and given a little time; if it does not answer, it is
/// busy with something long, and will not mind the disturbance.
found_job worker::ask_and_steal(worker& victim) noexcept {
  if (victim.size_hint() < victim.least_to_steal()) {
    victim.ask_for_branches();  // for the next one it pushes
    return {};
  }
  branch_slot* slot = nullptr;
  victim.visit_branches(false, [&](branch_stack& b) {
    if (!b.has_work()) return;
    b.ask();
    const auto end = clock::now() + patience;
    while (!b.has_public() && b.asked() && clock::now() < end) cpu_relax();
    if (b.steal(slot) == steal_status::empty && b.expose_for_owner()) (void)b.steal(slot);
  });
  return slot == nullptr ? found_job{} : taken_from(victim, found(slot), 1);
}

/// The oldest of the deque or of the branches, if it belongs to this worker's region.
found_job worker::steal_of_region(worker& victim) noexcept {
  if (victim.size_hint() < victim.least_to_steal()) {
    tallies.steals_empty.add();
    return {};
  }
  queued oldest{};
  const auto same = [this](const queued& q) { return q.mark == region_; };
  if (victim.deque_.steal_if(oldest, same) == steal_status::taken)
    return taken_from(victim, {oldest.word, oldest.mark}, 1);
  branch_slot* slot = nullptr;
  victim.visit_branches(false, [&](branch_stack& b) {
    if (const branch_slot* const first = b.oldest_hint(); first && first->where() == region_)
      (void)b.steal_if(slot, [this](const branch_slot& s) { return s.where() == region_; });
  });
  if (slot != nullptr) return taken_from(victim, found(slot), 1);
  tallies.steals_empty.add();
  return {};
}

found_job worker::taken_from(worker& victim, found_job j, std::size_t count) noexcept {
  pacing_.took(count);
  tallies.steals_taken.add(count);
  last_victim_.store(victim.index(), std::memory_order_relaxed);  // orders nothing: a hint
  return j;
}

bool worker::has_work_for_thief(region r) noexcept {
  if (size_hint() < least_to_steal()) return false;
  if (r == no_region) return true;
  bool some = false;
  queued oldest{};
  (void)deque_.steal_if(oldest, [&](const queued& q) {
    some = q.mark == r;
    return false;
  });
  visit_branches(false, [&](const branch_stack& b) {
    const branch_slot* const first = b.oldest_hint();
    if (first != nullptr && first->where() == r) some = true;
  });
  return some;
}

bool worker::has_own_work() noexcept {
  if (region_ == no_region) return !inbox_empty() || size_hint() != 0;
  const branch_slot* const oldest = my_branches.oldest_hint();
  return (oldest != nullptr && oldest->where() == region_) ||
         deque_.newest_is([this](const queued& q) { return q.mark == region_; });
}

std::size_t worker::least_to_steal() const noexcept {
  return away_.load(std::memory_order_seq_cst) != 0 ? 1 : home_.settings().steal_threshold;
}

void worker::go_away() noexcept {
  away_.fetch_add(1, std::memory_order_seq_cst);  // P1, for its jobs below the threshold
  set_doing(activity::blocked);
  if (home_.settings().steal_threshold > 1) pass_on();  // P2, P3, P4
}

void worker::come_back() noexcept {
  away_.fetch_sub(1, std::memory_order_seq_cst);
  set_doing(activity::running);
}

std::size_t worker::size_hint(bool outsider) const noexcept {
  std::size_t size = deque_.size_hint();
  visit_branches(outsider, [&](const branch_stack& b) { size += b.size_hint(); });
  return size;
}

void worker::ask_for_branches() noexcept {
  visit_branches(false, [](branch_stack& b) { b.ask(); });
}

// ---- isolation ----------------------------------------------------------------------------------

region worker::enter_region(region r) noexcept {
  const region outer = std::exchange(region_, r);
  my_branches.hear_all(true);
  tag_next_branch();
  return outer;
}

void worker::end_region(region outer) noexcept {
  deque_.change_newest([&](queued& q) {
    if (q.mark != region_) return false;
    q.mark = outer;
    return true;
  });
  leave_region(outer);
}

void worker::leave_region(region outer) noexcept {
  region_ = outer;
  for (branch_slot* h = my_branches.next(); h < tagged_end_; ++h) h->set_region(outer);
  if (outer != no_region) return;
  tagged_end_ = nullptr;
  my_branches.hear_all(false);
}

void worker::run_in_region(found_job j) noexcept {
  const region outer = enter_region(j.where);
  j.what->run();
  leave_region(outer);
}

/// A slot has its region before the push that makes it visible, so that no thief can be mistaken:
/// the next one to be pushed has it already.
void worker::tag_next_branch() noexcept {
  branch_slot* const next = my_branches.next();
  if (!my_branches.shares(next)) return;
  next->set_region(region_);
  if (tagged_end_ == nullptr || tagged_end_ <= next) tagged_end_ = next + 1;
}

void worker::clear_before_leaving() noexcept {
  while (const found_job j = pop_any()) {
    if (j.where == no_region)
      home_.inject(static_cast<listed_job*>(j.what));
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
  sleepers_.announce(*bed_, [&] { home_.ask_everybody(); });  // S1, S2
  const bool waits = g.done != nullptr;
  const bool set = waits && !g.done->try_sleep(*bed_);
  const bool stopping = !waits && home_.stopped();
  if (!set && !stopping && !home_.has_work(*this)) {  // S3
    set_doing(activity::sleeping);
    tallies.sleeps.add();
    if (g.deadline == clock::time_point::max())
      bed_->sleep();  // S4
    else
      bed_->sleep_until(g.deadline);
    set_doing(activity::searching);
  }
  if (waits && !set) g.done->stay_up(*bed_);
  sleepers_.get_up(*bed_);  // S5
}

void worker::wake_another(region where) noexcept {
  (void)home_.wake_one(this, registry::wanted::anybody, where);
}

/// After a while without work: if there is some, somebody who sleeps may be needed for it. A
/// wake-up that was used up by this worker goes on to the next.
void worker::pass_on() noexcept {
  if (sleepers_.any()) home_.wake_one_who_can_help(*this);
}

void worker::put_in_inbox(listed_job* j) noexcept {
  listed_job* below = inbox_.load(std::memory_order_relaxed);  // orders nothing: retried below
  do {
    j->next = below;
  } while (!inbox_.compare_exchange_weak(below, j, std::memory_order_release,  // [inbox]
                                         std::memory_order_relaxed));  // orders nothing: retried
}

}  // namespace filch::detail
