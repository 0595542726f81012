#include "filch/detail/observe/sampler.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "filch/detail/base/next_due.hpp"
#include "filch/detail/base/thread_id.hpp"
#include "filch/detail/observe/load.hpp"
#include "filch/detail/sched/participant_state.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

using clock = std::chrono::steady_clock;

worker_load load_of(const worker& w) noexcept {
  worker_load l;
  l.deque = w.deque.size_hint();
  l.branches = w.size_hint(true);
  l.branches -= std::min(l.branches, l.deque);  // the deque may have changed in between
  l.state = state_of(w.state.doing());
  return l;
}

}  // namespace

seen_load sample_of(const registry& home) {
  seen_load s;
  if (home.is_inherited()) {
    for (std::size_t i = 0; i < home.size(); ++i) s.workers.push_back({});
  } else {
    s.workers.reserve(home.size());
    s.injected = home.accepts.waiting_hint();
    for (const worker* w : home.participants.snapshot()) {
      const worker_load l = load_of(*w);
      if (w->kind() == participant_kind::worker) {
        s.workers.push_back(l);
      } else {
        s.elsewhere += l.queue();
        if (l.state == worker_state::running) ++s.helpers;
      }
    }
  }
  summarise(s);
  return s;
}

sampler::sampler(const std::string& name, std::chrono::nanoseconds interval, work what)
    : interval_(std::min<std::chrono::nanoseconds>(interval, longest_interval)),
      work_(std::move(what)) {
  thread_ = os_thread::start([](void* self) { static_cast<sampler*>(self)->run(); }, this,
                             {.name = name});
}

sampler::~sampler() {
  stop_.store(true, std::memory_order_release);  // [stop]
  woken_.set();
  thread_.join();
}

bool sampler::is_here() const noexcept {
  return thread_id_.load(std::memory_order_relaxed) == this_thread_id();  // own value, if it is
}

/// Edge
///   [stop]  ~sampler() -> run()   nothing but the flag
void sampler::run() noexcept {
  thread_id_.store(this_thread_id(), std::memory_order_relaxed);  // orders nothing: for itself
  const auto stopping = [this] { return stop_.load(std::memory_order_acquire); };  // [stop]
  clock::time_point due = clock::now();
  // A pool that has woken is sampled soon, when its workers have found their work, because a burst
  // of work may be shorter than an interval. So is the first state, because work may be about to
  // begin. But pools that sleep and wake often do not make samples much more frequent.
  const std::chrono::nanoseconds soon = interval_ / 16;
  constexpr int most_early = 8;
  int early = most_early;
  bool first = true;
  while (!stopping()) {
    const clock::time_point taken = clock::now();
    work_.sample();
    if (!work_.pools || !doze()) {
      due = first ? clock::now() + soon : next_due(due, clock::now(), interval_);
      early = std::min(early + 1, most_early);
    } else {
      due = early > 0 ? clock::now() + soon : std::max(clock::now(), taken + interval_);
      early = std::max(early - 1, 0);
    }
    first = false;
    while (!stopping() && clock::now() < due) (void)woken_.wait_until(due);
  }
}

/// If all the pools sleep, waits until one of them wakes. Returns false if they do not.
bool sampler::doze() {
  std::vector<std::shared_ptr<registry>> pools;
  const auto all_sleep = [&] {
    return std::all_of(pools.begin(), pools.end(),
                       [](const auto& p) { return p->is_inherited() || p->observed.is_asleep(); });
  };
  bool dozed = false;
  try {
    pools = work_.pools();
    if (!all_sleep()) return false;
    for (const auto& p : pools) p->observed.notify_when_awake(woken_);
    if (all_sleep()) {
      work_.sample();                                             // the last sample shows it
      if (!stop_.load(std::memory_order_acquire)) woken_.wait();  // [stop]
      dozed = true;
    }
  } catch (const std::bad_alloc&) {
    // Then it does not sleep this time.
  }
  for (const auto& p : pools) p->observed.forget(woken_);
  return dozed;
}

}  // namespace filch::detail
