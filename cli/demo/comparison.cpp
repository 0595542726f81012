#include "demo/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/numbers.hpp"
#include "filch/pool.hpp"
#include "terminal/style.hpp"
#include "terminal/table.hpp"

namespace filch::cli {
namespace {

using clock = std::chrono::steady_clock;

/// How long lingering threads may take to go to sleep. Those of libgomp spin for about 15 ms.
constexpr std::chrono::milliseconds calm(25);

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

std::size_t workers_of(const row& r, std::size_t workers) {
  return r.variant == "serial" ? 1 : workers;
}

/// One load under all variants, and its results so far.
class measured_load {
 public:
  measured_load(load& l, const std::vector<std::unique_ptr<variant>>& variants, filch::pool& pool)
      : load_(l), variants_(variants), pool_(pool), times_(variants.size()) {
    for (const auto& v : variants)
      rows_.push_back({.load = std::string(l.name()),
                       .variant = std::string(v->name()),
                       .steals_known = v->name() == "filch"});
    l.prepare();
    variants.front()->run(l);  // warms up, and gives the right answer
    expected_ = l.answer();
  }

  bool wants_more(const rounds& how_long) const {
    if (rounds_ < how_long.least) return true;
    if (rounds_ >= how_long.most) return false;
    return seconds_ < how_long.seconds ||
           (seconds_ < how_long.patience && !std::all_of(times_.begin(), times_.end(), settled));
  }

  /// The finished share of the work that it wants, from 0 to 1.
  double share(const rounds& how_long) const {
    const double by_rounds =
        static_cast<double>(runs_) / static_cast<double>(how_long.most * variants_.size());
    const double by_time = how_long.seconds > 0 ? seconds_ / how_long.seconds : 0;
    return wants_more(how_long) ? std::clamp(by_time, by_rounds, 1.0) : 1;
  }

  /// Runs every variant once. `before(round, variant)` says whether to go on; returns false if it
  /// did not.
  template <class Before>
  bool run_round(Before before) {
    const clock::time_point start = clock::now();
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      if (!before(rounds_, *variants_[i])) return false;
      measure(*variants_[i], rows_[i], times_[i]);
      ++runs_;
    }
    ++rounds_;
    seconds_ += seconds_since(start);
    return true;
  }

  /// The rows of the variants that have run.
  std::vector<row> rows() const {
    std::vector<row> found = rows_;
    std::erase_if(found, [](const row& r) { return r.rounds == 0; });
    return found;
  }

 private:
  /// Runs `v` once, and adds the time to its times. The row is that of the fastest round.
  void measure(variant& v, row& r, std::vector<double>& times) {
    load_.prepare();
    const std::uint64_t steals_before = pool_.metrics().total().steals_taken;
    const clock::time_point start = clock::now();
    v.run(load_);
    const double seconds = seconds_since(start);
    r.right = r.right && load_.answer() == expected_;
    if (times.empty() || seconds < r.seconds) {
      r.seconds = seconds;
      r.steals = pool_.metrics().total().steals_taken - steals_before;
    }
    times.push_back(seconds);
    r.rounds = times.size();
    r.median_seconds = statistics_of(times).median;
    if (v.lingers()) std::this_thread::sleep_for(calm);
  }

  load& load_;
  const std::vector<std::unique_ptr<variant>>& variants_;
  filch::pool& pool_;
  std::uint64_t expected_ = 0;
  std::vector<row> rows_;
  std::vector<std::vector<double>> times_;  // of each variant
  std::size_t runs_ = 0;
  std::size_t rounds_ = 0;  // complete rounds
  double seconds_ = 0;
};

}  // namespace

bool settled(std::vector<double> times) {
  if (times.size() < 2) return false;
  std::partial_sort(times.begin(), times.begin() + 2, times.end());
  return times[1] <= 1.01 * times[0];
}

double noise_of(const row& r) {
  return r.seconds > 0 ? std::max(0.0, r.median_seconds / r.seconds - 1) : 0;
}

double serial_seconds(const std::vector<row>& rows, std::string_view load) {
  const auto serial = std::find_if(rows.begin(), rows.end(), [&](const row& r) {
    return r.variant == "serial" && r.load == load;
  });
  return serial == rows.end() ? 0 : serial->seconds;
}

figures figures_of(double seconds, double serial, std::size_t workers) {
  if (!(seconds > 0) || !(serial > 0) || workers == 0) return {};
  figures f;
  f.ideal_seconds = serial / static_cast<double>(workers);
  f.utilisation = f.ideal_seconds / seconds;
  f.speedup = serial / seconds;
  f.over_ideal = seconds / f.ideal_seconds - 1;
  return f;
}

std::vector<std::vector<row>> compare(const std::vector<std::unique_ptr<load>>& loads,
                                      const std::vector<std::unique_ptr<variant>>& variants,
                                      filch::pool& pool, const rounds& how_long,
                                      const before_run& before) {
  std::vector<measured_load> measured;
  measured.reserve(loads.size());
  for (const auto& l : loads) measured.emplace_back(*l, variants, pool);
  const auto done = [&] {
    double sum = 0;
    for (const measured_load& m : measured) sum += m.share(how_long);
    return sum / static_cast<double>(measured.size());
  };
  bool more = true;
  for (bool any = true; any && more;) {
    any = false;
    for (std::size_t i = 0; i < measured.size() && more; ++i) {
      if (!measured[i].wants_more(how_long)) continue;
      any = true;
      more = measured[i].run_round([&](std::size_t round, const variant& next) {
        return before(*loads[i], round, done(), next);
      });
    }
  }
  std::vector<std::vector<row>> rows;
  rows.reserve(measured.size());
  for (const measured_load& m : measured) rows.push_back(m.rows());
  return rows;
}

std::string table_of(const std::vector<row>& rows, std::size_t workers, bool colours) {
  table t({{"variant", align::left},
           {"time"},
           {"ideal"},
           {"over ideal"},
           {"utilisation"},
           {"speed-up"},
           {"steals"},
           {"answer", align::left}});
  for (const row& r : rows) {
    const std::size_t own = workers_of(r, workers);
    const figures f = figures_of(r.seconds, serial_seconds(rows, r.load), own);
    const bool is_serial = r.variant == "serial";
    const style how = is_serial             ? style::dim
                      : f.over_ideal < 0.05 ? style::good
                      : f.over_ideal > 0.2  ? style::bad
                                            : style::plain;
    const auto cell = [&](const std::string& text) { return styled(text, how, colours); };
    t.add({styled(r.variant, r.variant == "filch" ? style::bold : style::plain, colours),
           cell(duration_text(r.seconds)), is_serial ? "" : duration_text(f.ideal_seconds),
           is_serial ? "" : cell(fmt::format("{:+.1f} %", f.over_ideal * 100)),
           cell(percent_text(f.utilisation)), fmt::format("{:.2f}x", f.speedup),
           r.steals_known ? count_text(r.steals) : "",
           r.right ? "right" : styled("WRONG", style::bad, colours)});
  }
  return t.text();
}

nlohmann::json comparison_json(const std::vector<row>& rows, std::size_t workers) {
  nlohmann::json list = nlohmann::json::array();
  for (const row& r : rows) {
    const figures f = figures_of(r.seconds, serial_seconds(rows, r.load), workers_of(r, workers));
    nlohmann::json one = {{"load", r.load},
                          {"variant", r.variant},
                          {"time_ms", r.seconds * 1e3},
                          {"median_ms", r.median_seconds * 1e3},
                          {"utilisation", f.utilisation},
                          {"speedup", f.speedup},
                          {"ideal_ms", f.ideal_seconds * 1e3},
                          {"over_ideal", f.over_ideal},
                          {"rounds", r.rounds},
                          {"right", r.right},
                          {"note", r.right ? "" : "wrong answer"}};
    one["steals"] = r.steals_known ? nlohmann::json(r.steals) : nlohmann::json(nullptr);
    list.push_back(std::move(one));
  }
  return {{"unit", "ms"}, {"workers", workers}, {"rows", std::move(list)}};
}

}  // namespace filch::cli
