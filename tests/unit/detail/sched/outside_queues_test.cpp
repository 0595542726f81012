#include "filch/detail/sched/outside_queues.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "filch/detail/sched/roster.hpp"
#include "filch/detail/sched/waker.hpp"
#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::priority;
using filch::detail::listed_job;
using filch::detail::worker;
using filch::test::stage;
using filch::test::test_job;

/// The queues of a pool that has no participants.
struct queues_without_workers {
  explicit queues_without_workers(std::size_t limit) : queues(limit, wakes) {}

  void put(test_job& one, priority level) { queues.put(&one, &one, 1, level); }

  filch::detail::roster no_worker{0, 256};
  filch::detail::waker wakes{no_worker, 0};
  filch::detail::outside_queues queues;
};

TEST(outside_queues, each_priority_is_first_in_first_out) {
  for (const priority level : {priority::high, priority::normal, priority::low}) {
    queues_without_workers p(0);
    std::array<test_job, 4> jobs;
    filch::test::link({jobs.data(), 3});
    p.queues.put(&jobs[0], &jobs[2], 3, level);
    p.put(jobs[3], level);
    EXPECT_EQ(p.queues.urgent(), level == priority::high ? 4u : 0u);
    for (const priority other : {priority::high, priority::normal, priority::low}) {
      if (other != level) {
        EXPECT_EQ(p.queues.take(other, 4), nullptr);
      }
    }
    const listed_job* const first = p.queues.take(level, 2);
    ASSERT_EQ(first, &jobs[0]);
    EXPECT_EQ(first->next, &jobs[1]);
    EXPECT_EQ(jobs[1].next, nullptr) << "no more than two were asked for";
    EXPECT_EQ(p.queues.urgent(), level == priority::high ? 2u : 0u);
    EXPECT_EQ(p.queues.take(level, 1), &jobs[2]);
    EXPECT_EQ(p.queues.take(level, 9), &jobs[3]);
    EXPECT_EQ(p.queues.take(level, 9), nullptr);
  }
}

TEST(outside_queues, installed_work_has_a_queue_of_its_own) {
  queues_without_workers p(0);
  test_job a, b;
  p.queues.put_installed(&a);
  p.queues.put_installed(&b);
  EXPECT_TRUE(p.queues.has_work());
  EXPECT_FALSE(p.queues.usual_are_empty());
  for (const priority level : {priority::high, priority::normal, priority::low})
    EXPECT_EQ(p.queues.take(level, 9), nullptr);
  EXPECT_EQ(p.queues.take_installed(), &a);
  EXPECT_EQ(p.queues.take_installed(), &b);
  EXPECT_FALSE(p.queues.has_work());
}

TEST(outside_queues, every_priority_is_work) {
  for (const priority level : {priority::high, priority::normal, priority::low}) {
    queues_without_workers p(0);
    test_job a;
    EXPECT_FALSE(p.queues.has_work());
    EXPECT_TRUE(p.queues.usual_are_empty());
    p.put(a, level);
    EXPECT_TRUE(p.queues.has_work());
    EXPECT_EQ(p.queues.usual_are_empty(), level != priority::normal);
    EXPECT_EQ(p.queues.has_urgent_work(), level == priority::high);
    (void)p.queues.take(level, 1);
    EXPECT_FALSE(p.queues.has_work());
    EXPECT_EQ(p.queues.urgent(), 0u);
  }
}

TEST(outside_queues,
     a_task_that_is_taken_out_gives_its_admission_back_and_an_installed_one_needs_none) {
  queues_without_workers p(2);
  test_job a, b, c;
  EXPECT_TRUE(p.queues.try_admit(1));
  p.put(a, priority::normal);
  p.queues.admit_anyway(1);
  p.put(b, priority::low);
  EXPECT_FALSE(p.queues.try_admit(1));
  p.queues.put_installed(&c);
  (void)p.queues.take_installed();
  EXPECT_EQ(p.queues.admitted_hint(), 2u);
  (void)p.queues.take(priority::low, 1);
  EXPECT_TRUE(p.queues.try_admit(1));
  p.queues.release(1);
  EXPECT_EQ(p.queues.admitted_hint(), 1u);
}

TEST(outside_queues, a_thread_waits_until_it_is_admitted_or_all_are_let_in) {
  queues_without_workers p(1);
  test_job a;
  p.queues.admit(1);
  p.put(a, priority::normal);
  std::thread waiter([&] { p.queues.admit(1); });
  EXPECT_EQ(p.queues.admitted_hint(), 1u);
  (void)p.queues.take(priority::normal, 1);
  waiter.join();
  EXPECT_EQ(p.queues.admitted_hint(), 1u);
  p.queues.open_for_all();
  p.queues.admit(5);
  EXPECT_EQ(p.queues.admitted_hint(), 6u);
}

TEST(outside_queues, without_a_limit_nothing_is_counted) {
  queues_without_workers p(0);
  test_job a;
  p.queues.admit(3);
  p.queues.admit_anyway(1);
  p.put(a, priority::normal);
  (void)p.queues.take(priority::normal, 1);
  p.queues.release(3);
  EXPECT_EQ(p.queues.admitted_hint(), 0u);
}

TEST(outside_queues, each_task_wakes_a_sleeper_that_may_take_it) {
  stage s({.threads = 3});
  auto& queues = s.home().queues;
  worker& guest = s.home().participants.take_guest_slot(s.home());
  guest.state.set_sleeps_in(filch::detail::new_call());
  for (worker* const w : s.home().participants.snapshot()) s.put_to_sleep(*w);
  std::array<test_job, 4> jobs;
  filch::test::link({jobs.data(), 2});
  queues.put(&jobs[0], &jobs[1], 2, priority::low);
  EXPECT_EQ(s.home().wakes.sleeping().count_hint(), 2u);
  queues.put_installed(&jobs[2]);
  EXPECT_EQ(s.home().wakes.sleeping().count_hint(), 1u);
  queues.put_installed(&jobs[3]);
  EXPECT_TRUE(s.is_asleep(guest));
}

}  // namespace
