// Priorities of tasks from outside, as a user of a pool sees them. tests/conformance/order_test.cpp
// tests the order in which a worker looks.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::pool;
using filch::priority;
using filch::test::gate;
using filch::test::occupied;

namespace {

using list = std::vector<int>;

}  // namespace

TEST(priorities, of_submissions_decide_who_starts_first) {
  pool p(1);
  list order;
  {
    const occupied busy(p);
    p.detach([&] { order.push_back(3); }, {.priority = priority::low});
    p.detach([&] { order.push_back(2); });
    p.detach([&] { order.push_back(1); }, {.priority = priority::high});
  }
  p.wait_idle();
  EXPECT_EQ(order, (list{1, 2, 3}));
}

TEST(priorities, that_do_not_exist_are_an_error_that_names_the_number) {
  pool p(1);
  try {
    p.detach([] {}, {.priority = static_cast<priority>(9)});
    FAIL();
  } catch (const filch::usage_error& e) {
    EXPECT_NE(std::string(e.what()).find('9'), std::string::npos);
  }
}

TEST(priorities, are_first_in_first_out_each) {
  for (const priority level : {priority::high, priority::low}) {
    pool p(1);
    list order;
    {
      const occupied busy(p);
      for (int i = 0; i < 100; ++i) p.detach([&, i] { order.push_back(i); }, {.priority = level});
    }
    p.wait_idle();
    ASSERT_EQ(order.size(), 100u);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(order[static_cast<std::size_t>(i)], i);
  }
}

TEST(priorities, of_what_a_task_submits_count_too) {
  pool p(1);
  list order;
  p.install([&] {
    filch::detach([&] { order.push_back(3); }, {.priority = priority::low});
    filch::detach([&] { order.push_back(2); });
    filch::detach([&] { order.push_back(1); }, {.priority = priority::high});
  });
  p.wait_idle();
  EXPECT_EQ(order, (list{1, 2, 3}));
}

TEST(priorities, of_a_scope_are_those_of_its_tasks_from_outside) {
  pool p(1);
  list order;
  {
    filch::scope low({.priority = priority::low, .on = &p});
    filch::scope high({.priority = priority::high, .on = &p});
    std::optional<occupied> busy(p);
    low.spawn([&] { order.push_back(2); });
    high.spawn([&] { order.push_back(1); });
    busy.reset();
    p.wait_idle();
  }
  EXPECT_EQ(order, (list{1, 2}));
}

TEST(priorities, wake_sleeping_workers) {
  pool p({.threads = 2, .idle = filch::idle::power});
  filch::test::watch(p);
  for (int i = 0; i < 2000; ++i)
    for (const priority level : {priority::high, priority::low})
      ASSERT_EQ(p.submit([i] { return i; }, {.priority = level}).get(), i);
}

TEST(priorities, wait_idle_and_the_end_of_the_pool_wait_for_all_of_them) {
  std::atomic<int> ran = 0;
  {
    pool p(2);
    for (int round = 1; round <= 100; ++round) {
      for (const priority level : {priority::low, priority::normal, priority::high})
        p.detach(
            [&, level] {
              filch::detach([&] { ++ran; }, {.priority = level});
              ++ran;
            },
            {.priority = level});
      p.wait_idle();
      ASSERT_EQ(ran, 6 * round);
    }
    for (const priority level : {priority::low, priority::normal, priority::high})
      p.detach([&] { ++ran; }, {.priority = level});
  }
  EXPECT_EQ(ran, 603);
}

TEST(priorities, a_guest_leaves_work_of_every_priority_to_the_workers) {
  std::atomic<int> ran = 0;
  bool own_ran = false;
  pool p(1);
  const occupied busy(p);
  for (const priority level : {priority::low, priority::normal, priority::high})
    p.detach([&] { ++ran; }, {.priority = level});
  filch::scope s({.on = &p});
  s.spawn([&] { own_ran = true; });
  s.wait();
  EXPECT_TRUE(own_ran);
  EXPECT_EQ(ran, 0);
}

TEST(priorities, tasks_of_a_scope_with_a_priority_that_is_made_outside_run_on_workers) {
  std::atomic<int> on_workers = 0;
  pool p(1);
  for (const priority level : {priority::low, priority::high}) {
    filch::scope s({.priority = level, .on = &p});
    s.spawn([&] { on_workers += filch::this_worker::index() ? 1 : 0; });
    s.wait();
  }
  EXPECT_EQ(on_workers, 2);
}
