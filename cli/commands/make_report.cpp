#include "commands/make_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/numbers.hpp"
#include "report/json_value.hpp"
#include "report/report.hpp"
#include "report/trace_file.hpp"

namespace filch::cli {

namespace fs = std::filesystem;

made_report make_report(const fs::path& json, const fs::path& html) {
  made_report made;
  try {
    made.trace = report::read_trace(json);
  } catch (const report::trace_error& error) {
    throw failure(error.what());
  }
  made.figures = report::summarise(made.trace);

  write_file(html, [&](std::ostream& out) { report::write_report(out, made.trace, made.figures); });
  return made;
}

std::string text_of(const made_report& made) {
  const report::summary& f = made.figures;
  std::string text = fmt::format(
      "{}: {} on {} {}{}, {} busy on average; {} {}, {} stolen in {} {}, {} lost, parallelism "
      "{:.2f}\n",
      made.trace.program.empty() ? "the program" : report::excerpt(made.trace.program),
      duration_text(static_cast<double>(f.wall_ns) * 1e-9), f.workers,
      f.workers == 1 ? "worker" : "workers",
      f.workers_at_once < f.workers ? fmt::format(" (at most {} at a time)", f.workers_at_once)
                                    : "",
      percent_text(f.utilisation), count_text(f.total.jobs), f.total.jobs == 1 ? "job" : "jobs",
      count_text(f.total.steals_taken), count_text(f.total.steal_hits),
      f.total.steal_hits == 1 ? "steal" : "steals", count_text(f.total.steals_lost), f.parallelism);
  if (f.guests_busy_ns != 0)
    text += fmt::format(
        "guests (outside threads that took part) were busy for {}; the average leaves them out\n",
        duration_text(static_cast<double>(f.guests_busy_ns) * 1e-9));
  if (f.lost_events != 0)
    text += fmt::format(
        "note: the oldest {} events are missing; FILCH_TRACE_EVENTS=n keeps n per thread\n",
        count_text(f.lost_events));
  return text;
}

nlohmann::json json_of(const made_report& made, const fs::path& json, const fs::path& html) {
  nlohmann::json figures = report::figures_json(made.trace, made.figures);
  return {{"trace", json.string()}, {"report", html.string()}, {"figures", std::move(figures)}};
}

}  // namespace filch::cli
