#include "filch/detail/sched/latch.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "support/hang_guard.hpp"
#include "support/sanitizers.hpp"

using filch::detail::borrow_parker;
using filch::detail::latch;
using filch::detail::parker;
using filch::detail::return_parker;

TEST(latch, is_not_set_at_first) {
  const latch l;
  EXPECT_FALSE(l.probe());
}

TEST(latch, stays_set) {
  latch l;
  latch::set(l);
  EXPECT_TRUE(l.probe());
  EXPECT_TRUE(l.probe());
}

TEST(latch, no_thread_falls_asleep_on_one_that_is_set) {
  parker& sleeper = borrow_parker();
  latch l;
  latch::set(l);
  sleeper.announce();
  EXPECT_FALSE(l.try_sleep(sleeper));
  EXPECT_TRUE(sleeper.retract());  // no thread claimed it
  return_parker(sleeper);
}

TEST(latch, setting_it_wakes_the_sleeper) {
  parker& sleeper = borrow_parker();
  latch l;
  sleeper.announce();
  ASSERT_TRUE(l.try_sleep(sleeper));
  std::thread setter([&] { latch::set(l); });
  sleeper.park();
  EXPECT_TRUE(l.probe());
  EXPECT_TRUE(sleeper.retract());
  setter.join();
  return_parker(sleeper);
}

TEST(latch, a_sleeper_that_stays_up_is_not_called) {
  parker& sleeper = borrow_parker();
  latch l;
  sleeper.announce();
  ASSERT_TRUE(l.try_sleep(sleeper));
  l.cancel_sleep(sleeper);
  latch::set(l);
  EXPECT_TRUE(sleeper.is_asleep());
  EXPECT_TRUE(sleeper.retract());
  return_parker(sleeper);
}

TEST(latch, staying_up_after_it_was_set_leaves_it_set) {
  parker& sleeper = borrow_parker();
  latch l;
  sleeper.announce();
  ASSERT_TRUE(l.try_sleep(sleeper));
  latch::set(l);
  l.cancel_sleep(sleeper);
  EXPECT_TRUE(l.probe());
  EXPECT_TRUE(sleeper.retract());
  return_parker(sleeper);
}

// Pitfall 39, L1. The sanitizers notice a setter that touches the latch after its owner freed it.
TEST(latch, may_be_gone_as_soon_as_it_is_set) {
  parker& sleeper = borrow_parker();
  for (int round = 0; round < filch::test::size_for_build(2000, 500); ++round) {
    auto l = std::make_unique<latch>();
    std::thread setter([&l = *l] { latch::set(l); });
    while (!l->probe()) {
      sleeper.announce();
      if (round % 2 == 0 && l->try_sleep(sleeper)) {
        sleeper.park();
        l->cancel_sleep(sleeper);
      }
      (void)sleeper.retract();
    }
    l.reset();
    setter.join();
  }
  return_parker(sleeper);
}
