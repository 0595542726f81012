#include "filch/detail/sched/presence.hpp"

#include <gtest/gtest.h>

using filch::detail::activity;
using filch::detail::no_region;
using filch::detail::presence;

TEST(presence, a_slot_that_no_thread_has_used_does_nothing) {
  const presence p;
  EXPECT_EQ(p.doing(), activity::absent);
  EXPECT_EQ(p.sleeps_in(), no_region);
  EXPECT_FALSE(p.is_absent());
  EXPECT_FALSE(p.am_absent());
}

TEST(presence, tells_what_its_owner_does_and_in_which_region_it_sleeps) {
  presence p;
  for (const activity a : {activity::running, activity::searching, activity::sleeping,
                           activity::blocked, activity::absent}) {
    p.set_doing(a);
    EXPECT_EQ(p.doing(), a);
  }
  p.set_sleeps_in(5);
  EXPECT_EQ(p.sleeps_in(), 5u);
  p.set_sleeps_in(no_region);
  EXPECT_EQ(p.sleeps_in(), no_region);
}

TEST(presence, absences_inside_of_each_other_end_with_the_outermost) {
  presence p;
  p.begin_absence();
  p.begin_absence();
  p.end_absence();
  EXPECT_TRUE(p.is_absent());
  EXPECT_TRUE(p.am_absent());
  p.end_absence();
  EXPECT_FALSE(p.is_absent());
  EXPECT_FALSE(p.am_absent());
}

TEST(presence, an_absence_does_not_change_what_it_does) {
  presence p;
  p.set_doing(activity::running);
  p.begin_absence();
  EXPECT_EQ(p.doing(), activity::running);
  p.set_doing(activity::blocked);
  EXPECT_TRUE(p.is_absent());
}
