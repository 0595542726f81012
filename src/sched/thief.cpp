// How a participant steals from the others.
#include "filch/detail/sched/thief.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <numeric>
#include <utility>

#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

constexpr std::size_t most_at_once = 16;  // jobs taken from one victim in one go

// How long a thief waits for the owner to make branches public before it does so itself.
constexpr std::chrono::nanoseconds patience{500};

}  // namespace

found_job thief::steal(region only) noexcept {
  const std::size_t count = self_.home().participants.size();
  worker* const asked = std::exchange(asked_victim_, nullptr);
  if (count < 2) return {};
  if (only == no_region && asked != nullptr && asked->branches.has_public())
    if (const found_job j = steal_what_is_public(*asked)) return j;
  pacing_.wait();
  const auto n = static_cast<std::uint32_t>(count);
  const std::uint32_t start = self_.random.bounded(n);
  std::uint32_t stride = 1 + self_.random.bounded(n - 1);
  while (std::gcd(stride, n) != 1) stride = 1 + self_.random.bounded(n - 1);
  if (only != no_region)
    return try_all(start, stride, [&](worker& victim) { return steal_of_region(victim, only); });
  if (const found_job j =
          try_all(start, stride, [&](worker& victim) { return steal_what_is_public(victim); }))
    return j;
  return try_all(start, stride, [&](worker& victim) { return ask_and_steal(victim); });
}

template <class Attempt>
found_job thief::try_all(std::uint32_t start, std::uint32_t stride, Attempt attempt) noexcept {
  const roster& all = self_.home().participants;
  const auto n = static_cast<std::uint32_t>(all.size());
  std::uint32_t at = start;
  for (std::uint32_t i = 0; i < n; ++i, at = (at + stride) % n) {
    worker& victim = all[at];
    if (&victim == &self_) continue;
    if (const found_job j = attempt(victim)) return j;
  }
  return {};
}

/// Are the jobs of `victim` below the threshold? If that is one, only the attempt to take one
/// tells.
bool thief::has_too_few(const worker& victim) const noexcept {
  return self_.home().settings().steal_threshold > 1 && !victim.may_be_stolen_from();
}

/// A worker takes nothing from a guest if there is no seat for both. This look may be too early:
/// the guest may come before the steal. So the worker looks again before it runs the job
/// (run_loop::run_until_stopped). A guest that waits for a seat runs none of its jobs, and the
/// worker may poll for one of them.
bool thief::may_take_from(const worker& victim) const noexcept {
  return !victim.is_guest() || self_.is_guest() ||
         self_.home().wakes.sleeping().free_seats() >= 0 ||
         victim.state.doing() == activity::awaiting_seat;
}

found_job thief::steal_what_is_public(worker& victim) noexcept {
  if (has_too_few(victim)) {
    failed(steal_status::empty);
    return {};
  }
  queued oldest{};
  steal_status status = may_take_from(victim) ? victim.deque.steal(oldest) : steal_status::empty;
  if (status == steal_status::taken)
    return taken_from(victim, {oldest.word, region_of(oldest.tag)}, 1 + steal_more(victim));
  branch_slot* slot = nullptr;
  if (status == steal_status::empty)
    victim.branches.visit(false, [&](branch_stack& b) {
      if (!may_take_from(victim)) return;
      status = b.steal(slot);
      // Asks for the next one now: when this one is done, the owner may be busy with a long job.
      if (status == steal_status::taken && !b.has_public()) b.ask();
    });
  if (status == steal_status::taken) return taken_from(victim, found(slot), 1);
  failed(status);
  return {};
}

/// One job has been taken. From a long deque the thief takes more of them, fewer than a fair share
/// of what is there, so that small tasks are worth the steal. A guest does not: it may leave.
std::size_t thief::steal_more(worker& victim) noexcept {
  if (self_.is_guest()) return 0;
  const std::size_t fair = victim.deque.size_hint() / (2 * self_.home().size());
  // Jobs of an isolate() stay where the threads that wait in it look.
  const auto not_isolated = [](const queued& q) { return !is_isolated(region_of(q.tag)); };
  std::array<queued, most_at_once - 1> more;
  std::size_t count = 0;
  try {
    self_.deque.reserve(std::min(fair, more.size()));
    while (count < std::min(fair, more.size()) && !has_too_few(victim) &&
           victim.deque.steal_if(more[count], not_isolated) == steal_status::taken)
      ++count;
  } catch (const std::bad_alloc&) {
    return 0;
  }
  for (std::size_t left = count; left > 0; --left) {  // the oldest is popped first
    const queued& q = more[left - 1];
    self_.push(q.word, q.tag);
    if (q.tag == from_outside) self_.turns.set_outside_in_deque(true);
  }
  return count;
}

/// Nothing is public. The thief asks the owner, and gives it a little time. If the owner does not
/// answer, it is busy with something long, and an interruption costs it little: the thief then
/// makes branches public itself. A victim that has nothing is asked for the next one that it
/// pushes.
found_job thief::ask_and_steal(worker& victim) noexcept {
  const bool too_few = has_too_few(victim);
  bool may_answer = true;  // also if its stack is closed: it may open it soon
  branch_slot* slot = nullptr;
  victim.branches.visit(false, [&](branch_stack& b) {
    const bool some = !too_few && b.has_work();
    may_answer = !some && !b.has_public();
    if (some && !may_take_from(victim)) return;
    b.ask();
    if (!some) return;
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!b.has_public() && b.asked() && std::chrono::steady_clock::now() < end) cpu_relax();
    if (b.steal(slot) == steal_status::empty && b.expose_for_owner()) (void)b.steal(slot);
  });
  if (may_answer) asked_victim_ = &victim;
  return slot == nullptr ? found_job{} : taken_from(victim, found(slot), 1);
}

/// The oldest of the deque or of the branches, if it belongs to region `only`.
found_job thief::steal_of_region(worker& victim, region only) noexcept {
  if (has_too_few(victim)) {
    failed(steal_status::empty);
    return {};
  }
  queued oldest{};
  if (may_take_from(victim) &&
      victim.deque.steal_if(oldest, of_region(only)) == steal_status::taken)
    return taken_from(victim, {oldest.word, only}, 1);
  branch_slot* slot = nullptr;
  victim.branches.visit(false, [&](branch_stack& b) {
    const branch_slot* const first = b.oldest_hint();
    if (first != nullptr && first->where() == only && may_take_from(victim))
      (void)b.steal_if(slot, [only](const branch_slot& s) { return s.where() == only; });
  });
  if (slot != nullptr) return taken_from(victim, found(slot), 1);
  failed(steal_status::empty);
  return {};
}

found_job thief::taken_from(worker& victim, found_job j, std::size_t count) noexcept {
  pacing_.took(count);
  self_.tallies.steals_taken.add(count);
  self_.tallies.steal_hits.add();
  last_victim_.store(victim.index(), std::memory_order_relaxed);  // orders nothing: a hint
  if (tracing_now() != not_tracing) trace_steal(self_, victim, count);
  return j;
}

void thief::failed(steal_status how) noexcept {
  worker_tallies& t = self_.tallies;
  (how == steal_status::lost ? t.steals_lost : t.steals_empty).add();
  if (tracing_now() != not_tracing) trace_failed_steal(self_, how == steal_status::lost);
}

bool thief::has_answer() const noexcept {
  return asked_victim_ != nullptr && asked_victim_->branches.has_public();
}

}  // namespace filch::detail
