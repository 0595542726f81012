// The file that is written: self-contained, and safe from what is in a trace. What it looks like is
// for page_test.py to see.
#include "report/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "report/event_code.hpp"
#include "report/trace_file.hpp"

using filch::report::encode_events;
using filch::report::interval_kind;
using filch::report::parse_trace;
using filch::report::summarise;
using filch::report::trace_data;
using filch::report::trace_instant;

namespace {

trace_data empty_trace() { return parse_trace(R"({"otherData":{"filch":{"format":1}}})", "t"); }

std::string page_of(const trace_data& trace) {
  std::ostringstream out;
  write_report(out, trace, summarise(trace));
  return out.str();
}

/// What stands between the tags of the script element with the figures.
std::string data_in(const std::string& page) {
  const std::string begin = R"(id="trace-data">)";
  const std::size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

}  // namespace

TEST(report, every_mark_of_the_template_is_replaced) {
  const std::string page = page_of(empty_trace());
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  for (const char* mark : {"@CSS@", "@DATA@", "@EVENTS@", "_JS@"})
    EXPECT_EQ(page.find(mark), std::string::npos) << mark;
}

TEST(report, nothing_is_loaded_from_elsewhere) {
  const std::string page = page_of(empty_trace());
  for (const char* word : {"src=", "@import", "url(", "https://", "fetch("})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  const std::size_t only = page.find("http://");
  EXPECT_EQ(page.find("http://www.w3.org/2000/svg"), only);
  EXPECT_EQ(page.find("http://", only + 1), std::string::npos);
}

TEST(report, no_name_can_end_the_element_that_holds_it) {
  trace_data trace = empty_trace();
  const std::string evil = "</script><script>alert(1)</script><!--<script>@CSS@\xFF";
  trace.file = trace.program = trace.version = evil;
  trace.names.push_back(evil);
  trace.comparison.push_back({evil, evil, evil, {}, {}, {}, {}, {}});
  const std::string page = page_of(trace);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  const std::string data = data_in(page);
  EXPECT_EQ(data.find('<'), std::string::npos);
  const auto read = nlohmann::json::parse(data);
  EXPECT_EQ(read["program"], "</script><script>alert(1)</script><!--<script>@CSS@\xEF\xBF\xBD");
}

TEST(report, the_figures_are_in_the_page) {
  const trace_data trace = parse_trace(
      R"({"otherData":{"filch":{"format":1,"duration_ns":1000,"threads":[)"
      R"({"tid":5,"kind":"worker","name":"w","jobs":3,"busy_ns":250,"steals_taken":2}]}}})",
      "t");
  const auto data = nlohmann::json::parse(data_in(page_of(trace)));
  EXPECT_EQ(data["summary"]["wall_ns"], 1000);
  EXPECT_EQ(data["summary"]["utilisation"], 0.25);
  EXPECT_EQ(data["summary"]["jobs"], 3);
  EXPECT_EQ(data["threads"][0]["name"], "w");
  EXPECT_EQ(data["threads"][0]["steals_taken"], 2);
}

TEST(report, many_samples_are_thinned_to_the_extremes) {
  trace_data trace = empty_trace();
  trace.duration_ns = 100'000;
  trace.series.push_back({filch::report::series_kind::queue, "pool 0", {}});
  for (std::uint64_t i = 0; i < 100'000; ++i)
    trace.series[0].samples.push_back({i, i == 54'321 ? 9.0 : i == 12'345 ? -2.0 : 1.0});
  const auto data = nlohmann::json::parse(data_in(page_of(trace)));
  const std::vector<double> samples = data["series"][0]["samples"];
  EXPECT_LE(samples.size(), 8000U);
  double low = 1, high = 1;
  for (std::size_t i = 1; i < samples.size(); i += 2) {
    low = std::min(low, samples[i]);
    high = std::max(high, samples[i]);
  }
  EXPECT_EQ(low, -2.0);
  EXPECT_EQ(high, 9.0);
}

TEST(event_code, numbers_and_base64_are_as_documented) {
  trace_data trace;
  trace.threads.resize(1);
  trace.intervals.push_back({5, 300, 0, 0, interval_kind::job});
  trace.intervals.push_back({7, 1, 0, 4, interval_kind::span});
  trace.instants.push_back({9, 0, trace_instant::no_thread, 2, filch::report::instant_kind::steal});
  // 1 thread, 2 intervals: (5, 300 = 0xAC 0x02, 0), (2, 1, 6); 1 instant: (9, 0, 0, 0, 2)
  EXPECT_EQ(encode_events(trace, 100).base64, "AQIFrAIAAgEIAQkAAAAC");
}

TEST(event_code, of_too_many_intervals_the_shortest_are_left_out) {
  trace_data trace;
  trace.threads.resize(2);
  for (std::uint64_t i = 0; i < 10; ++i)
    trace.intervals.push_back({i, i, i < 5 ? 0U : 1U, 0, interval_kind::job});
  const auto code = encode_events(trace, 4);
  EXPECT_EQ(code.left_out, 6U);
  // 2 threads; none; 4: (6, 6, 0), (1, 7, 0), (1, 8, 0), (1, 9, 0); no instants
  EXPECT_EQ(code.base64, "AgAEBgYAAQcAAQgAAQkAAA==");
}

TEST(event_code, of_too_many_intervals_of_the_same_length_some_are_kept_everywhere) {
  trace_data trace;
  trace.threads.resize(2);
  for (std::uint64_t i = 0; i < 9; ++i)
    trace.intervals.push_back({i, 5, i < 6 ? 0U : 1U, 0, interval_kind::job});
  trace.intervals[4].duration_ns = 7;
  const auto code = encode_events(trace, 5);
  EXPECT_EQ(code.left_out, 4U);
  // 2 threads; 3: (1, 5, 0), (2, 5, 0), (1, 7, 0); 2: (6, 5, 0), (2, 5, 0); no instants
  EXPECT_EQ(code.base64, "AgMBBQACBQABBwACBgUAAgUAAA==");
}
