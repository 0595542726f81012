#include "filch/detail/sched/intake.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "filch/detail/sched/pool_access.hpp"
#include "filch/errors.hpp"
#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::pool_closed;
using filch::priority;
using filch::steal_status;
using filch::detail::awaited_task;
using filch::detail::intake;
using filch::detail::listed_job;
using filch::detail::no_region;
using filch::detail::queued;
using filch::detail::reservation;
using filch::test::playing;
using filch::test::stage;
using filch::test::test_job;

TEST(intake, a_task_from_outside_is_counted_and_goes_into_the_queue_of_its_priority) {
  for (const priority level : {priority::high, priority::normal, priority::low}) {
    stage s({.threads = 1, .queue_limit = 9});
    std::array<test_job, 3> jobs;
    filch::test::link(jobs);
    s.home().accepts.submit_chain(&jobs[0], &jobs[2], 3, level);
    EXPECT_EQ(s.home().accepts.accepted().tasks, 3u);
    EXPECT_FALSE(s.home().accepts.accepted().closed);
    EXPECT_EQ(s.home().queues.admitted_hint(), 3u);
    EXPECT_EQ(s.home().queues.take(level, 1), &jobs[0]);
  }
}

TEST(intake, a_task_of_a_participant_goes_into_its_deque_and_its_account) {
  stage s({.threads = 2});
  const playing as(s.worker(1));
  std::array<test_job, 2> jobs;
  filch::test::link(jobs);
  s.home().accepts.submit_chain(&jobs[0], &jobs[1], 2);
  EXPECT_EQ(s.worker(1).deque.size_hint(), 2u);
  EXPECT_EQ(s.worker(1).tasks.opened(), 3u) << "its start is a task, too";
  EXPECT_EQ(s.worker(1).spawned.read(), 2u);
  EXPECT_FALSE(s.home().queues.has_work());
  EXPECT_EQ(s.home().accepts.accepted().tasks, 0u);
}

// Pitfall 17: else the thief could close a task that was not opened yet, and the pool would look
// idle while the task that submits still runs. The sleeper is in no roster, so every push looks for
// it in vain at all participants: a count that came after the push would nearly always be late.
TEST(intake, a_task_of_a_participant_is_counted_before_a_thief_can_take_it) {
  stage s({.threads = 64});
  filch::detail::parker unused;
  s.home().wakes.sleeping().announce(unused, [] {});
  std::vector<test_job> jobs(4096);  // so many that the thief gets its time on a busy machine, too
  std::atomic<bool> over = false, submitting = false;
  std::atomic<std::uint64_t> taken = 0, taken_meanwhile = 0, uncounted = 0;
  std::thread thief([&] {
    while (!over) {
      queued q{};
      if (s.worker(0).deque.steal(q) != steal_status::taken) continue;
      // Jobs are stolen in their order, so this one and those before it, and the start, are
      // counted.
      if (s.worker(0).tasks.opened() < taken + 2) ++uncounted;
      if (submitting) ++taken_meanwhile;
      ++taken;
    }
  });
  {
    const playing as(s.worker(0));
    for (std::uint64_t all = jobs.size(); taken_meanwhile < 100; all += jobs.size()) {
      filch::test::link(jobs);
      submitting = true;
      s.home().accepts.submit_chain(&jobs.front(), &jobs.back(), jobs.size());
      submitting = false;
      while (taken < all) std::this_thread::yield();
    }
  }
  over = true;
  thief.join();
  s.home().wakes.sleeping().retract(unused);
  EXPECT_EQ(uncounted, 0u) << "of " << taken << " tasks";
}

TEST(intake,
     a_task_of_a_participant_with_a_priority_goes_into_a_queue_without_waiting_to_be_admitted) {
  stage s({.threads = 1, .queue_limit = 1});
  const playing as(s.worker(0));
  test_job a, b;
  s.home().accepts.submit_chain(&a, &a, 1, priority::low);
  s.home().accepts.submit_chain(&b, &b, 1, priority::high);
  EXPECT_EQ(s.home().queues.admitted_hint(), 2u);
  EXPECT_EQ(s.worker(0).tasks.opened(), 3u);
  EXPECT_EQ(s.home().accepts.waiting_hint(), 2u);
  EXPECT_EQ(s.home().queues.take(priority::high, 1), &b);
}

TEST(intake, after_close_threads_from_outside_are_refused_and_leave_nothing_behind) {
  stage s({.threads = 1, .queue_limit = 1});
  intake& accepts = s.home().accepts;
  test_job before, a;
  accepts.submit_chain(&before, &before, 1);
  listed_job* const each[] = {&a};
  EXPECT_TRUE(accepts.close());
  EXPECT_FALSE(accepts.close());
  EXPECT_TRUE(accepts.accepted().closed);
  EXPECT_THROW(accepts.submit_chain(&a, &a, 1), pool_closed);
  EXPECT_THROW(accepts.submit_to_worker(&a), pool_closed);
  EXPECT_THROW(accepts.submit_to_each(each), pool_closed);
  EXPECT_THROW((void)accepts.try_admit(), pool_closed);
  EXPECT_EQ(accepts.accepted().tasks, 1u);
  EXPECT_EQ(s.home().queues.admitted_hint(), 1u)
      << "no thread waited to be admitted, or kept an admission";
  EXPECT_EQ(s.home().queues.take(priority::normal, 9)->next, nullptr);
  EXPECT_FALSE(s.home().queues.has_work());
  EXPECT_TRUE(s.worker(0).inbox.empty());
}

TEST(intake, after_close_participants_may_submit_until_the_pool_has_stopped) {
  stage s({.threads = 1});
  intake& accepts = s.home().accepts;
  s.home().close();
  const playing as(s.worker(0));
  test_job a, b;
  accepts.submit_chain(&a, &a, 1);
  accepts.submit_to_worker(&b);
  EXPECT_EQ(s.worker(0).deque.size_hint(), 1u);
  EXPECT_TRUE(s.home().queues.has_work());

  for (int ended = 0; ended < 3; ++ended) filch::detail::task_ended();
  (void)s.home().queues.take_installed();
  s.home().found_nothing();
  ASSERT_TRUE(s.home().stopped());
  EXPECT_THROW(accepts.submit_chain(&a, &a, 1), pool_closed);
  EXPECT_THROW(accepts.submit_to_worker(&a), pool_closed);
}

TEST(intake, a_task_for_each_worker_goes_into_its_inbox_and_wakes_it) {
  stage s({.threads = 2});
  s.put_to_sleep(s.worker(0));
  s.put_to_sleep(s.worker(1));
  filch::detail::spare_threads::standby waits{.who = s.worker(1), .counts = 0};
  ASSERT_TRUE(s.home().spares.begin_standby(waits));
  test_job a, b;
  listed_job* const each[] = {&a, &b};
  s.home().accepts.submit_to_each(each);
  EXPECT_EQ(s.home().accepts.accepted().tasks, 2u);
  EXPECT_EQ(s.home().accepts.waiting_hint(), 0u) << "none is in a queue";
  EXPECT_EQ(s.worker(0).inbox.take(), &a);
  EXPECT_EQ(s.worker(1).inbox.take(), &b);
  EXPECT_FALSE(s.is_asleep(s.worker(0)));
  EXPECT_FALSE(s.is_asleep(s.worker(1)));
  EXPECT_TRUE(s.home().spares.end_standby(waits)) << "it was recalled";
}

TEST(intake, an_admission_made_ahead_belongs_to_the_task_or_is_given_back) {
  stage s({.threads = 1, .queue_limit = 1});
  test_job a;
  {
    const reservation dropped(s.home());
    EXPECT_TRUE(dropped.held());
    EXPECT_FALSE(reservation(s.home()));
  }
  reservation used(s.home());
  ASSERT_TRUE(used.held());
  s.home().accepts.submit_chain(&a, &a, 1, priority::normal, &used);
  EXPECT_FALSE(used.held());
  EXPECT_EQ(s.home().queues.admitted_hint(), 1u);
  const playing as(s.worker(0));
  EXPECT_TRUE(reservation(s.home())) << "a participant needs no admission";
}

TEST(intake, a_task_waits_in_the_region_of_its_deque_or_in_the_pool) {
  stage s({.threads = 1});
  const auto in_pool = awaited_task::wait_key_of(&s.home(), no_region);
  EXPECT_EQ(s.home().accepts.wait_key(true), in_pool);
  const playing as(s.worker(0));
  (void)s.worker(0).regions.enter(5);
  EXPECT_EQ(s.home().accepts.wait_key(true), awaited_task::wait_key_of(&s.home(), 5));
  EXPECT_EQ(s.home().accepts.wait_key(false), in_pool);
  s.worker(0).regions.leave(no_region);
}

}  // namespace
