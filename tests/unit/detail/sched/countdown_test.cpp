#include "filch/detail/sched/countdown.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>

#include "filch/detail/sched/waiting.hpp"
#include "support/hang_guard.hpp"
#include "support/team.hpp"

using filch::detail::countdown;

TEST(countdown, without_tasks_there_is_nothing_to_wait_for) {
  countdown c;
  EXPECT_TRUE(c.close());
}

TEST(countdown, the_last_to_end_sets_the_latch) {
  countdown c;
  c.begin_one();
  c.begin_one();
  countdown::end_one(c);
  EXPECT_FALSE(c.close());
  EXPECT_FALSE(c.none().probe());
  countdown::end_one(c);
  EXPECT_TRUE(c.none().probe());
}

TEST(countdown, cannot_reach_zero_before_the_waiter_waits) {
  countdown c;
  c.begin_one();
  countdown::end_one(c);
  EXPECT_FALSE(c.none().probe());
  EXPECT_TRUE(c.close());
}

TEST(countdown, what_was_taken_back_is_not_waited_for) {
  countdown c;
  c.begin_one();
  c.take_back_one();
  EXPECT_TRUE(c.close());
}

TEST(countdown, adds_what_the_waiter_counted_apart) {
  countdown c;
  countdown::end_one(c);  // one of two that the waiter began, and counted by itself
  EXPECT_FALSE(c.none().probe());
  EXPECT_FALSE(c.close(2));
  EXPECT_FALSE(c.none().probe());
  countdown::end_one(c);
  EXPECT_TRUE(c.none().probe());

  c.reopen();
  c.begin_one();  // by another, and ended by the waiter
  EXPECT_TRUE(c.close(-1));
}

TEST(countdown, starts_over) {
  countdown c;
  for (int round = 0; round < 3; ++round) {
    c.begin_one();
    EXPECT_FALSE(c.close());
    EXPECT_FALSE(c.none().probe());
    countdown::end_one(c);
    EXPECT_TRUE(c.none().probe());
    c.reopen();
  }
  EXPECT_TRUE(c.close());
}

// Pitfall 39 for scopes: the thread that ends the last task touches nothing afterwards.
TEST(countdown, may_be_gone_as_soon_as_the_last_has_ended) {
  for (int round = 0; round < 500; ++round) {
    auto c = std::make_unique<countdown>();
    c->begin_one();
    c->begin_one();
    filch::test::team two(2, [&c = *c](std::size_t) { countdown::end_one(c); });
    two.start();
    if (!c->close()) filch::detail::wait_for(c->none());
    c.reset();
  }
}
