// What a program records itself in a trace: spans and counters.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <thread>

#include "filch/pool.hpp"
#include "filch/trace.hpp"
#include "support/hang_guard.hpp"
#include "support/trace_file.hpp"

using filch::pool;
using filch::trace;
using filch::trace_span;
using filch::test::json;
using filch::test::temporary_path;
using filch::test::trace_file;

namespace {

double begin_of(const json& e) { return e.at("ts").get<double>(); }
double end_of(const json& e) { return begin_of(e) + e.at("dur").get<double>(); }

/// Is `inner` within `outer`? To the nanosecond.
bool lies_in(const json& inner, const json& outer) {
  return inner.at("tid") == outer.at("tid") && begin_of(inner) >= begin_of(outer) &&
         end_of(inner) <= end_of(outer) + 0.0005;
}

const json& thread_of(const trace_file& file, const json& event) {
  return file.threads().at(event.at("tid").get<std::size_t>());
}

}  // namespace

TEST(trace_span, nests_on_any_thread) {
  const temporary_path path;
  {
    pool p(1);
    const trace t(path);
    const trace_span outer("outer");
    { const trace_span inner("an inner span with a name that is not short"); }
    p.install([] { const trace_span there("on a worker"); });
    std::thread([] { const trace_span other("on another thread"); }).join();
  }
  const trace_file file(path);
  const auto one = [&](const char* name) {
    const auto found = file.events(name);
    EXPECT_EQ(found.size(), 1u) << name;
    return found.at(0);
  };
  EXPECT_PRED2(lies_in, one("an inner span with a name that is not short"), one("outer"));
  EXPECT_PRED2(lies_in, one("on a worker"), one("job"));
  EXPECT_EQ(thread_of(file, one("on another thread")).at("kind"), "outside");
  EXPECT_NE(one("on another thread").at("tid"), one("outer").at("tid"));
  EXPECT_EQ(one("outer").at("cat"), "span");
}

TEST(trace_span, that_ends_on_another_thread_ends_with_its_job) {
  const temporary_path path;
  {
    const trace t(path);
    std::unique_ptr<trace_span> s;
    pool p(1);
    p.install([&] { s = std::make_unique<trace_span>("stray"); });
    p.install([] {});
  }
  const trace_file file(path);
  const auto strays = file.events("stray");
  ASSERT_EQ(strays.size(), 1u);
  EXPECT_PRED2(lies_in, strays[0], file.events("job").at(0));
}

TEST(trace_span, copies_its_name_whatever_is_in_it) {
  const temporary_path path;
  {
    const trace t(path);
    std::string name = "tab\t quote\" back\\slash \x01 \xC3\xA4 \xFF";
    const trace_span s(name);
    name.assign(200, '?');
    const trace_span null(static_cast<const char*>(nullptr));
    const trace_span empty("");
  }
  const trace_file file(path);
  EXPECT_EQ(file.events("tab\t quote\" back\\slash \x01 \xC3\xA4 \xEF\xBF\xBD").size(), 1u);
  EXPECT_EQ(file.events("(null)").size(), 1u);
  EXPECT_EQ(file.events("").size(), 1u);
}

TEST(trace_span, that_outlives_its_trace_is_not_in_the_next) {
  const temporary_path path, next(".next.json");
  auto t = std::make_unique<trace>(path);
  {
    const trace_span s("long");
    t.reset();
    t = std::make_unique<trace>(next);
  }
  { const trace_span s("short"); }
  t.reset();
  ASSERT_EQ(trace_file(path).events("long").size(), 1u);
  EXPECT_EQ(trace_file(path).events("long")[0].at("args").at("unfinished"), true);
  EXPECT_TRUE(trace_file(next).events("long").empty());
  EXPECT_EQ(trace_file(next).events("short").size(), 1u);
}

TEST(trace_span, without_a_trace_is_nothing) {
  const trace_span s("not shown");
  filch::trace_counter("nor this", 1);
}

TEST(trace_counter, has_the_values_that_can_be_shown) {
  const temporary_path path;
  {
    const trace t(path);
    filch::trace_counter("requests", 1.5);
    filch::trace_counter("requests", -1e300);
    filch::trace_counter("requests", std::nan(""));
    filch::trace_counter("requests", std::numeric_limits<double>::infinity());
  }
  const auto values = trace_file(path).events("requests");
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].at("args").at("value"), 1.5);
  EXPECT_EQ(values[1].at("args").at("value"), -1e300);
}

TEST(trace_span, that_does_not_nest_has_its_own_end) {
  const temporary_path path;
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
  {
    const trace t(path);
    auto a = std::make_unique<trace_span>("a");
    pause();
    auto b = std::make_unique<trace_span>("b");
    pause();
    a.reset();
    pause();
    b.reset();
    pause();
  }
  const trace_file file(path);
  ASSERT_EQ(file.events("a").size(), 1u);
  ASSERT_EQ(file.events("b").size(), 1u);
  const json a = file.events("a")[0], b = file.events("b")[0];
  EXPECT_LT(begin_of(b), end_of(a));
  EXPECT_GE(end_of(b), end_of(a) + 1000);
  EXPECT_FALSE(b.contains("args")) << "it has ended";
}

TEST(trace_span, that_ends_on_another_thread_ends_no_other_there) {
  const temporary_path path;
  {
    const trace t(path);
    auto stray = std::make_unique<trace_span>("stray");
    std::thread([&] {
      const trace_span own("own");
      stray.reset();
      const trace_span inner("inner");
    }).join();
  }
  const trace_file file(path);
  ASSERT_EQ(file.events("own").size(), 1u);
  EXPECT_PRED2(lies_in, file.events("inner").at(0), file.events("own")[0]);
}

TEST(trace_span, of_a_long_name_is_not_cut_in_the_middle_of_a_character) {
  const temporary_path path;
  {
    const trace t(path);
    const trace_span s(std::string(99, 'n') + "\xC3\xA4\xC3\xA4");
    const trace_span wrong(std::string(200, '\x80'));
  }
  const trace_file file(path);
  EXPECT_EQ(file.events(std::string(99, 'n')).size(), 1u);
}
