// How a participant steals from the others.
#include "filch/detail/sched/thief.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <numeric>
#include <span>

#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

constexpr std::size_t most_at_once = 16;  // jobs taken from one victim in one go

// How long a thief waits for the owner to make branches public before it does so itself.
constexpr std::chrono::nanoseconds patience{500};

}  // namespace

found_job thief::steal() noexcept {
  const std::size_t count = self_.home().participants.size();
  asked_victim_ = nullptr;
  if (count < 2) return {};
  pacing_.wait();
  const auto n = static_cast<std::uint32_t>(count);
  const std::uint32_t start = self_.random.bounded(n);
  std::uint32_t stride = 1 + self_.random.bounded(n - 1);
  while (std::gcd(stride, n) != 1) stride = 1 + self_.random.bounded(n - 1);
  using way = found_job (thief::*)(worker&);
  static constexpr way anything[] = {&thief::steal_what_is_public, &thief::ask_and_steal};
  static constexpr way of_region[] = {&thief::steal_of_region};
  for (const way attempt :
       self_.regions.current() == no_region ? std::span<const way>(anything) : of_region) {
    std::uint32_t at = start;
    for (std::uint32_t i = 0; i < n; ++i, at = (at + stride) % n) {
      worker& victim = self_.home().participants[at];
      if (&victim == &self_) continue;
      if (const found_job j = (this->*attempt)(victim)) return j;
    }
  }
  return {};
}

found_job thief::steal_what_is_public(worker& victim) noexcept {
  if (!victim.may_be_stolen_from()) {
    failed(steal_status::empty);
    return {};
  }
  queued oldest{};
  steal_status status = victim.deque.steal(oldest);
  if (status == steal_status::taken)
    return taken_from(victim, {oldest.word, region_of(oldest.tag)}, 1 + steal_more(victim));
  branch_slot* slot = nullptr;
  if (status == steal_status::empty)
    victim.branches.visit(false, [&](branch_stack& b) {
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
  // Jobs of a region stay where the threads that wait in it look.
  const auto anybodys = [](const queued& q) { return region_of(q.tag) == no_region; };
  std::array<queued, most_at_once - 1> more;
  std::size_t count = 0;
  try {
    self_.deque.reserve(std::min(fair, more.size()));
    while (count < std::min(fair, more.size()) && victim.may_be_stolen_from() &&
           victim.deque.steal_if(more[count], anybodys) == steal_status::taken)
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
/// makes branches public itself.
found_job thief::ask_and_steal(worker& victim) noexcept {
  if (!victim.may_be_stolen_from()) {
    victim.branches.ask();  // for the next one it pushes
    if (!victim.branches.has_public()) asked_victim_ = &victim;
    return {};
  }
  branch_slot* slot = nullptr;
  victim.branches.visit(false, [&](branch_stack& b) {
    if (!b.has_work()) return;
    b.ask();
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!b.has_public() && b.asked() && std::chrono::steady_clock::now() < end) cpu_relax();
    if (b.steal(slot) == steal_status::empty && b.expose_for_owner()) (void)b.steal(slot);
  });
  return slot == nullptr ? found_job{} : taken_from(victim, found(slot), 1);
}

/// The oldest of the deque or of the branches, if it belongs to this worker's region.
found_job thief::steal_of_region(worker& victim) noexcept {
  if (!victim.may_be_stolen_from()) {
    failed(steal_status::empty);
    return {};
  }
  queued oldest{};
  const region here = self_.regions.current();
  if (victim.deque.steal_if(oldest, of_region(here)) == steal_status::taken)
    return taken_from(victim, {oldest.word, here}, 1);
  branch_slot* slot = nullptr;
  victim.branches.visit(false, [&](branch_stack& b) {
    if (const branch_slot* const first = b.oldest_hint(); first && first->where() == here)
      (void)b.steal_if(slot, [here](const branch_slot& s) { return s.where() == here; });
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
