#include "filch/detail/sched/idle_sleep.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::activity;
using filch::detail::idle_sleep;
using filch::detail::latch;
using filch::detail::my_branches;
using filch::detail::no_region;
using filch::detail::wait_goal;
using filch::detail::worker;
using filch::test::open_branches;
using filch::test::stage;
using filch::test::test_job;
using filch::test::until;

/// A pool whose hook may have left work behind, so that a sleeper looks for it.
stage with_work() {
  return stage({.threads = 2, .on_start = [](std::size_t) {}});
}

/// Would worker 0 sleep? Its time is over, so it does not sleep for long.
bool sleeps(stage& s, latch* done = nullptr, filch::detail::region only = no_region) {
  const auto before = s.worker(0).tallies.sleeps.read();
  idle_sleep(s.worker(0)).sleep({done, wait_goal::clock::now()}, only);
  EXPECT_FALSE(s.is_asleep(s.worker(0)));
  return s.worker(0).tallies.sleeps.read() != before;
}

TEST(idle_sleep, a_participant_sleeps_if_no_source_has_work) {
  stage s = with_work();
  EXPECT_TRUE(sleeps(s));
  EXPECT_EQ(s.worker(0).state.doing(), activity::searching);
}

TEST(idle_sleep, it_stays_up_if_there_is_work_of_its_own_of_another_or_outside) {
  test_job own, of_other, outside, installed;
  for (const int source : {0, 1, 2, 3}) {
    stage s = with_work();
    if (source == 0) s.worker(0).deque.push({&own, no_region});
    if (source == 1) s.worker(1).deque.push({&of_other, no_region});
    if (source == 2) s.home().queues.put(&outside, &outside, 1, filch::priority::low);
    if (source == 3) s.home().queues.put_installed(&installed);
    EXPECT_FALSE(sleeps(s)) << source;
  }
}

TEST(idle_sleep, without_a_free_seat_only_work_of_its_own_keeps_it_up) {
  test_job own, of_other;
  stage s = with_work();
  for (int seat = 0; seat < 3; ++seat) s.home().wakes.sleeping().take_seats(1);  // one is overdrawn
  s.worker(1).deque.push({&of_other, no_region});
  EXPECT_TRUE(sleeps(s));
  s.worker(0).deque.push({&own, no_region});
  EXPECT_FALSE(sleeps(s));
}

TEST(idle_sleep, a_seat_that_a_sleeper_in_a_region_gives_back_wakes_one_for_other_work) {
  test_job of_other;
  stage s = with_work();
  s.home().wakes.sleeping().take_seats(1);
  s.put_to_sleep(s.worker(1));
  for (int seat = 0; seat < 2; ++seat) s.home().wakes.sleeping().take_seats(1);
  s.worker(1).deque.push({&of_other, no_region});
  EXPECT_TRUE(sleeps(s, nullptr, 5));
  EXPECT_FALSE(s.is_asleep(s.worker(1)));
}

TEST(idle_sleep, it_stays_up_if_its_latch_is_set_or_its_pool_has_stopped) {
  stage s = with_work();
  latch set, unset;
  latch::set(set);
  EXPECT_FALSE(sleeps(s, &set));
  EXPECT_TRUE(sleeps(s, &unset));
  s.end_starts();
  s.home().close();
  ASSERT_TRUE(s.home().stopped());
  EXPECT_FALSE(sleeps(s));
  EXPECT_TRUE(sleeps(s, &unset)) << "a wait goes on after the pool has stopped";
}

TEST(idle_sleep, a_latch_that_it_does_not_wait_for_any_more_does_not_wake_it) {
  stage s = with_work();
  idle_sleep sleep(s.worker(0));
  latch done;
  sleep.sleep({&done, wait_goal::clock::now()}, no_region);
  sleep.where().announce();
  latch::set(done);
  EXPECT_TRUE(sleep.where().is_asleep());
  (void)sleep.where().retract();
}

TEST(idle_sleep, it_asks_every_participant_for_branches_once_the_pool_has_had_work) {
  for (const bool has_had_work : {false, true}) {
    stage s({.threads = 2});
    const open_branches open(s.worker(1).branches);
    test_job job;
    if (has_had_work) {
      s.home().accepts.submit_chain(&job, &job, 1);
      (void)s.home().queues.take(filch::priority::normal, 1);
    }
    EXPECT_FALSE(my_branches.asked());
    EXPECT_TRUE(sleeps(s));
    EXPECT_EQ(my_branches.asked(), has_had_work);
  }
}

TEST(idle_sleep, others_see_in_which_region_it_sleeps) {
  stage s = with_work();
  EXPECT_TRUE(sleeps(s, nullptr, 5));
  EXPECT_EQ(s.worker(0).state.sleeps_in(), 5u);
  EXPECT_TRUE(sleeps(s));
  EXPECT_EQ(s.worker(0).state.sleeps_in(), no_region);
}

TEST(idle_sleep, a_latch_or_a_waker_ends_it) {
  stage s = with_work();
  worker& w = s.worker(0);
  idle_sleep sleep(w);
  for (const bool by_latch : {true, false}) {
    w.state.set_doing(activity::searching);
    latch done;
    std::thread other([&] {
      until([&] { return w.state.doing() == activity::sleeping; });
      if (by_latch)
        latch::set(done);
      else
        EXPECT_TRUE(s.home().wakes.sleeping().wake(sleep.where()));
    });
    sleep.sleep({&done, wait_goal::clock::time_point::max()}, no_region);
    other.join();
    EXPECT_EQ(done.probe(), by_latch);
    EXPECT_EQ(w.state.doing(), activity::searching);
    EXPECT_EQ(s.home().wakes.sleeping().count_hint(), 0u);
  }
}

}  // namespace
