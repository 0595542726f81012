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

/// How long threads that linger may take to go to sleep. libgomp's spin for about 15 ms.
constexpr std::chrono::milliseconds calm(25);

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

std::size_t workers_of(const row& r, std::size_t workers) {
  return r.variant == "serial" ? 1 : workers;
}

/// Runs `v` once and keeps it if it was the fastest.
void measure(load& l, variant& v, filch::pool& pool, std::uint64_t expected, row& r) {
  l.prepare();
  const std::uint64_t steals_before = pool.metrics().total().steals_taken;
  const clock::time_point start = clock::now();
  v.run(l);
  const double seconds = seconds_since(start);
  r.right = r.right && l.answer() == expected;
  if (r.rounds++ == 0 || seconds < r.seconds) {
    r.seconds = seconds;
    r.steals = pool.metrics().total().steals_taken - steals_before;
  }
  if (v.lingers()) std::this_thread::sleep_for(calm);
}

}  // namespace

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

std::vector<row> compare(load& l, const std::vector<std::unique_ptr<variant>>& variants,
                         filch::pool& pool, const rounds& how_long, const before_run& before) {
  std::vector<row> rows;
  for (const auto& v : variants)
    rows.push_back({.load = std::string(l.name()),
                    .variant = std::string(v->name()),
                    .steals_known = v->name() == "filch"});
  l.prepare();
  variants.front()->run(l);  // warms up, and says what is right
  const std::uint64_t expected = l.answer();

  const clock::time_point start = clock::now();
  for (std::size_t round = 0; round < how_long.most; ++round) {
    if (round >= how_long.least && seconds_since(start) > how_long.seconds) break;
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const double by_rounds = (static_cast<double>(round) +
                                static_cast<double>(i) / static_cast<double>(variants.size())) /
                               static_cast<double>(how_long.most);
      const double by_time = how_long.seconds > 0 ? seconds_since(start) / how_long.seconds : 0;
      if (!before(round, std::clamp(by_time, by_rounds, 1.0), *variants[i])) {
        std::erase_if(rows, [](const row& r) { return r.rounds == 0; });
        return rows;
      }
      measure(l, *variants[i], pool, expected, rows[i]);
    }
  }
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
