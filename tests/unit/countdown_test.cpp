// countdown: waits until something has been counted down to zero.
#include "filch/countdown.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "filch/errors.hpp"
#include "filch/participation.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "support/default_pool_of.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::pool;
using filch::scope;
using filch::test::default_pool_of;
using filch::test::until;

TEST(countdown, waits_for_whatever_counts_and_helps_meanwhile) {
  pool p(1);
  filch::test::watch(p);
  EXPECT_EQ(p.install([&] {
    filch::countdown left(1);
    left.add(2);
    int ran = 0;
    for (int i = 0; i < 2; ++i)
      filch::detach([&] {  // the only worker waits below, so it runs these meanwhile
        ++ran;
        left.count_down();
      });
    left.count_down();
    left.wait();
    left.wait();  // at zero it returns at once
    return ran;
  }),
            2);
  filch::countdown left(2);
  std::vector<std::thread> waiting;
  for (int t = 0; t < 2; ++t) waiting.emplace_back([&] { left.wait(); });
  p.detach([&] { left.count_down(2); });
  for (std::thread& t : waiting) t.join();
  EXPECT_THROW(left.count_down(), filch::usage_error);
  EXPECT_THROW(filch::countdown(-1), filch::usage_error);
}

TEST(countdown, refuses_a_number_that_is_too_large_and_stays_as_it_was) {
  constexpr std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::max();
  filch::countdown left(most);
  EXPECT_THROW(left.add(), filch::usage_error);
  EXPECT_THROW(left.count_down(-1), filch::usage_error);
  left.count_down(most - 1);
  EXPECT_THROW(left.count_down(2), filch::usage_error);
  EXPECT_THROW(left.add(-2), filch::usage_error);
  left.add(-1);
  left.wait();
}

TEST(countdown, waits_for_what_is_added_while_threads_wait) {
  filch::countdown left(1);
  std::atomic<int> begun = 0, ended = 0;
  std::vector<std::thread> waiting;
  for (int t = 0; t < 3; ++t)
    waiting.emplace_back([&] {
      ++begun;
      left.wait();
      ++ended;
    });
  until([&] { return begun == 3; });
  left.add(2);
  left.count_down();
  left.count_down();
  EXPECT_EQ(ended, 0) << "one is left";
  left.count_down();
  for (std::thread& t : waiting) t.join();
  left.add();
  EXPECT_EQ(ended, 3);
  left.count_down();
}

TEST(countdown, may_be_destroyed_when_the_wait_has_returned) {
  for (int round = 0; round < 200; ++round) {
    auto left = std::make_unique<filch::countdown>(2);
    std::thread other([&counted = *left] { counted.count_down(2); });
    left->wait();
    left.reset();
    other.join();
  }
}

TEST(countdown, a_guest_that_waits_runs_its_own_tasks) {
  const default_pool_of one(1);
  filch::countdown left(10);
  std::mutex wanted;
  std::unique_lock lock(wanted);
  std::atomic<bool> inside = false;
  filch::detach([&] {
    inside = true;
    const std::scoped_lock here(wanted);  // so no worker can run the tasks below
  });
  until([&] { return inside.load(); });
  {
    const filch::participation here(filch::default_pool());
    scope s;
    for (int i = 0; i < 10; ++i) s.spawn([&] { left.count_down(); });
    left.wait();
    s.wait();
  }
  lock.unlock();
  filch::default_pool().wait_idle();
}
