// Waits and calls that end at a time.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::parallel_for;
using filch::pool;
using filch::scope;
using filch::test::gate;
using filch::test::until;

TEST(deadline, that_has_passed_skips_what_has_not_started) {
  const filch::options late{.deadline = std::chrono::steady_clock::now()};
  int ran = 0;
  EXPECT_THROW(parallel_for(
                   0, 100, [&](int) { ++ran; }, late),
               filch::cancelled);
  auto f = filch::submit([&] { ++ran; }, late);
  EXPECT_THROW(f.get(), filch::cancelled);
  filch::detach([&] { ++ran; }, late);
  filch::default_pool().wait_idle();
  scope s(late);
  s.spawn([&] { ++ran; });
  auto of_scope = s.async([&] { return ++ran; });
  s.wait();
  EXPECT_THROW(of_scope.get(), filch::cancelled);
  EXPECT_EQ(ran, 0);
}

TEST(deadline, says_so_and_one_far_away_changes_nothing) {
  try {
    parallel_for(0, 100, [](int) {}, {.deadline = std::chrono::steady_clock::now()});
    FAIL() << "it ran";
  } catch (const filch::cancelled& e) {
    EXPECT_NE(std::string(e.what()).find("deadline"), std::string::npos) << e.what();
  }
  std::atomic<int> sum = 0;
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);
  parallel_for(0, 100, [&](int i) { sum += i; }, {.deadline = later});
  EXPECT_EQ(sum, 4950);
  EXPECT_EQ(filch::submit([] { return 7; }, {.deadline = later}).get(), 7);
}

TEST(scope_wait, for_a_time_says_whether_all_tasks_have_ended) {
  for (const bool isolate : {false, true})
    for (const bool inside : {false, true}) {
      pool p(2);
      filch::test::watch(p);
      const auto use = [&] {
        gate leave;
        scope s({.on = &p, .isolate = isolate});
        std::atomic<int> ran = 0;
        EXPECT_TRUE(s.wait_for(std::chrono::seconds(0)));
        s.spawn([&] {
          ++ran;
          leave.pass();
        });
        until([&] { return ran == 1; });
        EXPECT_FALSE(s.wait_for(std::chrono::milliseconds(1)));
        EXPECT_FALSE(s.wait_until(std::chrono::system_clock::now()));
        s.spawn([&] { ++ran; });
        leave.open();
        while (!s.wait_for(std::chrono::milliseconds(1))) continue;
        EXPECT_EQ(ran, 2);
        s.spawn([] { throw 7; });
        EXPECT_THROW((void)s.wait_until(std::chrono::steady_clock::time_point::max()), int);
      };
      inside ? p.install(use) : use();
    }
}
