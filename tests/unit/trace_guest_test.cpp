// Guests in a trace.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/trace.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/trace_file.hpp"

using filch::pool;
using filch::trace;
using filch::trace_span;
using filch::test::gate;
using filch::test::json;
using filch::test::temporary_path;
using filch::test::trace_file;

namespace {

double begin_of(const json& e) { return e.at("ts").get<double>(); }
double length_of(const json& e) { return e.at("dur").get<double>(); }
double end_of(const json& e) { return begin_of(e) + length_of(e); }

bool lies_in(const json& inner, const json& outer) {
  return inner.at("tid") == outer.at("tid") && begin_of(inner) >= begin_of(outer) &&
         end_of(inner) <= end_of(outer) + 0.0005;
}

bool is_unfinished(const json& e) {
  return e.contains("args") && e.at("args").contains("unfinished");
}

double duration_of(const trace_file& file) {
  return file.about().at("duration_ns").get<double>() / 1000;
}

std::vector<json> of_kind(const trace_file& file, const std::string& kind) {
  std::vector<json> found;
  for (const json& t : file.threads())
    if (t.at("kind") == kind) found.push_back(t);
  return found;
}

std::string pool_of(const trace_file& file, const json& what) {
  return file.about().at("pools").at(what.at("pool").get<std::size_t>()).at("name");
}

void work_for(std::chrono::milliseconds time) {
  const trace_span span("work");
  for (const auto end = std::chrono::steady_clock::now() + time;
       std::chrono::steady_clock::now() < end;) {
  }
}

constexpr std::chrono::milliseconds some_time{5};

/// Runs `f` on the calling thread, as a guest of `p`.
template <class F>
void as_guest(pool& p, F f) {
  const filch::test::occupied busy(p);  // its worker does not run it
  filch::scope s({.on = &p});
  s.spawn(f);
  s.wait();
}

class trace_guest : public testing::Test {
 protected:
  /// Otherwise its workers would be in the traces of other tests.
  void TearDown() override { filch::shutdown_default_pool(); }
};

}  // namespace

TEST_F(trace_guest, is_busy_from_coming_to_going) {
  const temporary_path path;
  {
    const trace t(path);
    work_for(std::chrono::milliseconds(0));  // outside of any pool
    filch::join([] { work_for(some_time); }, [] { work_for(some_time); });
  }
  const trace_file file(path);
  const auto visits = file.events("guest");
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(visits[0].at("cat"), "guest");
  EXPECT_FALSE(is_unfinished(visits[0]));
  const auto work = file.events("work");
  ASSERT_EQ(work.size(), 3u);
  int inside = 0;
  for (const json& w : work) inside += lies_in(w, visits[0]) ? 1 : 0;
  EXPECT_GE(inside, 1) << "the second branch may have been stolen";
  EXPECT_LE(inside, 2);
  const auto guests = of_kind(file, "guest");
  ASSERT_EQ(guests.size(), 1u);
  EXPECT_EQ(guests[0].at("tid"), visits[0].at("tid"));
  EXPECT_NEAR(guests[0].at("guest_ns").get<double>() / 1000, length_of(visits[0]), 1);
  double idle = 0;
  for (const json& i : file.events("idle")) {
    EXPECT_PRED2(lies_in, i, visits[0]);
    idle += length_of(i);
  }
  EXPECT_NEAR(guests[0].at("busy_ns").get<double>() / 1000, length_of(visits[0]) - idle,
              length_of(visits[0]) / 5);
}

TEST_F(trace_guest, that_waits_is_idle_and_sleeps_within_that) {
  const temporary_path path;
  {
    pool p({.threads = 1, .idle = filch::idle::power});
    const trace t(path);
    filch::scope s({.on = &p});
    gate begun;
    s.spawn([&] {
      begun.open();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    });
    begun.pass();
    s.wait();
  }
  const trace_file file(path);
  const auto visits = file.events("guest"), idle = file.events("idle");
  ASSERT_EQ(visits.size(), 1u);
  ASSERT_FALSE(idle.empty());
  for (const json& i : idle) EXPECT_PRED2(lies_in, i, visits[0]);
  int sleeps = 0;
  for (const json& s : file.events("sleep"))
    if (s.at("tid") == visits[0].at("tid")) {
      ++sleeps;
      EXPECT_TRUE(
          std::any_of(idle.begin(), idle.end(), [&](const json& i) { return lies_in(s, i); }));
    }
  EXPECT_GE(sleeps, 1);
  const json guest = of_kind(file, "guest").at(0);
  EXPECT_LT(guest.at("busy_ns").get<double>(), guest.at("guest_ns").get<double>() / 2);
}

TEST_F(trace_guest, that_was_there_before_the_trace_is_one_from_its_beginning) {
  const temporary_path path;
  std::unique_ptr<trace> t;
  filch::join(
      [&] {
        t = std::make_unique<trace>(path);
        work_for(some_time);
      },
      [] {});
  t.reset();
  const trace_file file(path);
  const auto visits = file.events("guest");
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(visits[0].at("ts"), 0);
  EXPECT_PRED2(lies_in, file.events("work").at(0), visits[0]);
  EXPECT_FALSE(is_unfinished(visits[0]));
  EXPECT_EQ(of_kind(file, "guest").size(), 1u);
  EXPECT_TRUE(of_kind(file, "outside").empty());
}

TEST_F(trace_guest, that_is_still_there_at_the_end_is_unfinished) {
  const temporary_path path;
  auto t = std::make_unique<trace>(path);
  filch::join(
      [&] {
        work_for(some_time);
        t.reset();
      },
      [] {});
  const trace_file file(path);
  const auto visits = file.events("guest");
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_TRUE(is_unfinished(visits[0]));
  EXPECT_NEAR(end_of(visits[0]), duration_of(file), 0.002);
  const json guest = of_kind(file, "guest").at(0);
  EXPECT_GE(guest.at("busy_ns").get<double>(), 1e6 * some_time.count());
  EXPECT_NEAR(guest.at("guest_ns").get<double>() / 1000, length_of(visits[0]), 1);
}

TEST_F(trace_guest, of_which_there_is_no_word_was_there_all_the_time) {
  const temporary_path path;
  pool p({.threads = 1, .name = "quiet"});
  gate inside, leave;
  std::thread guest([&] {
    as_guest(p, [&] {
      inside.open();
      leave.pass();
    });
  });
  inside.pass();
  {
    const trace t(path);
    std::this_thread::sleep_for(some_time);
  }
  leave.open();
  guest.join();
  const trace_file file(path);
  const auto visits = file.events("guest");
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(visits[0].at("ts"), 0);
  EXPECT_TRUE(is_unfinished(visits[0]));
  EXPECT_NEAR(end_of(visits[0]), duration_of(file), 0.002);
  const auto guests = of_kind(file, "guest");
  ASSERT_EQ(guests.size(), 1u);
  EXPECT_EQ(guests[0].at("name").get<std::string>().find("quiet guest "), 0u);
  EXPECT_GT(guests[0].at("busy_ns"), 0);
}

TEST_F(trace_guest, who_uses_another_pool_meanwhile_is_still_the_guest_of_the_first) {
  const temporary_path path;
  {
    pool a({.threads = 1, .name = "a"}), b({.threads = 1, .name = "b"});
    const trace t(path);
    as_guest(a, [&] {
      filch::scope s({.on = &b});
      s.spawn([] { work_for(some_time); });
      s.wait();
    });
  }
  const trace_file file(path);
  const auto visits = file.events("guest");
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(pool_of(file, visits[0].at("args")), "a");
  EXPECT_GE(length_of(visits[0]), 1e3 * some_time.count());
  EXPECT_EQ(of_kind(file, "guest").size(), 1u);
}

TEST_F(trace_guest, of_one_pool_after_the_other_has_a_visit_and_the_time_of_each) {
  const temporary_path path;
  {
    pool a({.threads = 1, .name = "a"}), b({.threads = 1, .name = "b"});
    const trace t(path);
    as_guest(a, [] { work_for(some_time); });
    as_guest(b, [] { work_for(some_time); });
  }
  const trace_file file(path);
  const auto visits = file.events("guest");
  ASSERT_EQ(visits.size(), 2u);
  EXPECT_EQ(pool_of(file, visits[0].at("args")), "a");
  EXPECT_EQ(pool_of(file, visits[1].at("args")), "b");
  const json guest = of_kind(file, "guest").at(0);
  EXPECT_EQ(pool_of(file, guest), "b") << "the last";
  EXPECT_NEAR(guest.at("guest_ns").get<double>() / 1000,
              length_of(visits[0]) + length_of(visits[1]), 1);
  EXPECT_GE(guest.at("busy_ns").get<double>(), 2e6 * some_time.count());
}

TEST_F(trace_guest, in_the_slot_of_another_has_its_own_time) {
  const temporary_path path;
  {
    pool p(1);
    const trace t(path);
    for (const int times : {1, 4})
      std::thread([&] { as_guest(p, [&] { work_for(times * some_time); }); }).join();
  }
  const trace_file file(path);
  const auto guests = of_kind(file, "guest");
  ASSERT_EQ(guests.size(), 2u);
  for (const json& guest : guests) {
    double visited = 0;
    for (const json& v : file.events("guest"))
      if (v.at("tid") == guest.at("tid")) visited += length_of(v);
    EXPECT_NEAR(guest.at("guest_ns").get<double>() / 1000, visited, 1);
    EXPECT_LE(guest.at("busy_ns").get<double>() / 1000, visited + 1);
  }
  EXPECT_GE(guests[0].at("busy_ns").get<double>(), 1e6 * some_time.count());
  EXPECT_GE(guests[1].at("busy_ns").get<double>(), 4e6 * some_time.count());
}

TEST_F(trace_guest, whose_ring_lost_its_beginning_has_the_visit_that_goes_on) {
  const temporary_path path;
  {
    pool p(1);
    const trace t(path, {.events = 32});
    as_guest(p, [] {
      for (int i = 0; i < 200; ++i) const trace_span s("s");
    });
  }
  const trace_file file(path);
  const auto visits = file.events("guest");
  ASSERT_EQ(visits.size(), 1u);
  const json guest = of_kind(file, "guest").at(0);
  EXPECT_GT(guest.at("lost_events"), 0);
  const double from = guest.at("recorded_from_ns").get<double>() / 1000;
  EXPECT_GT(from, begin_of(visits[0]));
  EXPECT_LT(from, end_of(visits[0]));
  for (const json& s : file.events("s")) EXPECT_GE(begin_of(s) + 0.002, from);
}
