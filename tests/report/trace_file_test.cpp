// Reading trace files: what is understood, what is put up with, and what is refused with which
// words.
#include "report/trace_file.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

using filch::report::instant_kind;
using filch::report::interval_kind;
using filch::report::parse_trace;
using filch::report::read_trace;
using filch::report::series_kind;
using filch::report::thread_kind;
using filch::report::trace_data;
using filch::report::trace_error;
using filch::report::trace_instant;
using filch::report::trace_limits;

namespace {

constexpr std::string_view two_threads =
    R"("pools":[{"id":0,"name":"filch","workers":2}],"threads":[)"
    R"({"tid":0,"pool":0,"kind":"worker","index":0,"name":"filch 0","jobs":7,"busy_ns":5000},)"
    R"({"tid":1,"pool":0,"kind":"spare","index":3,"name":"filch 1","lost_events":4}])";

/// A trace with these events, by two threads.
std::string trace(std::string_view events, std::string_view filch = two_threads) {
  return R"({"otherData":{"filch":{"format":1,)" + std::string(filch) + R"(}},"traceEvents":[)" +
         std::string(events) + "]}";
}

trace_data read(std::string_view events) { return parse_trace(trace(events), "some.json"); }

/// The message about a text that is refused, and where it was; or "" if it is not.
struct refusal {
  std::string what;
  std::uint64_t offset = 0;
};

refusal refused(std::string_view text, const trace_limits& limits = {}) {
  try {
    parse_trace(text, "some.json", limits);
  } catch (const trace_error& error) {
    return {error.what(), error.offset()};
  }
  return {};
}

testing::AssertionResult says(const refusal& got, std::string_view words) {
  if (got.what.starts_with("some.json: byte ") && got.what.find(words) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << got.what << "\" does not say \"" << words << "\"";
}

}  // namespace

TEST(trace_file, every_kind_of_event_is_read) {
  const trace_data data = read(
      R"({"ph":"X","name":"job","cat":"job","ts":1.5,"dur":2.001,"pid":9,"tid":0},)"
      R"({"ph":"X","name":"sleep","cat":"sleep","ts":4,"dur":1,"pid":9,"tid":1},)"
      R"({"ph":"X","name":"fast part","cat":"span","ts":1.6,"dur":0.5,"pid":9,"tid":0},)"
      R"({"ph":"i","s":"t","name":"steal","cat":"steal","ts":2,"tid":1,"args":{"victim":0,"count":3}},)"
      R"({"ph":"i","s":"t","name":"inject","cat":"inject","ts":1,"tid":0},)"
      R"({"ph":"i","s":"t","name":"wake","cat":"wake","ts":3,"tid":0,"args":{"worker":1}},)"
      R"({"ph":"C","name":"queue","ts":1,"tid":0,"args":{"pool 0":5,"pool 1":6}},)"
      R"({"ph":"C","name":"active","ts":1,"tid":0,"args":{"pool 0":2}},)"
      R"({"ph":"C","name":"queue","cat":"counter","ts":1,"tid":0,"args":{"value":1.5}})");
  ASSERT_EQ(data.threads.size(), 2U);
  EXPECT_EQ(data.threads[0].kind, thread_kind::worker);
  EXPECT_EQ(data.threads[0].jobs, 7U);
  EXPECT_EQ(data.threads[0].sleeps, std::nullopt);
  EXPECT_EQ(data.threads[1].kind, thread_kind::spare);
  EXPECT_EQ(data.threads[1].index, 3U);
  EXPECT_EQ(data.lost_events, 4U);

  ASSERT_EQ(data.intervals.size(), 3U);
  EXPECT_EQ(data.intervals[0].kind, interval_kind::job);
  EXPECT_EQ(data.intervals[0].begin_ns, 1500U);
  EXPECT_EQ(data.intervals[0].duration_ns, 2001U);
  EXPECT_EQ(data.intervals[1].kind, interval_kind::span);
  EXPECT_EQ(data.names.at(data.intervals[1].name), "fast part");
  EXPECT_EQ(data.intervals[2].kind, interval_kind::sleep);
  EXPECT_EQ(data.intervals[2].thread, 1U);

  ASSERT_EQ(data.instants.size(), 3U);  // by time
  EXPECT_EQ(data.instants[0].kind, instant_kind::inject);
  EXPECT_EQ(data.instants[1].kind, instant_kind::steal);
  EXPECT_EQ(data.instants[1].thread, 1U);
  EXPECT_EQ(data.instants[1].other, 0U);
  EXPECT_EQ(data.instants[1].count, 3U);
  EXPECT_EQ(data.instants[2].kind, instant_kind::wake);
  EXPECT_EQ(data.instants[2].other, 1U);

  ASSERT_EQ(data.series.size(), 4U);
  EXPECT_EQ(data.series[0].kind, series_kind::queue);
  EXPECT_EQ(data.series[1].name, "pool 1");
  EXPECT_EQ(data.series[1].samples.at(0).value, 6.0);
  EXPECT_EQ(data.series[2].kind, series_kind::active);
  EXPECT_EQ(data.series[3].kind, series_kind::counter);
  EXPECT_EQ(data.duration_ns, 5000U);  // the end of the sleep, as the file does not say
}

TEST(trace_file, the_head_is_read) {
  const trace_data data = parse_trace(
      trace("", R"("version":"1.2","program":"p","pid":5,"start_unix_ns":"1760000000000000000",)"
                R"("duration_ns":77,"lost_events":9,"comparison":{"unit":"ms","rows":[)"
                R"({"load":"sort","variant":"filch","time_ms":1.5,"speedup":2,"steals":3},)"
                R"({"load":"sort","variant":"other","time_ms":null,"note":"absent"}]})"),
      "f");
  EXPECT_EQ(data.file, "f");
  EXPECT_EQ(data.version, "1.2");
  EXPECT_EQ(data.program, "p");
  EXPECT_EQ(data.pid, 5);
  EXPECT_EQ(data.start_unix_ns, 1760000000000000000U);
  EXPECT_EQ(data.duration_ns, 77U);
  EXPECT_EQ(data.lost_events, 9U);
  ASSERT_EQ(data.comparison.size(), 2U);
  EXPECT_EQ(data.comparison[0].time_ms, 1.5);
  EXPECT_EQ(data.comparison[0].speedup, 2.0);
  EXPECT_EQ(data.comparison[0].steals, 3U);
  EXPECT_EQ(data.comparison[1].time_ms, std::nullopt);
  EXPECT_EQ(data.comparison[1].note, "absent");
}

TEST(trace_file, keys_and_events_may_come_in_any_order) {
  const trace_data data =
      parse_trace(R"({"traceEvents":[{"dur":1,"args":{"x":1},"tid":4,"ts":9,"cat":"job","ph":"X"},)"
                  R"({"tid":4,"ts":2,"dur":3,"cat":"job","ph":"X"}],)"
                  R"("otherData":{"filch":{"threads":[{"name":"n","tid":4}],"format":1}}})",
                  "f");
  ASSERT_EQ(data.intervals.size(), 2U);
  EXPECT_EQ(data.intervals[0].begin_ns, 2000U);
  EXPECT_EQ(data.intervals[0].thread, 0U);
  ASSERT_EQ(data.threads.size(), 1U);
  EXPECT_EQ(data.threads[0].name, "n");
}

TEST(trace_file, outer_intervals_come_before_those_within_them) {
  const trace_data data = read(R"({"ph":"X","cat":"job","ts":1,"dur":1,"tid":0},)"
                               R"({"ph":"X","cat":"job","ts":1,"dur":5,"tid":0})");
  EXPECT_EQ(data.intervals.at(0).duration_ns, 5000U);
}

TEST(trace_file, unknown_keys_and_events_are_passed_over) {
  const trace_data data = parse_trace(
      R"({"a":[[{"b":null}],true],"otherData":{"c":{"format":{}},"filch":{"format":1,"d":[1,{}],)"
      R"("pools":[{"id":0,"numa":[0,1]}]}},"traceEvents":[)"
      R"({"ph":"b","cat":"async","id":"x"},{"ph":"X","cat":"gpu","ts":5},)"
      R"({"ph":"X","cat":"job","ts":1,"dur":1,"tid":0,"args":{"deep":{"victim":"x"},"l":[1]},"z":{}}]})",
      "f");
  EXPECT_EQ(data.intervals.size(), 1U);
  EXPECT_EQ(data.ignored_events, 2U);
}

TEST(trace_file, a_tid_that_is_not_in_the_list_becomes_a_thread_outside) {
  const trace_data data = read(R"({"ph":"M","name":"thread_name","tid":70,"args":{"name":"main"}},)"
                               R"({"ph":"X","cat":"job","ts":1,"dur":1,"tid":70},)"
                               R"({"ph":"X","cat":"job","ts":1,"dur":1,"tid":71})");
  ASSERT_EQ(data.threads.size(), 4U);
  EXPECT_EQ(data.threads[2].tid, 70);
  EXPECT_EQ(data.threads[2].name, "main");
  EXPECT_EQ(data.threads[2].kind, thread_kind::outside);
  EXPECT_FALSE(data.threads[2].declared);
  EXPECT_EQ(data.threads[3].name, "thread 71");
}

TEST(trace_file, a_victim_that_does_not_exist_is_none) {
  const trace_data data =
      read(R"({"ph":"i","cat":"steal","ts":1,"tid":0,"args":{"victim":99,"count":1}},)"
           R"({"ph":"i","cat":"steal","ts":2,"tid":0,"args":{"victim":-1,"count":1}},)"
           R"({"ph":"i","cat":"steal","ts":3,"tid":0})");
  EXPECT_EQ(data.threads.size(), 2U);
  for (const trace_instant& steal : data.instants) EXPECT_EQ(steal.other, trace_instant::no_thread);
}

TEST(trace_file, a_duration_that_ends_too_early_is_what_the_last_event_says) {
  EXPECT_EQ(
      parse_trace(
          trace(R"({"ph":"X","cat":"job","ts":5,"dur":1,"tid":0})", R"("duration_ns":3000)"), "f")
          .duration_ns,
      6000U);
}

TEST(trace_file, whatever_a_text_contains_stays_a_text) {
  const trace_data data = read(
      R"({"ph":"X","cat":"span","name":"</script>\u0000\"\\\ud83d\ude00","ts":1,"dur":1,"tid":0})");
  EXPECT_EQ(data.names.at(0), std::string("</script>\0\"\\\xF0\x9F\x98\x80", 16));
}

TEST(trace_file, long_names_are_cut_between_characters) {
  const std::string name(199, 'x');
  const trace_data data = read(R"({"ph":"X","cat":"span","name":")" + name + "\xC3\xA4" +
                               R"(y","ts":1,"dur":1,"tid":0})");
  EXPECT_EQ(data.names.at(0), name + "\xE2\x80\xA6");
}

TEST(trace_file, names_beyond_the_limit_share_one) {
  std::string events;
  for (int i = 0; i < 9; ++i)
    events += (i ? "," : "") + (R"({"ph":"X","cat":"span","name":"n)" + std::to_string(i)) +
              R"(","ts":1,"dur":1,"tid":0})";
  const trace_data data = parse_trace(trace(events), "f", {.names = 4});
  EXPECT_EQ(data.names, (std::vector<std::string>{"n0", "n1", "n2", "(other)"}));
}

TEST(trace_file, what_is_no_json_is_refused_with_its_position) {
  EXPECT_TRUE(says(refused(""), "byte 0: the file is empty"));
  EXPECT_TRUE(says(refused("\x1f\x8b\x08"), "compressed: unpack it first"));
  EXPECT_TRUE(says(refused(std::string("\x7f"
                                       "ELF\x02\x01\0\0",
                                       8)),
                   "not JSON"));
  EXPECT_TRUE(says(refused(std::string(1000, '\0')), "byte 0: not JSON, but binary"));
  EXPECT_TRUE(says(refused(trace("") + '\0' + "x"), "not JSON, but binary"));
  EXPECT_TRUE(says(refused("{\"a\":NaN}"), "not JSON"));
  EXPECT_TRUE(says(refused("{\"a\":-Infinity}"), "not JSON"));
  EXPECT_TRUE(says(refused("{\"a\":1e999}"), "not JSON"));
  EXPECT_TRUE(says(refused("{\"a\":\"\xC3\x28\"}"), "not JSON"));
  EXPECT_TRUE(says(refused(trace("") + "x"), "not JSON"));
  const refusal comma = refused("{\"a\":1,,}");
  EXPECT_EQ(comma.offset, 8U) << comma.what;
}

TEST(trace_file, a_message_shows_neither_control_characters_nor_much_of_the_file) {
  const refusal long_token = refused("{\"a\":\"" + std::string(100000, 'x') + "\x01\"}");
  EXPECT_LT(long_token.what.size(), 300U);
  const refusal escape = refused("{\"\\u001b[31m\":\x1b}");
  EXPECT_EQ(escape.what.find('\x1b'), std::string::npos);
  const refusal in_value =
      refused(trace(R"({"ph":"X","cat":"job","ts":"\u001b[31m)" + std::string(500, 'y') + "\"}"));
  EXPECT_TRUE(says(in_value, "should be a number of microseconds"));
  EXPECT_EQ(in_value.what.find('\x1b'), std::string::npos);
  EXPECT_LT(in_value.what.size(), 300U);
}

TEST(trace_file, every_truncation_is_refused) {
  const std::string whole =
      trace(R"({"ph":"X","name":"job","cat":"job","ts":1.5,"dur":2,"tid":0},)"
            R"({"ph":"i","cat":"steal","ts":2,"tid":1,"args":{"victim":0,"count":3}})");
  ASSERT_EQ(refused(whole).what, "");
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const refusal cut = refused(whole.substr(0, length));
    EXPECT_TRUE(says(cut, "the file ends in the middle")) << length;
    EXPECT_LE(cut.offset, length + 1);
  }
}

TEST(trace_file, a_trace_of_another_program_is_refused) {
  EXPECT_TRUE(says(refused("[]"), "not a trace of filch"));
  EXPECT_TRUE(says(refused("7"), "not a trace of filch"));
  EXPECT_TRUE(says(refused("{}"), "it has no otherData.filch"));
  EXPECT_TRUE(says(refused(R"({"traceEvents":[{"ph":"X","ts":1,"dur":1,"tid":1}]})"),
                   "it has no otherData.filch"));
  EXPECT_TRUE(says(refused(R"({"otherData":{"filch":{}}})"), "no \"format\""));
  EXPECT_TRUE(says(refused(R"({"otherData":{"filch":{"format":2}}})"), "a trace of format 2"));
}

TEST(trace_file, a_known_key_with_a_wrong_value_is_named) {
  const auto event = [](std::string_view fields) {
    return refused(trace(R"({"ph":"X","cat":"job",)" + std::string(fields) + "}"));
  };
  EXPECT_TRUE(
      says(event(R"("ts":-1,"dur":1,"tid":0)"), "\"ts\" should be a number of microseconds"));
  EXPECT_TRUE(says(event(R"("ts":-1,"dur":1,"tid":0)"), "not -1"));
  EXPECT_TRUE(says(event(R"("ts":1,"dur":-0.5,"tid":0)"), "\"dur\""));
  EXPECT_TRUE(says(event(R"("ts":1e300,"dur":1,"tid":0)"), "\"ts\""));
  EXPECT_TRUE(says(event(R"("ts":99999999999999999999999,"dur":1,"tid":0)"), "\"ts\""));
  EXPECT_TRUE(says(event(R"("ts":9007199254740,"dur":9007199254740,"tid":0)"), "ends later"));
  EXPECT_TRUE(says(event(R"("ts":"1","dur":1,"tid":0)"), "not the text \"1\""));
  EXPECT_TRUE(says(event(R"("ts":{},"dur":1,"tid":0)"), "not an object"));
  EXPECT_TRUE(says(event(R"("ts":1,"dur":1,"tid":1.5)"), "\"tid\""));
  EXPECT_TRUE(says(event(R"("ts":1,"dur":1,"tid":-2)"), "not -2"));
  EXPECT_TRUE(says(event(R"("dur":1,"tid":0)"), "no \"ts\""));
  EXPECT_TRUE(says(event(R"("ts":1,"tid":0)"), "no \"dur\""));
  EXPECT_TRUE(says(event(R"("ts":1,"dur":1)"), "no \"tid\""));
  EXPECT_TRUE(says(refused(trace("5")), "an entry\" should be an object, not 5"));
  EXPECT_TRUE(says(refused(trace("[]")), "an entry\" should be an object, not a list"));
  EXPECT_TRUE(says(refused(R"({"traceEvents":{}})"), "\"traceEvents\" should be a list"));
  EXPECT_TRUE(says(refused(R"({"otherData":3})"), "\"otherData\" should be an object, not 3"));
  EXPECT_TRUE(says(refused(trace("", R"("threads":{})")), "\"threads\" should be a list"));
  EXPECT_TRUE(says(refused(trace("", R"("threads":[{}])")), "no \"tid\""));
  EXPECT_TRUE(says(refused(trace("", R"("threads":[{"tid":1},{"tid":1}])")), "tid 1 twice"));
  EXPECT_TRUE(says(refused(trace("", R"("threads":[{"tid":1,"kind":"boss"}])")), "\"boss\""));
  EXPECT_TRUE(says(refused(trace("", R"("threads":[{"tid":1,"jobs":-3}])")), "not -3"));
  EXPECT_TRUE(
      says(refused(trace("", R"("threads":[{"tid":1,"jobs":18446744073709551615}])")), "jobs"));
  EXPECT_TRUE(says(refused(trace("", R"("duration_ns":1e17)")), "duration_ns"));
  EXPECT_TRUE(says(refused(trace("", R"("start_unix_ns":"soon")")), "start_unix_ns"));
}

TEST(trace_file, the_position_of_a_wrong_value_is_where_it_ends) {
  const std::string before = R"({"otherData":{"filch":{"format":)";
  EXPECT_EQ(refused(before + R"("one"}}})").offset, before.size() + 5);
}

TEST(trace_file, limits_are_kept) {
  const std::string events = R"({"ph":"X","cat":"job","ts":1,"dur":1,"tid":0},)"
                             R"({"ph":"i","cat":"inject","ts":1,"tid":7})";
  EXPECT_TRUE(says(refused(trace(events), {.events = 1}), "more than 1 events"));
  EXPECT_TRUE(says(refused(trace(events), {.threads = 1}), "more than 1 threads"));
  EXPECT_TRUE(says(
      refused(trace(R"({"ph":"C","name":"queue","ts":1,"args":{"a":1,"b":2}})"), {.series = 1}),
      "more than 1 "));
  EXPECT_TRUE(says(refused(trace("", R"("pools":[{},{}])"), {.pools = 1}), "more than 1 pools"));
}

TEST(trace_file, deep_nesting_is_refused_and_does_not_overflow_the_stack) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep = R"({"x":)";
    for (int i = 0; i < 1'000'000; ++i) deep += open;
    EXPECT_TRUE(says(refused(deep), "nested more than 64 deep"));
  }
}

TEST(trace_file, what_a_guest_did_is_its_visits_without_its_idle_time) {
  const trace_data data = read(R"({"ph":"X","cat":"idle","ts":2,"dur":1,"tid":0},)"
                               R"({"ph":"X","cat":"guest","ts":1,"dur":4,"tid":0})");
  ASSERT_EQ(data.intervals.size(), 3U);
  EXPECT_EQ(data.ignored_events, 0U);
  const auto is = [&](std::size_t i, interval_kind kind, std::uint64_t begin, std::uint64_t end) {
    const auto& x = data.intervals[i];
    return x.kind == kind && x.begin_ns == begin && x.begin_ns + x.duration_ns == end;
  };
  EXPECT_TRUE(is(0, interval_kind::guest, 1000, 5000));
  EXPECT_TRUE(is(1, interval_kind::part, 1000, 2000));
  EXPECT_TRUE(is(2, interval_kind::part, 3000, 5000));
}

TEST(trace_file, a_thread_that_lost_events_says_from_when_on_there_are_all) {
  const std::string own =
      R"("duration_ns":9000,"threads":[{"tid":0,"lost_events":3,"recorded_from_ns":4000},)"
      R"({"tid":1,"lost_events":3},{"tid":2},{"tid":3,"lost_events":1}])";
  // A file of before it said so: a job is written down when it ends, a span when it begins.
  const std::string events = R"({"ph":"X","cat":"job","ts":1,"dur":4,"tid":1},)"
                             R"({"ph":"X","cat":"span","name":"s","ts":6,"dur":1,"tid":1},)"
                             R"({"ph":"X","cat":"job","ts":5,"dur":1,"tid":2})";
  const trace_data data = parse_trace(trace(events, own), "t");
  EXPECT_EQ(data.threads[0].recorded_from_ns, 4000U);
  EXPECT_EQ(data.threads[1].recorded_from_ns, 5000U);
  EXPECT_EQ(data.threads[2].recorded_from_ns, 0U);
  EXPECT_EQ(data.threads[3].recorded_from_ns, 9000U) << "nothing was kept";
  EXPECT_EQ(data.lost_events, 7U);
}

TEST(trace_file, a_file_is_read_piece_by_piece) {
  const auto path = std::filesystem::path(testing::TempDir()) / "filch_trace_file_test.json";
  std::string events = R"({"ph":"X","cat":"job","ts":0,"dur":1,"tid":0})";
  for (int i = 1; i < 5000; ++i)
    events += R"(,{"ph":"X","cat":"job","ts":)" + std::to_string(i) + R"(,"dur":1,"tid":0})";
  std::ofstream(path) << trace(events);
  ASSERT_GT(std::filesystem::file_size(path), 3U * 65536U);
  const trace_data data = read_trace(path);
  EXPECT_EQ(data.intervals.size(), 5000U);
  EXPECT_EQ(data.intervals.back().begin_ns, 4'999'000U);

  const std::string broken = trace(events + "," + R"({"ph":"X","cat":"job","ts":-7})");
  std::ofstream(path) << broken;
  try {
    read_trace(path);
    FAIL() << "-7 was accepted";
  } catch (const trace_error& error) {
    EXPECT_EQ(error.offset(), broken.find("-7") + 3) << error.what();
    EXPECT_TRUE(std::string(error.what()).starts_with(path.string() + ": byte "));
  }
  std::filesystem::remove(path);
}

TEST(trace_file, what_cannot_be_opened_or_read_is_said) {
  for (const auto& [path, words] :
       {std::pair("no/such/file.json", "cannot be opened: No such file"),
        std::pair(".", "cannot be read: Is a directory")}) {
    try {
      read_trace(path);
      FAIL() << path;
    } catch (const trace_error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}
