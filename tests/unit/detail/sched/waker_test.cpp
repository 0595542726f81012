#include "filch/detail/sched/waker.hpp"

#include <gtest/gtest.h>

#include "filch/detail/sched/call_limit.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::call_limit;
using filch::detail::no_region;
using filch::detail::waker;
using filch::detail::worker;
using filch::test::stage;
using filch::test::test_job;

TEST(waker, wakes_one_sleeper_at_a_time) {
  stage s({.threads = 3});
  waker& wakes = s.home().wakes;
  EXPECT_FALSE(wakes.wake_one(nullptr, no_region));
  for (std::size_t i = 0; i < 3; ++i) s.put_to_sleep(s.worker(i));
  for (unsigned left = 3; left > 0; --left) {
    EXPECT_EQ(wakes.sleeping().count_hint(), left);
    EXPECT_TRUE(wakes.wake_one(nullptr, no_region));
  }
  EXPECT_FALSE(wakes.wake_one(nullptr, no_region));
}

TEST(waker, wakes_another_one_than_the_caller_and_counts_that) {
  stage s({.threads = 2});
  waker& wakes = s.home().wakes;
  worker& by = s.worker(0);
  s.put_to_sleep(by);
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(wakes.wake_one(&by, no_region));
  EXPECT_EQ(by.tallies.wakes.read(), 0u);
  s.put_to_sleep(s.worker(1));
  EXPECT_TRUE(wakes.wake_one(&by, no_region));
  EXPECT_FALSE(s.is_asleep(s.worker(1)));
  EXPECT_TRUE(s.is_asleep(by));
  EXPECT_EQ(by.tallies.wakes.read(), 1u);
}

TEST(waker, a_sleeper_in_a_region_is_woken_for_jobs_of_that_region_only) {
  stage s({.threads = 1});
  waker& wakes = s.home().wakes;
  s.worker(0).state.set_sleeps_in(5);
  s.put_to_sleep(s.worker(0));
  EXPECT_FALSE(wakes.wake_one(nullptr, no_region));
  EXPECT_FALSE(wakes.wake_one(nullptr, 7));
  EXPECT_TRUE(wakes.wake_one(nullptr, 5));
  s.worker(0).state.set_sleeps_in(no_region);
  s.put_to_sleep(s.worker(0));
  EXPECT_TRUE(wakes.wake_one(nullptr, 5)) << "in no region it takes any job";
}

TEST(waker, a_sleeper_in_a_limited_scope_is_woken_for_jobs_of_the_region_around_it) {
  const auto around = filch::detail::new_region();
  const call_limit::call outer(1, around);
  const call_limit::call inner(1, outer.where(true));
  stage s({.threads = 2});
  waker& wakes = s.home().wakes;
  worker& sleeper = s.worker(1);
  sleeper.state.set_sleeps_in(inner.where(true));
  for (const auto where : {inner.where(true), outer.where(true), around}) {
    s.put_to_sleep(sleeper);
    EXPECT_FALSE(wakes.wake_one(&s.worker(0), no_region));
    EXPECT_TRUE(wakes.wake_one(&s.worker(0), where));

    test_job job;
    s.worker(0).deque.push({&job, where});
    s.put_to_sleep(sleeper);
    wakes.wake_one_that_can_steal(&s.worker(0));
    EXPECT_FALSE(s.is_asleep(sleeper));
    filch::detail::queued newest{};
    (void)s.worker(0).deque.pop(newest);
  }
}

TEST(waker, a_sleeper_that_can_steal_is_woken_if_there_is_something_to_steal) {
  stage s({.threads = 3});
  waker& wakes = s.home().wakes;
  worker& by = s.worker(0);
  worker& in_region = s.worker(1);
  worker& free = s.worker(2);
  in_region.state.set_sleeps_in(5);
  s.put_to_sleep(by);
  s.put_to_sleep(in_region);
  s.put_to_sleep(free);
  wakes.wake_one_that_can_steal(&by);
  EXPECT_EQ(wakes.sleeping().count_hint(), 3u) << "there is no job";

  test_job job;
  by.deque.push({&job, no_region});
  wakes.wake_one_that_can_steal(&by);
  EXPECT_FALSE(s.is_asleep(free));
  wakes.wake_one_that_can_steal(&by);
  EXPECT_TRUE(s.is_asleep(in_region)) << "the job belongs to no region";
  EXPECT_TRUE(s.is_asleep(by));

  filch::detail::queued newest{};
  (void)by.deque.pop(newest);
  by.deque.push({&job, 5});
  wakes.wake_one_that_can_steal(&by);
  EXPECT_FALSE(s.is_asleep(in_region));
}

TEST(waker, wake_says_whether_the_participant_slept) {
  stage s({.threads = 2});
  waker& wakes = s.home().wakes;
  EXPECT_FALSE(wakes.wake(s.worker(1), &s.worker(0)));
  s.put_to_sleep(s.worker(1));
  EXPECT_TRUE(wakes.wake(s.worker(1), &s.worker(0)));
  EXPECT_FALSE(wakes.wake(s.worker(1), &s.worker(0)));
  EXPECT_EQ(s.worker(0).tallies.wakes.read(), 1u);
}

TEST(waker, wake_all_leaves_no_sleeper_neither_guests_nor_those_in_a_region) {
  stage s({.threads = 2});
  waker& wakes = s.home().wakes;
  worker& guest = s.home().participants.take_guest_slot(s.home());
  s.worker(0).state.set_sleeps_in(5);
  for (worker* const w : s.home().participants.snapshot()) s.put_to_sleep(*w);
  wakes.wake_all();
  EXPECT_EQ(wakes.sleeping().count_hint(), 0u);
  EXPECT_FALSE(s.is_asleep(guest));
  EXPECT_FALSE(s.is_asleep(s.worker(0)));
}

}  // namespace
