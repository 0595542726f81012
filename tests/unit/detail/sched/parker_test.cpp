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

TEST(parker, whoever_is_awake_can_be_neither_claimed_nor_called) {
  parker bed;
  EXPECT_FALSE(bed.claim());
  bed.call();
  EXPECT_FALSE(bed.get_up());
}

TEST(parker, a_sleeper_is_claimed_once) {
  parker bed;
  bed.announce();
  EXPECT_TRUE(bed.claim());
  EXPECT_FALSE(bed.claim());
  EXPECT_FALSE(bed.get_up()) << "whoever claimed it has taken it from the count";
}

TEST(parker, a_called_sleeper_is_not_claimed_and_still_counts) {
  parker bed;
  bed.announce();
  bed.call();
  EXPECT_FALSE(bed.claim());
  EXPECT_TRUE(bed.get_up());
}

TEST(parker, a_wake_before_the_sleep_is_not_lost) {
  parker bed;
  bed.announce();
  ASSERT_TRUE(bed.claim());
  bed.rouse();
  bed.sleep();  // returns at once
  bed.announce();
  bed.call();
  bed.sleep();
  EXPECT_TRUE(bed.get_up());
}

TEST(parker, rousing_ends_a_sleep) {
  parker bed;
  std::thread sleeper([&] {
    bed.announce();
    bed.sleep();
    EXPECT_FALSE(bed.get_up());
  });
  until([&] { return bed.claim(); });
  bed.rouse();
  sleeper.join();
}

TEST(parker, a_sleep_with_a_deadline_ends) {
  parker bed;
  bed.announce();
  const auto deadline = std::chrono::steady_clock::now() + 5ms;
  bed.sleep_until(deadline);
  EXPECT_GE(std::chrono::steady_clock::now(), deadline);
  EXPECT_TRUE(bed.get_up());
}

// So that a late unpark finds a parker.
TEST(parker, is_used_again_and_never_freed) {
  parker& first = borrow_parker();
  return_parker(first);
  EXPECT_EQ(&borrow_parker(), &first);
  first.call();  // a late one
  EXPECT_FALSE(first.is_asleep());
  return_parker(first);
}

namespace {

void expect_each_is_counted_once() {
  sleepers all;
  parker bed;
  EXPECT_FALSE(all.any());
  EXPECT_FALSE(all.wake(bed));

  all.announce(bed, [] {});
  EXPECT_TRUE(all.any());
  EXPECT_TRUE(all.wake(bed));
  EXPECT_FALSE(all.any());
  all.get_up(bed);
  EXPECT_FALSE(all.any());

  all.announce(bed, [] {});
  bed.call();
  EXPECT_FALSE(all.wake(bed));
  all.get_up(bed);
  EXPECT_FALSE(all.any());
  EXPECT_EQ(all.count_hint(), 0u);

  all.announce(bed, [] {});
  EXPECT_EQ(all.count_hint(), 1u);
  all.get_up(bed);  // changed its mind
  EXPECT_EQ(all.count_hint(), 0u);
}

}  // namespace

// S5: a wake-up outside of the bookkeeping must not change the count.
TEST(sleepers, count_each_sleeper_once_whoever_wakes_it) { expect_each_is_counted_once(); }

TEST(sleepers, count_the_same_without_membarrier) {
  filch::detail::force_full_fences(true);
  expect_each_is_counted_once();
  filch::detail::force_full_fences(false);
}
