// How a participant finds its next job: its own, another participant's, or one from outside.
#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <numeric>
#include <span>
#include <utility>

#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

constexpr std::size_t injector_batch = 16;  // jobs taken from the injector in one turn
constexpr std::size_t most_at_once = 16;    // jobs taken from one victim in one go
constexpr std::uint32_t urgent_turn = 16;   // every so many times work of high priority waits
constexpr std::uint32_t low_turn = 8;       // every so many looks outside low priority goes first

// How long a thief waits for the owner to make branches public before it does so itself.
constexpr std::chrono::nanoseconds patience{500};

/// Reverses the list that begins with `newest` and is linked by `next`.
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

/// Urgent jobs first; then its own jobs, newest first; then those of others, oldest first; then the
/// injectors, unless they have their turn before.
found_job worker::find() noexcept {
  if (const found_job j = find_here()) return j;
  if (region_ != no_region) {  // a thread that waits in a region takes only what belongs to it
    if (const found_job j = find_in_own_branches()) return j;
    if (const found_job j = find_oldest_of_region()) return j;
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

/// The oldest job of its own deque, if it belongs to the region. Newer jobs of an inner region may
/// lie above it.
found_job worker::find_oldest_of_region() noexcept {
  queued oldest{};
  const auto same = [this](const queued& q) { return region_of(q.tag) == region_; };
  if (deque_.steal_if(oldest, same) != steal_status::taken) return {};
  return {oldest.word, region_};
}

bool worker::pop_of_region(queued& newest) noexcept {
  look_at_ = 0;
  return deque_.pop_if(newest, [this](const queued& q) { return region_of(q.tag) == region_; });
}

/// A job of the inbox, an urgent job, or, if it is their turn, a job from outside. Such a job may
/// also lie below local jobs in the deque, where a pop does not reach it: so every other turn takes
/// the oldest job of the deque. If the newest job of the deque comes from outside, the turn is
/// skipped: no outside job is kept waiting, and taking more would be out of order.
found_job worker::find_outside_first() noexcept {
  if (!inbox_empty())
    if (job* j = find_in_inbox()) return {j};
  if (home_.queues().has_urgent_work())
    if (job* j = find_urgent()) return {j};
  if (tallies.jobs.read() < look_at_) return {};
  look_after(outside_turn);
  // Jobs that a stolen job of a region has left here go first, too: a thread that waits in the
  // region may not reach them, and a job from outside may wait for what that thread holds.
  const auto goes_first = [](const queued& q) {
    return q.tag == from_outside || region_of(q.tag) != no_region;
  };
  if (deque_.newest_is(goes_first)) return {};
  if (queued q{}; outside_in_deque_ && std::exchange(oldest_next_, !oldest_next_) &&
                  deque_.steal(q) == steal_status::taken)
    return {q.word, region_of(q.tag)};
  return {find_in_injector()};
}

/// Jobs that a take left in the injector were out of sight for a moment: a sleeper may have missed
/// them.
void worker::tell_of_outside_work(bool for_workers) noexcept {
  if (home_.queues().has_work() && sleepers_.any())
    (void)home_.wakes().wake_one(this, for_workers ? waker::wanted::worker : waker::wanted::anybody,
                                 no_region);
}

/// Jobs of the inbox, in the order in which they came.
job* worker::find_in_inbox() noexcept {
  if (oldest_in_inbox_ == nullptr)
    oldest_in_inbox_ = reversed(inbox_.exchange(nullptr, std::memory_order_acquire));  // [inbox]
  listed_job* const first = oldest_in_inbox_;
  if (first != nullptr) oldest_in_inbox_ = first->next;
  if (oldest_in_inbox_ != nullptr) look_at_ = 0;
  return first;
}

/// One job of high priority. Not every time, so that other work goes on too. It is not counted
/// among the jobs until the next look outside, so that other work is shared as it is without urgent
/// jobs.
job* worker::find_urgent() noexcept {
  if (++urgent_looks_ % urgent_turn == 0) return nullptr;
  job* const j = take_one(priority::high);
  if (j != nullptr) ++look_at_;  // run() counts it
  return j;
}

/// Takes one job, and none for the deque, where jobs of a priority would lose it.
job* worker::take_one(priority level) noexcept {
  listed_job* const first = home_.queues().take(level, 1);
  if (first == nullptr) return nullptr;
  tallies.injector_takes.add();
  tell_of_outside_work(false);
  return first;
}

/// Submitted and installed jobs, in turn. Low priority comes last, except in every eighth look
/// (`low_turn`).
job* worker::find_in_injector() noexcept {
  look_after(outside_turn);
  if (!home_.queues().has_work()) {  // the usual case; turns go on
    ++outside_looks_;
    installed_next_ = !installed_next_;
    return nullptr;
  }
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
  listed_job* const first = is_guest() ? nullptr : home_.queues().take_for_worker();
  if (first == nullptr) return nullptr;
  tallies.injector_takes.add();
  tell_of_outside_work(true);
  return first;
}

/// One job of normal priority. It puts more of them into its deque, for others to steal; but not if
/// there is a steal_threshold, below which others would not steal them, and not into the deque of a
/// guest, which may leave.
job* worker::find_submitted() noexcept {
  const bool one = is_guest() || home_.settings().steal_threshold > 1;
  listed_job* const first = home_.queues().take(priority::normal, one ? 1 : injector_batch);
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
      home_.accepts().inject(rest);  // no room here: back to where it was
    }
    rest = next;
  }
  return first;
}

/// Branches of joins further down this thread's stack, while a wait lies above them. The oldest
/// first, as for a thief: a join that finds its branch taken need not know by whom.
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

/// One round over all other participants, in an order that is drawn anew: a random start, and a
/// random step that is prime to their number, visit each of them once. If the round finds nothing,
/// a second round asks owners for their private branches.
found_job worker::find_by_theft() noexcept {
  const std::size_t count = home_.participants().size();
  asked_victim_ = nullptr;
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
      worker& victim = home_.participants()[at];
      if (&victim == this) continue;
      if (const found_job j = (this->*steal)(victim)) return j;
    }
  }
  return {};
}

found_job worker::steal_what_is_public(worker& victim) noexcept {
  if (victim.size_hint() < victim.least_to_steal()) {
    steal_failed(steal_status::empty);
    return {};
  }
  queued oldest{};
  steal_status status = victim.deque_.steal(oldest);
  if (status == steal_status::taken)
    return taken_from(victim, {oldest.word, region_of(oldest.tag)}, 1 + steal_more(victim));
  branch_slot* slot = nullptr;
  if (status == steal_status::empty)
    victim.visit_branches(false, [&](branch_stack& b) {
      status = b.steal(slot);
      // Asks for the next one now: when this one is done, the owner may be busy with a long job.
      if (status == steal_status::taken && !b.has_public()) b.ask();
    });
  if (status == steal_status::taken) return taken_from(victim, found(slot), 1);
  steal_failed(status);
  return {};
}

/// One job has been taken. From a long deque the thief takes more of them, fewer than a fair share
/// of what is there, so that small tasks are worth the steal. A guest does not: it may leave.
std::size_t worker::steal_more(worker& victim) noexcept {
  if (is_guest()) return 0;
  const std::size_t fair = victim.deque_.size_hint() / (2 * home_.size());
  // Jobs of a region stay where the threads that wait in it look.
  const auto anybodys = [](const queued& q) { return region_of(q.tag) == no_region; };
  std::array<queued, most_at_once - 1> more;
  std::size_t count = 0;
  try {
    deque_.reserve(std::min(fair, more.size()));
    while (count < std::min(fair, more.size()) && victim.size_hint() >= victim.least_to_steal() &&
           victim.deque_.steal_if(more[count], anybodys) == steal_status::taken)
      ++count;
  } catch (const std::bad_alloc&) {
    return 0;
  }
  for (std::size_t left = count; left > 0; --left) {  // the oldest is popped first
    const queued& q = more[left - 1];
    push(q.word, q.tag);
    if (q.tag == from_outside) outside_in_deque_ = true;
  }
  return count;
}

/// Nothing is public. The thief asks the owner, and gives it a little time. If the owner does not
/// answer, it is busy with something long, and an interruption costs it little: the thief then
/// makes branches public itself.
found_job worker::ask_and_steal(worker& victim) noexcept {
  if (victim.size_hint() < victim.least_to_steal()) {
    victim.ask_for_branches();  // for the next one it pushes
    if (!victim.has_public_branch()) asked_victim_ = &victim;
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
    steal_failed(steal_status::empty);
    return {};
  }
  queued oldest{};
  const auto same = [this](const queued& q) { return region_of(q.tag) == region_; };
  if (victim.deque_.steal_if(oldest, same) == steal_status::taken)
    return taken_from(victim, {oldest.word, region_}, 1);
  branch_slot* slot = nullptr;
  victim.visit_branches(false, [&](branch_stack& b) {
    if (const branch_slot* const first = b.oldest_hint(); first && first->where() == region_)
      (void)b.steal_if(slot, [this](const branch_slot& s) { return s.where() == region_; });
  });
  if (slot != nullptr) return taken_from(victim, found(slot), 1);
  steal_failed(steal_status::empty);
  return {};
}

found_job worker::taken_from(worker& victim, found_job j, std::size_t count) noexcept {
  pacing_.took(count);
  tallies.steals_taken.add(count);
  tallies.steal_hits.add();
  last_victim_.store(victim.index(), std::memory_order_relaxed);  // orders nothing: a hint
  if (tracing_now() != not_tracing) trace_steal(*this, victim, count);
  return j;
}

void worker::steal_failed(steal_status how) noexcept {
  (how == steal_status::lost ? tallies.steals_lost : tallies.steals_empty).add();
  if (tracing_now() != not_tracing) trace_failed_steal(*this, how == steal_status::lost);
}

}  // namespace filch::detail
