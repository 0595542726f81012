#include "report/report.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "report/event_code.hpp"

namespace filch::report {

// The files in template/.
namespace page {
extern const std::string_view report_html, report_css, base_js, data_js, tracks_js, timeline_js,
    timeline_input_js, charts_js, tables_js, main_js;
}  // namespace page

namespace {

using nlohmann::json;

constexpr std::size_t most_intervals = 2'000'000;
constexpr std::size_t most_samples = 4'000;

std::string_view name_of(thread_kind kind) {
  static constexpr std::string_view names[] = {"worker", "guest", "spare", "outside"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(series_kind kind) {
  static constexpr std::string_view names[] = {"queue", "active", "counter"};
  return names[static_cast<std::size_t>(kind)];
}

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

json figures_of(const thread_summary& s) {
  return {{"jobs", s.jobs},
          {"steals_taken", s.steals_taken},
          {"steal_hits", s.steal_hits},
          {"steals_lost", s.steals_lost},
          {"steals_empty", s.steals_empty},
          {"sleeps", s.sleeps},
          {"wakes", s.wakes},
          {"busy_ns", s.busy_ns},
          {"sleep_ns", s.sleep_ns},
          {"idle_ns", s.idle_ns},
          {"utilisation", s.utilisation}};
}

json threads_of(const trace_data& trace, const summary& figures) {
  json result = json::array();
  for (std::size_t i = 0; i < trace.threads.size(); ++i) {
    const trace_thread& thread = trace.threads[i];
    json entry = figures_of(figures.threads[i]);
    entry["tid"] = thread.tid;
    entry["pool"] = thread.pool;
    entry["kind"] = name_of(thread.kind);
    entry["name"] = thread.name;
    entry["declared"] = thread.declared;
    entry["lost_events"] = thread.lost_events;
    entry["recorded_from_ns"] = thread.recorded_from_ns;
    result.push_back(std::move(entry));
  }
  return result;
}

json steals_of(const summary& figures) {
  json result = json::array();
  for (const steal_cell& cell : figures.steals)
    result.push_back({cell.thief,
                      cell.victim == trace_instant::no_thread ? -1 : std::int64_t{cell.victim},
                      cell.steals, cell.jobs});
  return result;
}

json histogram_of(const duration_histogram& durations) {
  return {{"buckets", durations.buckets},
          {"jobs", durations.jobs},
          {"shortest_ns", durations.shortest_ns},
          {"longest_ns", durations.longest_ns},
          {"total_ns", durations.total_ns}};
}

json comparison_of(const trace_data& trace) {
  json result = json::array();
  for (const comparison_row& row : trace.comparison)
    result.push_back({{"load", row.load},
                      {"variant", row.variant},
                      {"time_ms", or_null(row.time_ms)},
                      {"utilisation", or_null(row.utilisation)},
                      {"speedup", or_null(row.speedup)},
                      {"ideal_ms", or_null(row.ideal_ms)},
                      {"steals", or_null(row.steals)},
                      {"note", row.note}});
  return result;
}

/// [time, value, time, value...]. Of very many samples, the lowest and the highest of each group.
json samples_of(const trace_series& series) {
  json result = json::array();
  const auto& all = series.samples;
  const auto put = [&](const trace_sample& s) {
    result.push_back(s.time_ns);
    result.push_back(s.value);
  };
  if (all.size() <= most_samples) {
    std::for_each(all.begin(), all.end(), put);
    return result;
  }
  const std::size_t size = (all.size() + most_samples / 2 - 1) / (most_samples / 2);
  for (std::size_t from = 0; from < all.size(); from += size) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::min(from + size, all.size()));
    auto [low, high] = std::minmax_element(
        first, last, [](const auto& a, const auto& b) { return a.value < b.value; });
    if (high < low) std::swap(low, high);
    put(*low);
    if (high != low) put(*high);
  }
  return result;
}

/// Between `<script>` and `</script>` only `<` is special, and JSON can escape it.
std::string without_markup(const json& data) {
  const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result.push_back(c);
    }
  }
  return result;
}

}  // namespace

json figures_json(const trace_data& trace, const summary& figures) {
  json pools = json::array();
  for (const trace_pool& pool : trace.pools)
    pools.push_back({{"id", pool.id},
                     {"name", pool.name},
                     {"workers", pool.workers},
                     {"begin_ns", or_null(pool.begin_ns)},
                     {"end_ns", or_null(pool.end_ns)}});
  json total = figures_of(figures.total);
  total["wall_ns"] = figures.wall_ns;
  total["workers"] = figures.workers;
  total["workers_at_once"] = figures.workers_at_once;
  total["parallelism"] = figures.parallelism;
  total["guests_busy_ns"] = figures.guests_busy_ns;
  total["of_workers"] = figures_of(figures.of_workers);
  total["lost_events"] = figures.lost_events;
  return {
      {"file", trace.file},
      {"version", trace.version},
      {"program", trace.program},
      {"pid", trace.pid},
      {"start_unix_ns", trace.start_unix_ns ? json(std::to_string(*trace.start_unix_ns)) : json()},
      {"summary", std::move(total)},
      {"pools", std::move(pools)},
      {"threads", threads_of(trace, figures)},
      {"steals", steals_of(figures)},
      {"durations", histogram_of(figures.durations)},
      {"comparison", comparison_of(trace)}};
}

void write_report(std::ostream& out, const trace_data& trace, const summary& figures) {
  const event_code events = encode_events(trace, most_intervals);
  json data = figures_json(trace, figures);
  data["names"] = trace.names;
  data["active"] = figures.active;
  data["intervals"] = trace.intervals.size();
  data["left_out"] = events.left_out;
  data["ignored_events"] = trace.ignored_events;
  data["series"] = json::array();
  for (const trace_series& series : trace.series)
    data["series"].push_back(
        {{"kind", name_of(series.kind)}, {"name", series.name}, {"samples", samples_of(series)}});

  // Each mark stands alone in the template; the template goes on after it.
  const std::string figures_text = without_markup(data);
  const std::pair<std::string_view, std::string_view> marks[] = {
      {"@CSS@", page::report_css},          {"@DATA@", figures_text},
      {"@EVENTS@", events.base64},          {"@BASE_JS@", page::base_js},
      {"@DATA_JS@", page::data_js},         {"@TRACKS_JS@", page::tracks_js},
      {"@TIMELINE_JS@", page::timeline_js}, {"@TIMELINE_INPUT_JS@", page::timeline_input_js},
      {"@CHARTS_JS@", page::charts_js},     {"@TABLES_JS@", page::tables_js},
      {"@MAIN_JS@", page::main_js},
  };
  std::string_view rest = page::report_html;
  for (const auto& [mark, contents] : marks) {
    const std::size_t found = rest.find(mark);
    out << rest.substr(0, found) << contents;
    rest.remove_prefix(found + mark.size());
  }
  out << rest;
}

}  // namespace filch::report
