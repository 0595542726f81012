#include "filch/detail/split/habit.hpp"

#include <gtest/gtest.h>

#include <cstddef>

#include "filch/detail/split/splitter.hpp"
#include "support/forks.hpp"

using filch::detail::habit;
using filch::detail::ticks;
using filch::detail::ticks_of_a_leaf;
using advice = filch::detail::habit::advice;

namespace {

/// Runs a loop of `n` items of `cost` ticks as the habit says, and returns that.
advice run(habit& h, std::size_t n, ticks cost) {
  const advice a = h.ask(n);
  if (a == advice::fork) h.learn(n, n * cost);
  if (a == advice::find_out) h.learn_exactly(n, n * cost);
  return a;
}

int runs_until(advice wanted, habit& h, std::size_t n, ticks cost) {
  for (int runs = 0; runs != 1000; ++runs)
    if (run(h, n, cost) == wanted) return runs;
  return 1000;
}

TEST(habit, forks_a_loop_that_is_not_known) {
  habit h;
  EXPECT_EQ(h.ask(2), advice::fork);
  EXPECT_EQ(h.ask(habit::longest), advice::fork);
}

TEST(habit, runs_a_loop_alone_that_was_short_several_times) {
  habit h;
  for (int i = 0; i != 4; ++i) EXPECT_EQ(run(h, 100, 1), advice::fork) << i;
  EXPECT_EQ(run(h, 100, 1), advice::find_out);
  EXPECT_EQ(run(h, 100, 1), advice::alone);
}

TEST(habit, times_one_loop_in_eight_of_those_that_it_runs_alone) {
  habit h;
  ASSERT_LT(runs_until(advice::alone, h, 100, 1), 10);
  int timed = 0;
  for (int i = 0; i != 80; ++i) timed += run(h, 100, 1) == advice::find_out ? 1 : 0;
  EXPECT_EQ(timed, 10);
}

TEST(habit, forks_dear_loops_for_ever) {
  habit h;
  for (int i = 0; i != 100; ++i) EXPECT_EQ(run(h, 100, ticks_of_a_leaf), advice::fork) << i;
}

TEST(habit, finds_out_once_whether_a_loop_is_short_that_may_be_so) {
  habit h;
  int tries = 0;
  for (int i = 0; i != 100; ++i)
    tries += run(h, 100, ticks_of_a_leaf / 200) == advice::find_out ? 1 : 0;  // twice a trifle
  EXPECT_EQ(tries, 1);
}

TEST(habit, knows_that_more_of_the_same_items_are_no_trifle) {
  habit h;
  ASSERT_LT(runs_until(advice::alone, h, 100, 10), 10);
  EXPECT_EQ(h.ask(habit::longest), advice::fork);
  EXPECT_EQ(h.ask(200), advice::alone);
}

TEST(habit, forks_again_for_some_time_after_a_loop_that_was_dear) {
  habit h;
  ASSERT_LT(runs_until(advice::alone, h, 100, 1), 10);
  EXPECT_LE(runs_until(advice::fork, h, 100, ticks_of_a_leaf), 8);
  EXPECT_GE(runs_until(advice::find_out, h, 100, 1), 16);
  EXPECT_LT(runs_until(advice::alone, h, 100, 1), 2);
}

TEST(habit, does_not_trust_loops_that_are_cheap_and_dear_in_turn) {
  habit h;
  int alone = 0;
  for (int i = 0; i != 1000; ++i)
    alone += run(h, 100, i % 2 == 0 ? 1 : ticks_of_a_leaf) == advice::fork ? 0 : 1;
  EXPECT_EQ(alone, 0);
}

TEST(habit, knows_the_first_leaf_of_a_loop_that_is_worth_forks_but_checks_that_too) {
  habit h;
  EXPECT_EQ(h.first_leaf(), 0u);
  for (int i = 0; i != 10; ++i) run(h, 100, ticks_of_a_leaf / 20);
  std::size_t known = 0;
  for (int i = 0; i != 80; ++i) known += h.first_leaf() == 0 ? 0 : 1;
  EXPECT_EQ(known, 70u);
}

/// A sequential fork on which loops have habits.
class learning_fork : public filch::test::sequential_fork {
 public:
  static constexpr bool keeps_habits = true;
};

TEST(habit, of_a_splitter_ends_its_forks_and_begins_them_again) {
  const learning_fork fork;
  const auto forks_of_a_loop = [&](ticks cost) {
    const std::size_t before = fork.forks();
    std::size_t items = 0;
    filch::detail::for_blocks(fork, 100, {}, [&](std::size_t first, std::size_t last) {
      items += last - first;
      fork.advance(cost * (last - first));
    });
    EXPECT_EQ(items, 100u);
    return fork.forks() - before;
  };
  EXPECT_GT(forks_of_a_loop(1), 0u);
  for (int i = 0; i != 40; ++i) forks_of_a_loop(1);
  EXPECT_EQ(forks_of_a_loop(1), 0u);
  for (int i = 0; i != 40; ++i) forks_of_a_loop(ticks_of_a_leaf);
  EXPECT_GT(forks_of_a_loop(ticks_of_a_leaf), 0u);
}

}  // namespace
