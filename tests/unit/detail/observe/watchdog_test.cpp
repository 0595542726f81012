// When the watchdog finds that a pool stands still. What it prints, and when, is in
// tests/unit/watchdog_test.cpp.
#include "filch/detail/observe/watchdog.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "filch/errors.hpp"
#include "support/eventually.hpp"
#include "support/stage.hpp"

using filch::detail::activity;
using filch::detail::pool_look;
using filch::detail::stall_finder;
using filch::detail::watchdog_limit;
using filch::test::gate;
using filch::test::stage;
using filch::test::until;
using namespace std::chrono_literals;

namespace {

using indices = std::vector<std::size_t>;

const pool_look stuck{.pool = 1, .progress = 5, .unfinished = true};
const pool_look in_waits{.pool = 2, .progress = 5, .unfinished = true, .waits_for_tasks = true};

/// A pool that makes progress at every look.
pool_look working() {
  static std::uint64_t progress = 0;
  return {.pool = 3, .progress = ++progress, .unfinished = true};
}

/// The answers to `count` looks at intervals of half a limit.
std::vector<indices> looks(stall_finder& finder, const std::vector<pool_look>& pools, int count) {
  std::vector<indices> all;
  for (int i = 0; i < count; ++i) all.push_back(finder.look(pools, 5s));
  return all;
}

}  // namespace

TEST(stall_finder, reports_a_stall_once_when_it_has_lasted_for_the_limit) {
  stall_finder finder(10s);
  EXPECT_EQ(looks(finder, {stuck}, 5), (std::vector<indices>{{}, {}, {0}, {}, {}}));
}

TEST(stall_finder, reports_again_after_progress) {
  stall_finder finder(10s);
  (void)looks(finder, {stuck}, 3);
  pool_look again = stuck;
  ++again.progress;
  EXPECT_EQ(looks(finder, {again}, 4), (std::vector<indices>{{}, {}, {0}, {}}));
}

TEST(stall_finder, does_not_report_an_idle_pool_or_one_that_waits_for_a_processor) {
  stall_finder finder(10s);
  pool_look idle = stuck, ready = stuck;
  idle.unfinished = false;
  ready.pool = 2;
  ready.ready = true;
  EXPECT_EQ(looks(finder, {idle, ready}, 4), (std::vector<indices>{{}, {}, {}, {}}));
}

TEST(stall_finder, does_not_count_the_time_in_which_the_pool_was_idle) {
  stall_finder finder(10s);
  pool_look idle = stuck;
  idle.unfinished = false;
  (void)looks(finder, {idle}, 4);
  EXPECT_EQ(looks(finder, {stuck}, 4), (std::vector<indices>{{}, {}, {0}, {}}));
}

TEST(stall_finder, keeps_pools_apart) {
  stall_finder finder(10s);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(finder.look({working(), stuck}, 5s), indices{});
  EXPECT_EQ(finder.look({working(), stuck}, 5s), indices{1});
  EXPECT_EQ(finder.look({stuck}, 5s), indices{}) << "it was reported at another index";
}

TEST(stall_finder, a_pool_that_waits_for_tasks_may_wait_for_another_pool) {
  stall_finder finder(10s);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(finder.look({in_waits, working()}, 5s), indices{});
  EXPECT_EQ(finder.look({in_waits}, 5s), indices{0}) << "the other pool has ended";
}

TEST(stall_finder, pools_that_wait_for_each_other_are_all_reported) {
  stall_finder finder(10s);
  EXPECT_EQ(looks(finder, {in_waits, stuck}, 4), (std::vector<indices>{{}, {}, {0, 1}, {}}));
}

TEST(progress_of, a_thread_that_has_not_run_since_it_was_started_or_woken_is_ready) {
  stage s({.threads = 1});
  EXPECT_TRUE(progress_of(s.home()).ready) << "its thread has not begun";
  s.worker(0).thread.begin();  // the calling thread, which runs
  s.worker(0).state.set_doing(activity::sleeping);
  EXPECT_TRUE(progress_of(s.home()).ready);
  gate over;
  std::thread asleep([&] {
    s.worker(0).thread.begin();
    over.pass();
  });
  until([&] { return !progress_of(s.home()).ready; });
  over.open();
  asleep.join();
}

TEST(watchdog_limit, is_a_number_and_a_unit) {
  EXPECT_EQ(watchdog_limit("10s"), 10s);
  EXPECT_EQ(watchdog_limit("500ms"), 500ms);
  EXPECT_EQ(watchdog_limit("2m"), 2min);
  EXPECT_EQ(watchdog_limit("10ms"), 10ms);
  EXPECT_EQ(watchdog_limit("1440m"), 24h);
}

TEST(watchdog_limit, anything_else_is_refused_with_what_is_allowed) {
  for (const char* bad : {"10", "s", "10 s", " 10s", "-1s", "+1s", "1.5s", "10h", "10sec", "0s",
                          "9ms", "1441m", "4294967295m", "99999999999999999999s", "on"}) {
    try {
      (void)watchdog_limit(bad);
      ADD_FAILURE() << bad;
    } catch (const filch::usage_error& e) {
      EXPECT_NE(std::string(e.what()).find("as in 10s, 500ms or 2m"), std::string::npos) << bad;
    }
  }
}
