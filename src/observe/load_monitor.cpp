#include "filch/load_monitor.hpp"

#include <cmath>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "filch/detail/base/check.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/observe/load.hpp"
#include "filch/detail/observe/sampler.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"

namespace filch {

namespace {

double over_of(double at, const std::optional<double>& over) { return over.value_or(at / 2); }

void require_threshold(const char* name, double at, double most, std::optional<double> over) {
  if (!(at >= 0) || !std::isfinite(at) || at > most)
    throw usage_error(std::string("filch::load_monitor: ") + name + " is " + std::to_string(at) +
                      "; it must be a number from 0 " +
                      (std::isfinite(most) ? "to " + std::to_string(most) : "on"));
  if (over && (!(*over >= 0) || *over > at))
    throw usage_error(std::string("filch::load_monitor: ") + name + "_over is " +
                      std::to_string(*over) + "; it must lie between 0 and " + name +
                      ", which is " + std::to_string(at));
}

}  // namespace

class load_monitor::inside {
 public:
  using caller = void (*)(const detail::load_callback&, const detail::seen_load&);

  inside(pool& home, std::chrono::nanoseconds interval, load_monitor_options settings, caller call)
      : home_(home.core()),
        interval_(interval),
        settings_(std::move(settings)),
        call_(call),
        overload_(settings_.overload, over_of(settings_.overload, settings_.overload_over)),
        starvation_(settings_.starvation,
                    over_of(settings_.starvation, settings_.starvation_over)) {
    if (interval.count() <= 0)
      throw usage_error("filch::load_monitor: the interval is " + std::to_string(interval.count()) +
                        " ns; it must be more than 0");
    require_threshold("overload", settings_.overload, std::numeric_limits<double>::infinity(),
                      settings_.overload_over);
    require_threshold("starvation", settings_.starvation, 1, settings_.starvation_over);
    home_->require_threads();
    sampler_ = std::make_unique<detail::sampler>(
        "filch-load", interval,
        detail::sampler::work{[this] { sample(); }, [this] { return std::vector{home_}; }});
  }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;
  ~inside() {
    if (!born_.is_here()) {
      (void)sampler_.release();  // its thread is in the parent
      return;
    }
    if (sampler_->is_here())
      detail::fail(
          "a filch::load_monitor was destroyed by one of its own callbacks, which it would have to "
          "wait for. Destroy it on another thread.");
  }

  detail::seen_load last() const {
    const auto held = hold();
    return last_;
  }
  detail::plain_vector<detail::seen_load> history() const {
    const auto held = hold();
    detail::plain_vector<detail::seen_load> all;
    all.reserve(history_.size());
    for (const detail::seen_load& s : history_) all.push_back(s);
    return all;
  }
  std::chrono::nanoseconds interval() const noexcept { return interval_; }

 private:
  /// Takes the lock, but not in a child: there the thread that holds it may be missing, and no
  /// thread writes.
  std::unique_lock<std::mutex> hold() const {
    return born_.is_here() ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }

  void sample() noexcept {
    detail::seen_load s;
    try {
      s = detail::sample_of(*home_);
      s.time = std::chrono::steady_clock::now();
      const std::scoped_lock lock(mutex_);
      // Checked last and under the lock: a thread that has seen the pool end sees no later sample.
      if (home_->stopped()) return;
      s.number = last_.number + 1;
      if (settings_.history != 0) {
        history_.push_back(s);
        if (history_.size() > settings_.history) history_.pop_front();
      }
      last_ = s;
    } catch (const std::bad_alloc&) {
      return;  // no sample without memory
    }
    tell(overload_.crossed_by(detail::overload_of(s)), settings_.on_overload, s);
    tell(starvation_.crossed_by(detail::starvation_of(s)), settings_.on_starvation, s);
  }

  void tell(bool crossed, const detail::load_callback& f, const detail::seen_load& s) noexcept {
    if (!crossed || !f) return;
    try {
      call_(f, s);
    } catch (...) {
      detail::report_exception(*home_, std::current_exception());
    }
  }

  detail::birthplace born_;
  std::shared_ptr<detail::registry> home_;  // may outlive the pool
  std::chrono::nanoseconds interval_;
  load_monitor_options settings_;
  caller call_;
  detail::threshold overload_;    // used by the sampler's thread only
  detail::threshold starvation_;  // the same
  mutable std::mutex mutex_;      // guards what follows
  detail::seen_load last_;
  std::deque<detail::seen_load> history_;
  std::unique_ptr<detail::sampler> sampler_;  // last, so that it ends first
};

load_monitor::load_monitor(pool& home, std::chrono::nanoseconds interval,
                           load_monitor_options settings,
                           void (*call)(const detail::load_callback&, const detail::seen_load&))
    : inside_(std::make_unique<inside>(home, interval, std::move(settings), call)) {}

load_monitor::~load_monitor() = default;

detail::seen_load load_monitor::last() const { return inside_->last(); }
detail::plain_vector<detail::seen_load> load_monitor::kept() const { return inside_->history(); }
std::uint64_t load_monitor::samples() const { return inside_->last().number; }
std::chrono::nanoseconds load_monitor::interval() const noexcept { return inside_->interval(); }

}  // namespace filch
