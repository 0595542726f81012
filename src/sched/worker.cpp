// How a participant finds jobs, waits, and goes to sleep. README.md has the protocol and its proof.
#include "filch/detail/sched/worker.hpp"

#include <numeric>

#include "filch/detail/sched/idle_spell.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

constexpr std::uint32_t injector_turn = 61;  // every so many jobs outside work goes first
constexpr std::size_t injector_batch = 16;   // jobs taken from the injector in one turn

}  // namespace

worker::worker(registry& home, std::size_t index, bool guest, std::uint64_t seed)
    : random(seed),
      sleepers_(home.sleeping()),
      home_(home),
      index_(index),
      guest_(guest),
      bed_(&borrow_parker()) {}

worker::~worker() { return_parker(*bed_); }

bool worker::wait_until(latch& done, clock::time_point deadline) noexcept {
  const goal g{&done, deadline};
  while (job* j = next_job(g)) run(j);
  set_doing(activity::running);
  return done.probe();
}

void worker::run_until_stopped() noexcept {
  const goal g{nullptr, clock::time_point::max()};
  while (job* j = next_job(g)) run(j);
  set_doing(activity::absent);
}

bool worker::reached(const goal& g) const noexcept {
  if (g.done == nullptr) return home_.stopped();
  if (g.done->probe()) return true;
  return g.deadline != clock::time_point::max() && clock::now() >= g.deadline;
}

/// The next job to run, or null when the goal is reached.
job* worker::next_job(const goal& g) noexcept {
  idle_spell spell(random, home_.settings().spin);
  for (bool was_idle = false;; was_idle = true) {
    if (reached(g)) {
      if (was_idle)
        pass_on();  // the wake-up that came with the latch may have been meant for a job
      return nullptr;
    }
    if (job* j = find()) {
      if (was_idle) pass_on();  // first wake, then run: else ramping up takes as long as the jobs
      set_doing(activity::running);
      return j;
    }
    set_doing(activity::searching);
    home_.found_nothing();
    if (spell.keep_looking()) continue;
    sleep(g);
    spell.restart();
  }
}

/// Own jobs first, newest first; then others', oldest first; then the injector, unless it is its
/// turn.
job* worker::find() noexcept {
  if (!inbox_empty())
    if (job* j = find_in_inbox()) return j;
  if (++looks_ % injector_turn == 0 && !guest_ && !newest_is_from_outside())
    if (job* j = find_in_injector()) return j;
  if (job* j = nullptr; deque_.pop(j)) return j;
  if (job* j = find_by_theft()) return j;
  return guest_ ? nullptr : find_in_injector();
}

/// Would a pop give a job that came from the injector? Then outside work is not kept waiting, and
/// taking more of it now would be out of order.
bool worker::newest_is_from_outside() const noexcept {
  const std::uint64_t newest = deque_.next_index() - 1;
  return newest - outside_first_ < outside_last_ - outside_first_;
}

job* worker::find_in_inbox() noexcept {
  // Only this thread takes from the inbox, so the list cannot change under it but at the front.
  listed_job* all = inbox_.exchange(nullptr, std::memory_order_acquire);  // [inbox]
  if (all == nullptr) return nullptr;
  listed_job* const first = all;
  for (listed_job* rest = first->next; rest != nullptr;) {
    listed_job* const next = rest->next;
    put_in_inbox(rest);
    rest = next;
  }
  return first;
}

job* worker::find_in_injector() noexcept {
  listed_job* const first = home_.outside().take(injector_batch);
  if (first == nullptr) return nullptr;
  tallies.injector_takes.add();
  // The rest goes into the own deque, the oldest last, so that it is the first to be popped.
  listed_job* turned = nullptr;
  for (listed_job* rest = first->next; rest != nullptr;) {
    listed_job* const next = rest->next;
    rest->next = turned;
    turned = rest;
    rest = next;
    tallies.injector_takes.add();
  }
  outside_first_ = deque_.next_index();
  while (turned != nullptr) {
    listed_job* const next = turned->next;
    try {
      push(turned);
    } catch (const std::bad_alloc&) {
      home_.inject(turned, turned);  // no room here: back to where it was
    }
    turned = next;
  }
  outside_last_ = deque_.next_index();
  return first;
}

/// One round over all other participants, in an order drawn anew: a random start and a random step
/// that is prime to their number visits each once.
job* worker::find_by_theft() noexcept {
  const std::size_t count = home_.roster_size();
  if (count < 2) return nullptr;
  const auto n = static_cast<std::uint32_t>(count);
  const std::size_t threshold = home_.settings().steal_threshold;
  std::uint32_t at = random.bounded(n);
  std::uint32_t stride = 1 + random.bounded(n - 1);
  while (std::gcd(stride, n) != 1) stride = 1 + random.bounded(n - 1);
  for (std::uint32_t i = 0; i < n; ++i, at = (at + stride) % n) {
    worker& victim = home_.participant(at);
    if (&victim == this) continue;
    if (victim.size_hint() < threshold) {
      tallies.steals_empty.add();
      continue;
    }
    job* j = nullptr;
    switch (victim.steal_from(j)) {
      case steal_status::taken:
        tallies.steals_taken.add();
        last_victim_.store(victim.index(), std::memory_order_relaxed);  // orders nothing: a hint
        return j;
      case steal_status::lost:
        tallies.steals_lost.add();
        break;
      case steal_status::empty:
        tallies.steals_empty.add();
        break;
    }
  }
  return nullptr;
}

/// S1 to S5.
void worker::sleep(const goal& g) noexcept {
  sleepers_.announce(*bed_);  // S1, S2
  const bool waits = g.done != nullptr;
  const bool set = waits && !g.done->try_sleep(*bed_);
  const bool stopping = !waits && home_.stopped();
  if (!set && !stopping && !home_.has_work(this)) {  // S3
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

void worker::wake_another() noexcept { (void)home_.wake_one(this, registry::wanted::anybody); }

/// After a while without work: if there is some, somebody who sleeps may be needed for it. A
/// wake-up that was used up by this worker goes on to the next.
void worker::pass_on() noexcept {
  if (!sleepers_.any()) return;
  if (!home_.outside().empty_hint() && home_.wake_one(this, registry::wanted::worker)) return;
  if (home_.has_work(this)) (void)home_.wake_one(this, registry::wanted::anybody);
}

void worker::put_in_inbox(listed_job* j) noexcept {
  listed_job* below = inbox_.load(std::memory_order_relaxed);  // orders nothing: retried below
  do {
    j->next = below;
  } while (!inbox_.compare_exchange_weak(below, j, std::memory_order_release,  // [inbox]
                                         std::memory_order_relaxed));  // orders nothing: retried
}

}  // namespace filch::detail
