// Any bytes are either a trace, whose figures can be worked out and written, or are refused with a
// trace_error of one line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "report/event_code.hpp"
#include "report/report.hpp"
#include "report/summary.hpp"
#include "report/trace_file.hpp"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

/// Is a thread there for a part of the trace only?
bool may_come_and_go(const filch::report::trace_data& trace, std::size_t i) {
  using filch::report::thread_kind;
  const auto& thread = trace.threads[i];
  if (thread.kind == thread_kind::guest || thread.kind == thread_kind::outside) return true;
  return std::any_of(trace.pools.begin(), trace.pools.end(), [&](const auto& pool) {
    return pool.id == thread.pool && (pool.begin_ns || pool.end_ns);
  });
}

void use(const filch::report::trace_data& trace) {
  const filch::report::summary figures = filch::report::summarise(trace, 50);
  check(figures.utilisation >= 0.0 && figures.utilisation <= 1.0);
  for (std::size_t i = 0; i < figures.threads.size(); ++i) {
    const auto& own = figures.threads[i];
    const std::uint64_t there = own.busy_ns + own.sleep_ns + own.idle_ns;
    check(there == figures.wall_ns || (there < figures.wall_ns && may_come_and_go(trace, i)));
  }
  for (const auto& interval : trace.intervals) {
    check(interval.thread < trace.threads.size());
    check(interval.begin_ns + interval.duration_ns <= trace.duration_ns);
    check(interval.kind != filch::report::interval_kind::span ||
          interval.name < trace.names.size());
  }
  check(!filch::report::figures_json(trace, figures).dump().empty());
  check(!filch::report::encode_events(trace, 8).base64.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    use(filch::report::parse_trace(text, "f", {.events = 1000, .threads = 100, .names = 10}));
  } catch (const filch::report::trace_error& error) {
    const std::string_view said = error.what();
    check(said.starts_with("f: byte ") && said.size() < 400 && error.offset() <= size);
    for (const char c : said) check(c >= 0x20 || c < 0);
  }
  return 0;
}
