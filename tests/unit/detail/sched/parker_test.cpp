#include "filch/detail/sched/parker.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::detail::borrow_parker;
using filch::detail::parker;
using filch::detail::return_parker;
using filch::detail::sleepers;
using filch::test::until;
using namespace std::chrono_literals;

TEST(parker, a_thread_that_is_awake_can_be_neither_claimed_nor_unparked) {
  parker sleeper;
  EXPECT_FALSE(sleeper.claim());
  sleeper.unpark();
  EXPECT_FALSE(sleeper.retract());
}

TEST(parker, a_sleeper_is_claimed_once) {
  parker sleeper;
  sleeper.announce();
  EXPECT_TRUE(sleeper.claim());
  EXPECT_FALSE(sleeper.claim());
  EXPECT_FALSE(sleeper.retract()) << "the thread that claimed it has taken it from the count";
}

TEST(parker, a_called_sleeper_is_not_claimed_and_still_counts) {
  parker sleeper;
  sleeper.announce();
  sleeper.unpark();
  EXPECT_FALSE(sleeper.claim());
  EXPECT_TRUE(sleeper.retract());
}

TEST(parker, a_wake_before_the_sleep_is_not_lost) {
  parker sleeper;
  sleeper.announce();
  ASSERT_TRUE(sleeper.claim());
  sleeper.unpark_claimed();
  sleeper.park();  // returns at once
  sleeper.announce();
  sleeper.unpark();
  sleeper.park();
  EXPECT_TRUE(sleeper.retract());
}

TEST(parker, unparking_ends_a_sleep) {
  parker sleeper;
  std::thread thread([&] {
    sleeper.announce();
    sleeper.park();
    EXPECT_FALSE(sleeper.retract());
  });
  until([&] { return sleeper.claim(); });
  sleeper.unpark_claimed();
  thread.join();
}

TEST(parker, a_sleep_with_a_deadline_ends) {
  parker sleeper;
  sleeper.announce();
  const auto deadline = std::chrono::steady_clock::now() + 5ms;
  sleeper.park_until(deadline);
  EXPECT_GE(std::chrono::steady_clock::now(), deadline);
  EXPECT_TRUE(sleeper.retract());
}

// So that a late unpark finds a parker.
TEST(parker, is_used_again_and_never_freed) {
  parker& first = borrow_parker();
  return_parker(first);
  EXPECT_EQ(&borrow_parker(), &first);
  first.unpark();  // a late one
  EXPECT_FALSE(first.is_asleep());
  return_parker(first);
}

namespace {

void expect_each_is_counted_once() {
  sleepers all(8);
  parker sleeper;
  EXPECT_FALSE(all.any());
  EXPECT_FALSE(all.wake(sleeper));

  all.announce(sleeper, [] {});
  EXPECT_TRUE(all.any());
  EXPECT_TRUE(all.wake(sleeper));
  EXPECT_FALSE(all.any());
  all.retract(sleeper);
  EXPECT_FALSE(all.any());

  all.announce(sleeper, [] {});
  sleeper.unpark();
  EXPECT_FALSE(all.wake(sleeper));
  all.retract(sleeper);
  EXPECT_FALSE(all.any());
  EXPECT_EQ(all.count_hint(), 0u);

  all.announce(sleeper, [] {});
  EXPECT_EQ(all.count_hint(), 1u);
  all.retract(sleeper);  // changed its mind
  EXPECT_EQ(all.count_hint(), 0u);
}

}  // namespace

// S5: a wake-up outside of the bookkeeping must not change the count.
TEST(sleepers, count_each_sleeper_once_whichever_thread_wakes_it) { expect_each_is_counted_once(); }

TEST(sleepers, seats_are_taken_by_threads_that_are_awake) {
  sleepers all(2);
  parker sleeper;
  EXPECT_EQ(all.free_seats(), 2);
  all.take_seats(3);
  EXPECT_EQ(all.free_seats(), -1);
  all.announce(sleeper, [] {});
  EXPECT_EQ(all.free_seats(), 0);
  EXPECT_FALSE(all.any()) << "there is no seat for it";
  EXPECT_FALSE(all.any_to_notify(true)) << "work of a guest's call needs no note";
  EXPECT_TRUE(all.any_to_notify(false));
  EXPECT_EQ(all.give_seats_back(1), sleepers::freed::seat) << "nothing waits for a seat";
  EXPECT_TRUE(all.any());
  all.take_seats(1);
  EXPECT_FALSE(all.may_wake_for_others());
  EXPECT_EQ(all.give_seats_back(1), sleepers::freed::noted_seat);
  EXPECT_TRUE(all.may_wake_for_others());
  EXPECT_TRUE(all.wake(sleeper));
  EXPECT_EQ(all.free_seats(), 0);
  EXPECT_EQ(all.give_seats_back(2), sleepers::freed::nothing) << "no thread sleeps";
  EXPECT_EQ(all.free_seats(), 2);
}

TEST(sleepers, count_the_same_without_membarrier) {
  filch::detail::force_full_fences(true);
  expect_each_is_counted_once();
  filch::detail::force_full_fences(false);
}
