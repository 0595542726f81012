#include "filch/detail/sched/thief.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::found_job;
using filch::detail::no_region;
using filch::detail::thief;
using filch::detail::worker;
using filch::test::open_branches;
using filch::test::pushed_branch;
using filch::test::stage;
using filch::test::test_job;

TEST(thief, takes_nothing_from_itself) {
  stage s({.threads = 3});
  thief t(s.worker(0));
  test_job own;
  s.worker(0).push(&own);
  EXPECT_FALSE(t.steal(no_region));
  EXPECT_EQ(t.last_victim(), SIZE_MAX);
  EXPECT_EQ(s.worker(0).tallies.steals_empty.read(), 2u) << "two others had nothing";
}

TEST(thief, takes_the_oldest_job_wherever_it_is_and_counts_it) {
  for (std::size_t victim = 1; victim < 7; ++victim) {
    stage s({.threads = 7});
    thief t(s.worker(0));
    test_job older, newer;
    s.worker(victim).push(&older);
    s.worker(victim).push(&newer);
    EXPECT_EQ(t.steal(no_region).what, &older);
    EXPECT_EQ(t.last_victim(), victim);
    EXPECT_EQ(t.steal(no_region).what, &newer);
    EXPECT_FALSE(t.steal(no_region));
    EXPECT_EQ(s.worker(0).tallies.steals_taken.read(), 2u);
    EXPECT_EQ(s.worker(0).tallies.steal_hits.read(), 2u);
  }
}

TEST(thief, takes_several_jobs_of_a_long_deque_unless_it_is_a_guest) {
  stage s({.threads = 2});
  worker& guest = s.home().participants.take_guest_slot(s.home());
  std::array<test_job, 100> jobs;
  for (test_job& j : jobs) s.worker(1).push(&j);
  EXPECT_EQ(thief(guest).steal(no_region).what, &jobs[0]);
  EXPECT_EQ(guest.deque.size_hint(), 0u);
  EXPECT_EQ(thief(s.worker(0)).steal(no_region).what, &jobs[1]);
  EXPECT_EQ(s.worker(0).deque.size_hint(), 15u);
  EXPECT_EQ(s.worker(0).find_here().what, &jobs[2]) << "the oldest is popped first";
  EXPECT_EQ(s.worker(0).tallies.steals_taken.read(), 16u);
  EXPECT_EQ(s.worker(0).tallies.steal_hits.read(), 1u);
}

TEST(thief, takes_several_jobs_of_a_guests_call) {
  stage s({.threads = 2});
  std::array<test_job, 100> jobs;
  const filch::detail::region call = filch::detail::new_call();
  for (test_job& j : jobs) s.worker(1).push(&j, call);
  EXPECT_EQ(thief(s.worker(0)).steal(no_region).where, call);
  EXPECT_EQ(s.worker(0).deque.size_hint(), 15u);
}

TEST(thief, leaves_the_jobs_of_a_region_where_those_look_who_wait_in_it) {
  stage s({.threads = 2});
  std::array<test_job, 40> jobs;
  s.worker(1).push(&jobs[0], no_region);
  for (std::size_t i = 1; i < jobs.size(); ++i) s.worker(1).push(&jobs[i], 5);
  EXPECT_EQ(thief(s.worker(0)).steal(no_region).what, &jobs[0]);
  EXPECT_EQ(s.worker(0).deque.size_hint(), 0u);
  const found_job j = thief(s.worker(0)).steal(no_region);
  EXPECT_EQ(j.what, &jobs[1]) << "one at a time it takes them";
  EXPECT_EQ(j.where, 5u);
}

TEST(thief, a_worker_takes_nothing_from_a_guest_if_there_is_no_seat_for_both) {
  stage s({.threads = 1});
  worker& guest = s.home().participants.take_guest_slot(s.home());
  filch::detail::sleepers& seats = s.home().wakes.sleeping();
  test_job job;
  guest.push(&job);
  seats.take_seats(1);  // the worker's
  seats.take_seats(1);  // the guest's
  EXPECT_FALSE(thief(s.worker(0)).steal(no_region));
  EXPECT_FALSE(thief(s.worker(0)).steal(no_region));
  (void)seats.give_seats_back(1);
  EXPECT_EQ(thief(s.worker(0)).steal(no_region).what, &job);
}

TEST(thief, a_worker_takes_jobs_from_a_guest_that_waits_for_a_seat) {
  stage s({.threads = 1});
  worker& guest = s.home().participants.take_guest_slot(s.home());
  test_job job;
  guest.push(&job);
  s.home().wakes.sleeping().take_seats(2);
  guest.state.set_doing(filch::detail::activity::awaiting_seat);
  EXPECT_EQ(thief(s.worker(0)).steal(no_region).what, &job);
}

TEST(thief, in_a_region_takes_only_jobs_and_branches_of_that_region) {
  stage s({.threads = 2});
  worker& victim = s.worker(1);
  thief t(s.worker(0));
  test_job of_none, of_five;
  const open_branches open(victim.branches);
  (void)victim.regions.enter(5);
  {
    const pushed_branch branch;
    victim.regions.leave(no_region);
    victim.push(&of_none, no_region);
    EXPECT_FALSE(t.steal(7));
    EXPECT_EQ(t.steal(5).what, branch.slot());
    EXPECT_FALSE(t.steal(5));
  }
  EXPECT_EQ(victim.find_here().what, &of_none);
  victim.push(&of_five, 5);
  EXPECT_EQ(t.steal(5).what, &of_five);
}

TEST(thief, takes_nothing_below_the_threshold_unless_the_owner_is_absent) {
  stage s({.threads = 2, .steal_threshold = 3});
  thief t(s.worker(0));
  std::array<test_job, 3> jobs;
  for (test_job& j : jobs) s.worker(1).push(&j);
  EXPECT_EQ(t.steal(no_region).what, &jobs[0]);
  EXPECT_FALSE(t.steal(no_region));
  s.worker(1).state.begin_absence();
  EXPECT_EQ(t.steal(no_region).what, &jobs[1]);
}

TEST(thief, takes_the_oldest_branch_and_makes_private_ones_public_if_the_owner_does_not_answer) {
  stage s({.threads = 2});
  thief t(s.worker(0));
  const open_branches open(s.worker(1).branches);
  const pushed_branch a, b, c;
  EXPECT_EQ(t.steal(no_region).what, a.slot());
  EXPECT_EQ(t.steal(no_region).what, b.slot());
  EXPECT_EQ(t.steal(no_region).what, c.slot());
  EXPECT_FALSE(t.steal(no_region));
}

TEST(thief, asks_a_victim_that_has_nothing_and_hears_the_answer) {
  stage s({.threads = 2});
  thief t(s.worker(0));
  const open_branches open(s.worker(1).branches);
  EXPECT_FALSE(t.has_answer());
  EXPECT_FALSE(t.steal(no_region));
  EXPECT_TRUE(filch::detail::my_branches.asked());
  EXPECT_FALSE(t.has_answer());
  const pushed_branch answer;
  EXPECT_TRUE(t.has_answer());
  EXPECT_EQ(t.steal(no_region).what, answer.slot());
  EXPECT_FALSE(t.has_answer());
}

TEST(thief, goes_first_to_the_victim_that_has_answered) {
  stage s({.threads = 3});
  thief t(s.worker(0));
  int answers = 0;
  for (int round = 0; round < 40; ++round) {
    const open_branches open(s.worker(1).branches);
    EXPECT_FALSE(t.steal(no_region));
    const pushed_branch branch;
    test_job job;
    s.worker(2).push(&job);
    const bool answered = t.has_answer();  // else it asked the other worker last
    const found_job first = t.steal(no_region);
    const found_job second = t.steal(no_region);
    EXPECT_TRUE(first.what == branch.slot() || second.what == branch.slot());
    EXPECT_TRUE(first.what == &job || second.what == &job);
    if (!answered) continue;
    ++answers;
    EXPECT_EQ(first.what, branch.slot());
  }
  EXPECT_GT(answers, 0);
}

}  // namespace
