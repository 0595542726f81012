#include "filch/detail/observe/watchdog.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <utility>

#include "filch/detail/base/one_per_process.hpp"
#include "filch/detail/base/thread_usage.hpp"
#include "filch/detail/observe/open_spans.hpp"
#include "filch/detail/observe/sampler.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

using clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

/// Eight looks in the time, so that a stall is reported when it has lasted at most an eighth
/// longer.
nanoseconds interval_for(nanoseconds limit) noexcept {
  return std::min<nanoseconds>(limit / 8, std::chrono::seconds(1));
}

/// For example "10 s" or "500 ms".
std::string text_of(nanoseconds time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

class watchdog {
 public:
  explicit watchdog(nanoseconds limit)
      : limit_(limit),
        finder_(limit),
        sampler_("filch-watchdog", interval_for(limit), {[this] { look(); }, {}}) {}

 private:
  void look() noexcept {
    try {
      const std::vector<std::shared_ptr<registry>> pools = live_pools();
      std::vector<pool_look> seen;
      seen.reserve(pools.size());
      for (const auto& home : pools) seen.push_back(progress_of(*home));
      const clock::time_point now = clock::now();
      // If the process was stopped, or the machine slept, that time does not count.
      const nanoseconds passed = std::min<nanoseconds>(now - last_, 2 * interval_for(limit_));
      last_ = now;
      for (const std::size_t i : finder_.look(seen, passed)) tell(*pools[i]);
    } catch (const std::bad_alloc&) {
      // The next look may succeed.
    }
  }

  void tell(const registry& home) const {
    std::ostringstream text;
    text << "filch: watchdog: " << title(home) << " has unfinished work, and has made no progress "
         << "for " << text_of(limit_) << ". This is what its threads wait for:\n";
    dump(home, text);
    const std::string all = text.str();
    std::fwrite(all.data(), 1, all.size(), stderr);  // one call, so lines do not mix
    std::fflush(stderr);
  }

  nanoseconds limit_;
  stall_finder finder_;
  clock::time_point last_ = clock::now();
  sampler sampler_;  // last: it uses the others
};

constinit one_per_process<watchdog> the_watchdog;

}  // namespace

nanoseconds watchdog_limit(std::string_view value) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string_view unit = value.substr(static_cast<std::size_t>(end - value.data()));
  using ms = std::chrono::milliseconds;  // any such number of minutes fits
  const ms one = unit == "ms"  ? ms(1)
                 : unit == "s" ? std::chrono::seconds(1)
                 : unit == "m" ? std::chrono::minutes(1)
                               : ms(0);
  const ms limit = one * number;
  if (error != std::errc() || limit < shortest_watchdog || limit > longest_watchdog)
    throw usage_error(
        "it must be a whole number and a unit (ms, s or m), as in 10s, 500ms or 2m, from 10ms to "
        "1440m; or 0 for no watchdog");
  return limit;
}

std::vector<std::size_t> stall_finder::look(const std::vector<pool_look>& all, nanoseconds passed) {
  std::vector<known> now;
  now.reserve(all.size());
  bool any_goes_on = false;
  for (const pool_look& seen : all) {
    const auto before = std::find_if(known_.begin(), known_.end(),
                                     [&](const known& k) { return k.last.pool == seen.pool; });
    known k{.last = seen};
    if (before != known_.end() && seen.unfinished && before->last.unfinished && !seen.ready &&
        seen.progress == before->last.progress) {
      k.stood = before->stood + passed;
      k.reported = before->reported;
    }
    if (seen.unfinished && k.stood < limit_) any_goes_on = true;
    now.push_back(k);
  }
  std::vector<std::size_t> stalled;
  for (std::size_t i = 0; i < now.size(); ++i) {
    known& k = now[i];
    if (k.reported || k.stood < limit_ || (k.last.waits_for_tasks && any_goes_on)) continue;
    k.reported = true;
    stalled.push_back(i);
  }
  known_ = std::move(now);
  return stalled;
}

namespace {

/// Also of a thread that has been started or woken, and has not yet run since: by its own word it
/// is absent, or asleep.
bool waits_for_processor(const worker& w, activity doing) noexcept {
  const thread_mark thread = w.thread.mark();
  if (doing == activity::absent) return w.kind() == participant_kind::worker && thread == 0;
  return kernel_state_of(thread) == kernel_state::ready;
}

}  // namespace

pool_look progress_of(const registry& home) {
  pool_look seen{
      .pool = home.id(), .unfinished = has_unfinished_work(home), .waits_for_tasks = true};
  const clock::time_point now = clock::now();
  for (const worker* w : home.participants.snapshot()) {
    const activity doing = w->state.doing();
    seen.progress = seen.progress * 31 + w->tallies.jobs.read() + w->tasks.closed();
    const bool takes_naps = doing == activity::awaiting_seat;  // which are no progress
    if (!takes_naps && waits_for_processor(*w, doing)) seen.ready = true;
    if (doing == activity::absent) continue;
    if (const auto used = processor_time(w->thread.mark())) {
      seen.progress = seen.progress * 31 + (takes_naps ? 0 : *used);
      (void)w->thread.still_since(*used, now);  // so that the dump knows for how long
    }
    if (doing != activity::sleeping) seen.waits_for_tasks = false;
  }
  return seen;
}

void start_watchdog(nanoseconds limit) {
  auto made = std::make_unique<watchdog>(limit);
  const std::scoped_lock lock(the_watchdog.mutex);
  the_watchdog.it = made.release();
  watchdog_observes_spans(true);
}

void stop_watchdog() noexcept {
  std::unique_ptr<watchdog> last;
  {
    const std::scoped_lock lock(the_watchdog.mutex);
    last.reset(std::exchange(the_watchdog.it, nullptr));
  }
  if (last != nullptr) watchdog_observes_spans(false);
}

void forget_watchdog() noexcept { the_watchdog.forget(); }

}  // namespace filch::detail
