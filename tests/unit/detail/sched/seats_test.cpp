#include "filch/detail/sched/seats.hpp"

#include <gtest/gtest.h>

#include "filch/detail/sched/sleepers.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::seats;
using filch::detail::sleepers;
using filch::test::stage;

/// Worker 1 of two sleeps, and no seat is free: worker 0 has one, and a guest the other.
struct full_house {
  full_house() {
    seating.take();
    seating.take();
    s.put_to_sleep(s.worker(1));
    seating.take();
  }
  bool sleeps() { return stage::is_asleep(s.worker(1)); }

  stage s{{.threads = 2}};
  seats& seating = s.home().seating;
  const sleepers& sleeping = s.home().wakes.sleeping();
};

TEST(seats, that_are_given_back_are_free) {
  stage s({.threads = 2});
  seats& seating = s.home().seating;
  const sleepers& sleeping = s.home().wakes.sleeping();
  EXPECT_EQ(sleeping.free_seats(), 2);
  for (int i = 0; i < 3; ++i) seating.take();
  EXPECT_EQ(sleeping.free_seats(), -1) << "a thread takes one whether or not one is free";
  seating.give_back(s.worker(0));
  EXPECT_EQ(sleeping.free_seats(), 0);
}

TEST(seats, no_sleeper_is_woken_for_a_free_seat_without_work) {
  full_house h;
  h.seating.give_back(h.s.worker(0));
  EXPECT_TRUE(h.sleeps());
}

TEST(seats, work_that_was_published_without_a_free_seat_is_not_forgotten) {
  full_house h;
  h.s.give(0, 1);
  EXPECT_TRUE(h.sleeps()) << "there is no seat for it";
  h.seating.give_back(h.s.worker(0));
  EXPECT_FALSE(h.sleeps());
}

TEST(seats, a_guest_that_leaves_looks_for_work_of_others_only_if_there_may_be_some) {
  full_house h;
  h.s.home().wakes.wake_all();
  h.s.give(0, 1);  // no thread sleeps, so this leaves no note
  h.s.put_to_sleep(h.s.worker(1));
  filch::detail::idle_detector& guests = h.s.home().idle;
  ASSERT_TRUE(guests.enter_guest());
  h.seating.give_back_after_call(h.s.worker(0), guests);
  EXPECT_TRUE(h.sleeps());
  h.seating.take();
  ASSERT_TRUE(guests.enter_guest());
  h.seating.give_back_after_call(h.s.worker(0), guests);
  EXPECT_FALSE(h.sleeps());
}

TEST(seats, a_larger_count_wakes_a_sleeper_for_work_and_a_smaller_one_wakes_none) {
  full_house h;
  h.seating.give_back(h.s.worker(0));
  h.seating.set_count(1);
  EXPECT_EQ(h.sleeping.free_seats(), 0);
  h.s.give(0, 1);
  EXPECT_TRUE(h.sleeps());
  h.seating.set_count(2);
  EXPECT_FALSE(h.sleeps());
}

}  // namespace
