#include "filch/detail/sched/worker.hpp"

#include <gtest/gtest.h>

#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::found_job;
using filch::detail::new_call;
using filch::detail::new_region;
using filch::detail::no_region;
using filch::detail::region;
using filch::detail::worker;
using filch::test::playing;
using filch::test::stage;
using filch::test::test_job;

TEST(worker, runs_a_job_in_the_region_of_that_job_and_then_goes_back_to_its_own) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  const playing as(w);
  for (const region where : {no_region, new_region(), new_call()}) {
    test_job j([&] { EXPECT_EQ(w.regions.current(), where); });
    w.run({&j, where});
    EXPECT_EQ(j.runs, 1);
    EXPECT_EQ(w.regions.current(), no_region);
  }
  EXPECT_EQ(w.tallies.jobs.read(), 3u);
}

TEST(worker, jobs_that_a_job_leaves_stay_in_its_region_unless_the_caller_is_in_another) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  const playing as(w);
  const region mine = new_region(), where = new_region();
  test_job left;
  test_job maker([&] { w.push(&left); });
  w.run({&maker, where});
  EXPECT_TRUE(w.has_work_for_thief(where));
  EXPECT_FALSE(w.has_work_for_thief(mine));
  w.run(w.finder.find());
  EXPECT_EQ(left.runs, 1);

  (void)w.regions.enter(mine);
  w.run({&maker, where});
  EXPECT_FALSE(w.has_work_for_thief(where));
  EXPECT_TRUE(w.has_work_for_thief(mine));
  w.run(w.find_here());
  EXPECT_EQ(left.runs, 2);
  (void)w.regions.enter(no_region);
}

TEST(worker, in_a_call_of_others_runs_any_job_but_a_guest_or_an_isolated_one_does_not) {
  stage s({.threads = 1});
  worker& guest = s.home().participants.take_guest_slot(s.home());
  const region call = new_call(), isolated = new_region();
  for (worker* const w : {&s.worker(0), &guest}) {
    EXPECT_EQ(w->restriction(), no_region);
    (void)w->regions.enter(call);
    EXPECT_EQ(w->restriction(), w->is_guest() ? call : no_region);
    (void)w->regions.enter(isolated);
    EXPECT_EQ(w->restriction(), isolated);
    (void)w->regions.enter(no_region);
  }
}

TEST(worker, keeps_jobs_below_the_steal_threshold_unless_it_is_absent) {
  stage s({.threads = 1, .steal_threshold = 2});
  worker& w = s.worker(0);
  const playing as(w);
  test_job a, b;
  EXPECT_FALSE(w.may_be_stolen_from());
  w.push(&a);
  EXPECT_FALSE(w.may_be_stolen_from());
  EXPECT_FALSE(w.has_work_for_thief(no_region));
  w.state.begin_absence();
  EXPECT_TRUE(w.may_be_stolen_from());
  w.state.end_absence();
  w.push(&b);
  EXPECT_TRUE(w.may_be_stolen_from());
  EXPECT_TRUE(w.has_work_for_thief(no_region));
  EXPECT_FALSE(w.has_work_for_thief(new_region()));
  for (int i = 0; i < 2; ++i) w.run(w.find_here());
  EXPECT_EQ(w.size_hint(), 0u);
}

TEST(worker, a_guest_that_leaves_runs_jobs_of_a_region_and_puts_the_others_into_the_injector) {
  stage s({.threads = 1});
  worker& guest = s.home().participants.take_guest_slot(s.home());
  const playing as(guest);
  test_job of_region, other;
  (void)guest.regions.enter(new_region());
  guest.push(&of_region);
  (void)guest.regions.enter(new_call());
  guest.push(&other);
  guest.clear_before_leaving();
  (void)guest.regions.enter(no_region);
  EXPECT_EQ(of_region.runs, 1);
  EXPECT_EQ(other.runs, 0);
  EXPECT_EQ(guest.deque.size_hint(), 0u);
  EXPECT_EQ(s.home().queues.take(filch::priority::normal, 2), &other);
}

TEST(worker, a_thread_that_leaves_by_fork_has_no_slot_and_finds_what_is_in_its_way) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  const playing as(w);
  test_job own, in_the_way;
  w.push(&own);
  EXPECT_FALSE(w.distracted());
  worker::leave_by_fork(in_the_way);
  EXPECT_EQ(worker::current(), nullptr);
  EXPECT_TRUE(w.distracted());
  const found_job found = w.find_here();
  EXPECT_EQ(found.what, &in_the_way);
}

}  // namespace
