#include "filch/detail/sched/outside_turns.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "filch/detail/base/atomic.hpp"

namespace {

struct outside_turns_of_a_worker {
  filch::detail::atomic<std::uint64_t> urgent{0};
  filch::detail::outside_turns turns{urgent};
};

}  // namespace

TEST(outside_turns, outside_work_is_due_after_61_jobs) {
  outside_turns_of_a_worker w;
  EXPECT_FALSE(w.turns.is_due(60));
  EXPECT_TRUE(w.turns.is_due(61));
  w.turns.begin_next(100);
  EXPECT_FALSE(w.turns.is_due(160));
  EXPECT_TRUE(w.turns.is_due(161));
}

TEST(outside_turns, always_lasts_until_the_next_turn_begins) {
  outside_turns_of_a_worker w;
  w.turns.always();
  EXPECT_TRUE(w.turns.is_due(0));
  EXPECT_TRUE(w.turns.is_due(0));
  w.turns.begin_next(0);
  EXPECT_FALSE(w.turns.is_due(0));
}

TEST(outside_turns, urgent_jobs_do_not_count) {
  outside_turns_of_a_worker w;
  w.turns.begin_next(0);
  w.turns.leave_out_one();
  EXPECT_FALSE(w.turns.is_due(61));
  EXPECT_TRUE(w.turns.is_due(62));
}

TEST(outside_turns, jobs_of_the_inbox_and_urgent_work_may_come_first_before_the_turn) {
  outside_turns_of_a_worker w;
  EXPECT_FALSE(w.turns.may_come_first(0, 0));
  EXPECT_TRUE(w.turns.may_come_first(0, 1));
  w.urgent = 2;
  EXPECT_TRUE(w.turns.may_come_first(0, 0));
  w.urgent = 0;
  EXPECT_TRUE(w.turns.may_come_first(61, 0));
}

TEST(outside_turns, every_16th_look_leaves_urgent_work_out) {
  outside_turns_of_a_worker w;
  for (int look = 1; look <= 48; ++look)
    EXPECT_EQ(w.turns.urgent_goes_first(), look % 16 != 0) << look;
}

TEST(outside_turns, every_8th_look_begins_with_work_of_low_priority) {
  outside_turns_of_a_worker w;
  for (int look = 1; look <= 24; ++look) EXPECT_EQ(w.turns.low_goes_first(), look % 8 == 0) << look;
}

TEST(outside_turns, submitted_and_installed_work_take_turns) {
  outside_turns_of_a_worker w;
  for (int look = 0; look < 6; ++look)
    EXPECT_EQ(w.turns.installed_goes_first(), look % 2 == 1) << look;
}

TEST(outside_turns, the_oldest_of_the_deque_goes_first_every_other_time_if_it_is_from_outside) {
  outside_turns_of_a_worker w;
  for (int look = 0; look < 4; ++look) EXPECT_FALSE(w.turns.oldest_goes_first());
  w.turns.set_outside_in_deque(true);
  for (int look = 0; look < 6; ++look)
    EXPECT_EQ(w.turns.oldest_goes_first(), look % 2 == 1) << look;
  w.turns.set_outside_in_deque(false);
  for (int look = 0; look < 4; ++look) EXPECT_FALSE(w.turns.oldest_goes_first());
}
