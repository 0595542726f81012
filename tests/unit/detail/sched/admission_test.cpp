#include "filch/detail/sched/admission.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>

#include "filch/detail/sched/waiting.hpp"
#include "support/hang_guard.hpp"
#include "support/team.hpp"

using filch::detail::admission;
using filch::detail::wait_for;

TEST(admission, lets_in_as_many_as_the_limit_says) {
  admission r(2);
  EXPECT_TRUE(r.try_enter(1));
  EXPECT_TRUE(r.try_enter(1));
  EXPECT_FALSE(r.try_enter(1));
  r.leave(1);
  EXPECT_TRUE(r.try_enter(1));
  EXPECT_EQ(r.size_hint(), 2u);
}

TEST(admission, nothing_is_too_large_for_it_while_it_is_not_full) {
  admission r(2);
  EXPECT_TRUE(r.try_enter(1));
  EXPECT_TRUE(r.try_enter(10));
  EXPECT_FALSE(r.try_enter(1));
  r.leave(9);
  EXPECT_FALSE(r.try_enter(1)) << "2 are left";
  r.leave(1);
  EXPECT_TRUE(r.try_enter(1));
}

TEST(admission, a_free_slot_goes_to_the_first_in_line_and_to_no_other_thread) {
  admission r(1);
  ASSERT_TRUE(r.try_enter(1));
  admission::waiter first(1), second(1);
  ASSERT_FALSE(r.enter(first));
  ASSERT_FALSE(r.enter(second));
  r.leave(1);
  EXPECT_TRUE(first.entered.probe());
  EXPECT_FALSE(second.entered.probe());
  EXPECT_FALSE(r.try_enter(1));
  r.leave(1);
  EXPECT_TRUE(second.entered.probe());
  r.leave(1);
  EXPECT_EQ(r.size_hint(), 0u);
  EXPECT_TRUE(r.try_enter(1)) << "no thread is in line any more";
}

TEST(admission, admits_no_waiter_that_is_only_notified) {
  admission r(1);
  ASSERT_TRUE(r.try_enter(1));
  admission::waiter busy(1, true), next(1), again(1, true);
  ASSERT_FALSE(r.enter(busy));
  ASSERT_FALSE(r.enter(next));
  r.leave(1);
  EXPECT_TRUE(busy.entered.probe());
  EXPECT_TRUE(next.entered.probe()) << "it is free: the one before may be long in coming";
  EXPECT_EQ(r.size_hint(), 1u);
  ASSERT_FALSE(r.enter(again));
  r.leave(1);
  EXPECT_TRUE(again.entered.probe());
  EXPECT_EQ(r.size_hint(), 0u);
}

TEST(admission, who_leaves_with_many_lets_many_in) {
  admission r(2);
  ASSERT_TRUE(r.try_enter(5));
  admission::waiter a(1), b(1), c(1);
  ASSERT_FALSE(r.enter(a));
  ASSERT_FALSE(r.enter(b));
  ASSERT_FALSE(r.enter(c));
  r.leave(5);
  EXPECT_TRUE(a.entered.probe());
  EXPECT_TRUE(b.entered.probe());
  EXPECT_FALSE(c.entered.probe());
  r.close();
  EXPECT_TRUE(c.entered.probe());
}

TEST(admission, that_is_closed_keeps_no_thread_waiting) {
  admission r(1);
  r.enter_anyway(3);
  admission::waiter early(1), late(1);
  ASSERT_FALSE(r.enter(early));
  r.close();
  EXPECT_TRUE(early.entered.probe());
  EXPECT_TRUE(r.enter(late));
  EXPECT_EQ(r.size_hint(), 5u);
}

TEST(admission, never_holds_more_than_its_limit_and_loses_no_waiter) {
  constexpr std::size_t limit = 2, people = 4, visits = 5000;
  admission r(limit);
  std::atomic<std::size_t> inside = 0, done = 0;
  filch::test::team crowd(people, [&](std::size_t) {
    for (std::size_t i = 0; i < visits; ++i) {
      admission::waiter mine(1);
      if (!r.enter(mine)) wait_for(mine.entered);
      EXPECT_LE(++inside, limit);
      --inside;
      r.leave(1);
      ++done;
    }
  });
  crowd.join();
  EXPECT_EQ(done, people * visits);
  EXPECT_EQ(r.size_hint(), 0u);
}
