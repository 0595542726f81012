#include "filch/detail/sched/observers.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::priority;
using filch::detail::activity;
using filch::detail::auto_reset_event;
using filch::test::stage;
using filch::test::test_job;

/// Observers of their own, for a pool that has two workers.
struct observed_pool {
  stage s{{.threads = 2}};
  filch::detail::observers observed{s.home().participants, s.home().queues};
};

bool is_set(auto_reset_event& e) { return e.wait_until(std::chrono::steady_clock::now()); }

TEST(observers, an_event_is_set_once_when_a_participant_wakes) {
  observed_pool p;
  auto_reset_event e;
  p.observed.participant_is_awake();
  p.observed.notify_when_awake(e);
  EXPECT_FALSE(is_set(e));
  p.observed.participant_is_awake();
  EXPECT_TRUE(is_set(e));
  p.observed.participant_is_awake();
  EXPECT_FALSE(is_set(e));
}

TEST(observers, every_event_is_set) {
  observed_pool p;
  auto_reset_event a, b;
  p.observed.notify_when_awake(a);
  p.observed.notify_when_awake(b);
  p.observed.participant_is_awake();
  EXPECT_TRUE(is_set(a));
  EXPECT_TRUE(is_set(b));
  p.observed.notify_when_awake(b);
  p.observed.participant_is_awake();
  EXPECT_TRUE(is_set(b));
  EXPECT_FALSE(is_set(a)) << "it was not added again";
}

TEST(observers, an_event_that_is_forgotten_is_not_set_and_the_others_are) {
  observed_pool p;
  auto_reset_event gone, stays;
  p.observed.notify_when_awake(gone);
  p.observed.notify_when_awake(stays);
  p.observed.notify_when_awake(gone);  // a sampler that looks again
  p.observed.forget(gone);
  p.observed.participant_is_awake();
  EXPECT_FALSE(is_set(gone));
  EXPECT_TRUE(is_set(stays));
  p.observed.forget(gone);  // not there any more
}

TEST(observers, a_pool_is_asleep_if_every_participant_sleeps_or_is_absent) {
  observed_pool p;
  EXPECT_TRUE(p.observed.is_asleep()) << "its threads have not started, or have ended";
  p.s.worker(0).state.set_doing(activity::sleeping);
  EXPECT_TRUE(p.observed.is_asleep());
  for (const activity a : {activity::running, activity::searching, activity::blocked}) {
    p.s.worker(1).state.set_doing(a);
    EXPECT_FALSE(p.observed.is_asleep());
  }
}

TEST(observers, a_pool_in_which_a_job_waits_is_not_asleep) {
  observed_pool p;
  p.s.give(1, 1);
  EXPECT_FALSE(p.observed.is_asleep());
  p.s.play(1, 1);
  p.s.worker(1).state.set_doing(activity::sleeping);
  EXPECT_TRUE(p.observed.is_asleep());

  test_job job;
  for (const priority level : {priority::high, priority::normal, priority::low}) {
    p.s.home().queues.put(&job, &job, 1, level);
    EXPECT_FALSE(p.observed.is_asleep());
    (void)p.s.home().queues.take(level, 1);
    EXPECT_TRUE(p.observed.is_asleep());
  }
  p.s.home().queues.put_installed(&job);
  EXPECT_FALSE(p.observed.is_asleep());
}

TEST(observers, a_pool_in_which_a_branch_waits_is_not_asleep) {
  observed_pool p;
  const filch::test::open_branches open(p.s.worker(0).branches);
  EXPECT_TRUE(p.observed.is_asleep());
  const filch::test::pushed_branch branch;
  EXPECT_FALSE(p.observed.is_asleep());
}

}  // namespace
