#include "filch/detail/sched/idle_detector.hpp"

#include <gtest/gtest.h>

#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::latch;
using filch::test::stage;
using filch::test::test_job;

/// A detector of its own, for a pool of two workers whose starts have ended.
struct detector_of_a_pool {
  detector_of_a_pool() { s.end_starts(); }

  stage s{{.threads = 2}};
  filch::detail::idle_detector idle{s.home().participants, s.home().accepts};
};

TEST(idle_detector, a_task_is_unfinished_until_it_ends_in_any_account) {
  detector_of_a_pool p;
  EXPECT_TRUE(p.idle.is_settled());
  p.s.worker(0).tasks.open();
  EXPECT_FALSE(p.idle.is_settled());
  p.s.worker(1).tasks.close();
  EXPECT_TRUE(p.idle.is_settled());
}

TEST(idle_detector, tasks_from_outside_and_tasks_of_guests_count) {
  detector_of_a_pool p;
  test_job job;
  p.s.home().accepts.submit_chain(&job, &job, 1);
  EXPECT_FALSE(p.idle.is_settled());
  p.s.worker(0).tasks.close();
  EXPECT_TRUE(p.idle.is_settled());
  filch::detail::worker& guest = p.s.home().participants.take_guest_slot(p.s.home());
  guest.tasks.open();
  EXPECT_FALSE(p.idle.is_settled());
  guest.tasks.close();
  EXPECT_TRUE(p.idle.is_settled());
}

TEST(idle_detector, notifies_every_waiter_at_the_next_idle_moment) {
  detector_of_a_pool p;
  latch a, b;
  EXPECT_FALSE(p.idle.has_waiters());
  p.s.worker(0).tasks.open();
  p.idle.add(a);
  p.idle.add(b);
  EXPECT_TRUE(p.idle.has_waiters());
  EXPECT_FALSE(p.idle.settle());
  EXPECT_FALSE(a.probe() || b.probe());
  p.s.worker(0).tasks.close();
  EXPECT_FALSE(p.idle.settle()) << "the pool is not closed";
  EXPECT_TRUE(a.probe() && b.probe());
  EXPECT_FALSE(p.idle.has_waiters());
}

TEST(idle_detector, a_waiter_that_was_removed_is_not_notified) {
  detector_of_a_pool p;
  latch gone, stays;
  p.idle.add(gone);
  p.idle.add(stays);
  EXPECT_TRUE(p.idle.remove(gone));
  EXPECT_TRUE(p.idle.has_waiters()) << "the other one waits";
  EXPECT_FALSE(p.idle.settle());
  EXPECT_FALSE(gone.probe());
  EXPECT_FALSE(p.idle.remove(stays)) << "it has been set";
  EXPECT_FALSE(p.idle.has_waiters());
}

TEST(idle_detector, a_pool_stops_once_it_is_closed_and_idle) {
  detector_of_a_pool p;
  EXPECT_FALSE(p.idle.settle());
  p.s.worker(0).tasks.open();
  p.s.home().accepts.close();
  p.idle.begin_stop();
  EXPECT_TRUE(p.idle.has_waiters()) << "participants tell of the end of each task";
  EXPECT_FALSE(p.idle.settle());
  EXPECT_FALSE(p.idle.stopped());
  p.s.worker(0).tasks.close();
  EXPECT_TRUE(p.idle.settle());
  EXPECT_TRUE(p.idle.stopped());
  EXPECT_FALSE(p.idle.settle()) << "it stops once";
}

TEST(idle_detector, a_pool_does_not_stop_while_a_guest_takes_part) {
  detector_of_a_pool p;
  EXPECT_FALSE(p.idle.has_had_guests());
  EXPECT_TRUE(p.idle.enter_guest());
  EXPECT_TRUE(p.idle.enter_guest());
  EXPECT_TRUE(p.idle.has_had_guests());
  p.s.home().accepts.close();
  p.idle.begin_stop();
  p.idle.leave_guest();
  EXPECT_FALSE(p.idle.settle());
  latch now;
  p.idle.add(now);
  EXPECT_FALSE(p.idle.settle());
  EXPECT_TRUE(now.probe()) << "a guest without tasks keeps no pool busy";
  p.idle.leave_guest();
  EXPECT_TRUE(p.idle.settle());
}

TEST(idle_detector, no_guest_enters_a_pool_that_has_stopped) {
  detector_of_a_pool p;
  p.s.home().accepts.close();
  p.idle.begin_stop();
  ASSERT_TRUE(p.idle.settle());
  EXPECT_FALSE(p.idle.enter_guest());
  EXPECT_FALSE(p.idle.has_had_guests());
}

// No task ends afterwards, and the workers may sleep: no other thread would look.
TEST(idle_detector, a_closed_idle_pool_does_not_go_on_when_its_last_guest_has_left) {
  stage s{{.threads = 2}};
  s.end_starts();
  filch::detail::worker* const first = &s.home().participants.take_guest_slot(s.home());
  filch::detail::worker* const last = &s.home().participants.take_guest_slot(s.home());
  ASSERT_TRUE(s.home().enter(*first));
  ASSERT_TRUE(s.home().enter(*last));
  ASSERT_TRUE(first != nullptr && last != nullptr);
  s.home().close();
  s.home().leave(*first);
  EXPECT_FALSE(s.home().stopped()) << "the other guest may still submit";
  s.home().leave(*last);
  EXPECT_TRUE(s.home().stopped());
}

// In between the caller wakes the threads of the pool, which may not be gone yet.
TEST(idle_detector, waiters_are_notified_of_the_end_after_the_stop_is_known) {
  detector_of_a_pool p;
  latch ended, late;
  EXPECT_TRUE(p.idle.notify_of_stop(ended));
  p.s.home().accepts.close();
  p.idle.begin_stop();
  ASSERT_TRUE(p.idle.settle());
  EXPECT_FALSE(ended.probe());
  p.idle.stop_is_known();
  EXPECT_TRUE(ended.probe());
  EXPECT_FALSE(p.idle.notify_of_stop(late));
}

}  // namespace
