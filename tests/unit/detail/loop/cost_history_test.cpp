#include "filch/detail/loop/cost_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/detail/loop/splitter.hpp"
#include "filch/pool.hpp"
#include "support/eventually.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"

using filch::detail::cost_history;
using filch::detail::ticks;
using filch::detail::ticks_of_a_leaf;
using advice = filch::detail::cost_history::advice;

namespace {

/// Runs a loop of `n` items of `cost` ticks as the cost history advises, `pause` ticks after the
/// last one. Returns what was done in the end.
class loops {
 public:
  advice run(std::size_t n, ticks cost, ticks pause = 0) {
    now_ += pause;
    const ticks start = now_;
    const advice a = h.ask(n);
    if (a == advice::fork) {
      now_ += n * cost;
      h.learn(n, now_ - start);
      return a;
    }
    now_ += cost;
    if (h.is_recent(now_) && a == advice::alone) {
      now_ += (n - 1) * cost;
      return a;
    }
    const std::size_t timed = h.to_be_timed(n);
    now_ += timed * cost;
    if (!h.is_short_loop(timed, timed * cost, n)) return advice::fork;
    h.learn_exactly(n, n * cost);
    return advice::find_out;
  }
  /// How often it runs until the result is `wanted`.
  int runs_until(advice wanted, std::size_t n, ticks cost) {
    for (int runs = 0; runs != 1000; ++runs)
      if (run(n, cost) == wanted) return runs;
    return 1000;
  }

  cost_history h;

 private:
  ticks now_ = 1'000'000;
};

TEST(cost_history, forks_a_loop_that_is_not_known) {
  cost_history h;
  EXPECT_EQ(h.ask(2), advice::fork);
  EXPECT_EQ(h.ask(cost_history::longest), advice::fork);
}

TEST(cost_history, runs_a_loop_alone_that_was_short_several_times) {
  loops l;
  for (int i = 0; i != 4; ++i) EXPECT_EQ(l.run(100, 1), advice::fork) << i;
  EXPECT_EQ(l.run(100, 1), advice::find_out);
  EXPECT_EQ(l.run(100, 1), advice::alone);
}

TEST(cost_history, finds_out_again_if_the_last_loop_was_long_ago) {
  loops l;
  ASSERT_LT(l.runs_until(advice::alone, 100, 1), 10);
  EXPECT_EQ(l.run(100, 1, ticks_of_a_leaf), advice::find_out);
  EXPECT_EQ(l.run(100, 1), advice::alone);
}

TEST(cost_history, forks_expensive_loops_for_ever) {
  loops l;
  for (int i = 0; i != 100; ++i) EXPECT_EQ(l.run(100, ticks_of_a_leaf), advice::fork) << i;
}

TEST(cost_history, finds_out_once_whether_a_loop_is_short_that_may_be_so) {
  loops l;
  int tries = 0;
  for (int i = 0; i != 100; ++i)
    tries += l.run(100, ticks_of_a_leaf / 200) == advice::find_out ? 1 : 0;  // twice a short loop
  EXPECT_EQ(tries, 1);
}

TEST(cost_history, knows_that_more_of_the_same_items_are_no_short_loop) {
  loops l;
  ASSERT_LT(l.runs_until(advice::alone, 100, 10), 10);
  EXPECT_EQ(l.h.ask(cost_history::longest), advice::fork);
  EXPECT_EQ(l.h.ask(200), advice::alone);
}

TEST(cost_history, forks_a_loop_that_turns_out_to_be_expensive_and_others_for_some_time) {
  loops l;
  ASSERT_LT(l.runs_until(advice::alone, 100, 1), 10);
  EXPECT_EQ(l.run(100, ticks_of_a_leaf), advice::fork);
  EXPECT_GE(l.runs_until(advice::find_out, 100, 1), 16);
  EXPECT_LT(l.runs_until(advice::alone, 100, 1), 2);
}

TEST(cost_history, does_not_trust_loops_that_are_cheap_and_expensive_in_turn) {
  loops l;
  int alone = 0;
  for (int i = 0; i != 1000; ++i)
    alone += l.run(100, i % 2 == 0 ? 1 : ticks_of_a_leaf) == advice::fork ? 0 : 1;
  EXPECT_EQ(alone, 0);
}

TEST(cost_history, knows_the_first_leaf_of_a_loop_that_is_worth_forks_but_checks_that_too) {
  loops l;
  EXPECT_EQ(l.h.first_leaf(100, 2), 0u);
  EXPECT_FALSE(l.h.wants_check());
  for (int i = 0; i != 10; ++i) l.run(100, ticks_of_a_leaf / 20);
  EXPECT_NE(l.h.first_leaf(100, 2), 0u);
  int checks = 0;
  for (int i = 0; i != 80; ++i) checks += l.h.wants_check() ? 1 : 0;
  EXPECT_EQ(checks, 10);
}

TEST(cost_history, gives_each_worker_its_share_of_a_short_loop_as_a_whole) {
  loops l;
  for (int i = 0; i != 10; ++i) l.run(64, ticks_of_a_leaf / 200);  // a third of a leaf in all
  EXPECT_EQ(l.h.first_leaf(64, 2), 32u);
  EXPECT_EQ(l.h.first_leaf(65, 2), 33u);
  EXPECT_LT(l.h.first_leaf(6400, 2), 64u);
}

TEST(cost_history, lets_the_caller_of_a_short_loop_keep_what_it_runs_before_a_thief_begins) {
  loops l;
  EXPECT_EQ(l.h.head_start(), 0u);
  for (int i = 0; i != 10; ++i) l.run(64, ticks_of_a_leaf / 200);  // 50 items are a short loop
  EXPECT_GE(l.h.head_start(), 1u);
  EXPECT_LE(l.h.head_start(), 5u);
}

TEST(cost_history, finds_out_again_if_items_have_become_cheaper_but_not_if_that_may_be_chance) {
  constexpr ticks cost = ticks_of_a_leaf / 200;
  loops l;
  EXPECT_LT(l.runs_until(advice::find_out, 64, cost), 10);
  EXPECT_EQ(l.h.ask(64), advice::fork);
  l.h.learn(64, 64 * cost * 9 / 10);
  EXPECT_EQ(l.h.ask(64), advice::fork);
  l.h.learn(64, 64 * cost / 2);
  EXPECT_EQ(l.h.ask(64), advice::find_out);
}

/// A sequential fork on which loops keep a cost history.
class learning_fork : public filch::test::sequential_fork {
 public:
  static constexpr bool keeps_cost_history = true;
};

TEST(cost_history, of_a_splitter_ends_its_forks_and_begins_them_again) {
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
  EXPECT_GT(forks_of_a_loop(ticks_of_a_leaf), 0u);  // at once, except for the first items
  for (int i = 0; i != 40; ++i) EXPECT_GT(forks_of_a_loop(ticks_of_a_leaf), 0u);
}

/// A fork on which a thread always wants half of the work.
class hungry_fork : public learning_fork {
 public:
  std::size_t workers() const { return 2; }
  bool hungry() const noexcept { return true; }
};

TEST(cost_history, of_a_splitter_hears_that_the_items_of_a_short_loop_have_become_expensive) {
  const hungry_fork fork;
  const auto forks_of_a_loop = [&](ticks cost) {
    const std::size_t before = fork.forks();
    filch::detail::for_blocks(fork, 64, {}, [&](std::size_t first, std::size_t last) {
      fork.advance(cost * (last - first));
    });
    return fork.forks() - before;
  };
  constexpr ticks cost = ticks_of_a_leaf / 200;
  for (int i = 0; i != 40; ++i) forks_of_a_loop(cost);
  for (int i = 0; i != 40; ++i) EXPECT_EQ(forks_of_a_loop(cost), 1u);  // also if it is checked
  std::size_t most = 0;
  for (int i = 0; i != 20; ++i) most = std::max(most, forks_of_a_loop(100 * cost));
  EXPECT_GT(most, 30u);
}

/// The same, and counts the readings of the clock.
class watched_fork : public hungry_fork {
 public:
  ticks now() const noexcept {
    ++looks;
    return hungry_fork::now();
  }
  mutable int looks = 0;
};

TEST(cost_history, of_a_splitter_looks_at_the_clock_in_few_of_many_short_loops) {
  const watched_fork fork;
  const auto loop = [&] {
    filch::detail::for_blocks(fork, 64, {}, [&](std::size_t first, std::size_t last) {
      fork.advance(ticks_of_a_leaf / 200 * (last - first));
    });
  };
  for (int i = 0; i != 40; ++i) loop();
  fork.looks = 0;
  for (int i = 0; i != 80; ++i) loop();
  EXPECT_EQ(fork.looks, 20);  // every eighth loop, at the begin and the end of a leaf
}

/// Takes much longer than all items of a short loop.
void work_hard() {
  for (int i = 0; i != 200'000; ++i) {
    const volatile int step = i;
    (void)step;
  }
}

TEST(cost_history, of_short_loops_does_not_keep_others_from_a_long_one) {
  filch::pool p(2);
  filch::test::watch(p);
  std::atomic<int> elsewhere = 0;
  const auto loop = [&](bool expensive) {
    const auto me = std::this_thread::get_id();
    filch::parallel_for(0, 64, [&, expensive, me](int i) {
      if (!expensive) return;
      if (std::this_thread::get_id() != me) ++elsewhere;
      if (i < 8) work_hard();
      if (i == 8) filch::test::until([&] { return elsewhere != 0; });
    });
  };
  p.install([&] {
    for (int i = 0; i != 1000; ++i) loop(false);
    loop(true);
  });
  EXPECT_GT(elsewhere, 0);
}

}  // namespace
