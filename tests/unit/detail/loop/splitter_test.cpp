#include "filch/detail/loop/splitter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/detail/loop/loop_state.hpp"
#include "filch/metrics.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::for_blocks;
using filch::detail::loop_state;
using filch::detail::ticks;
using filch::detail::ticks_of_a_leaf;
using filch::test::sequential_fork;

namespace {

/// A sequential fork on which a thread always wants work.
class hungry_fork : public sequential_fork {
 public:
  bool hungry() const noexcept { return true; }
};
static_assert(filch::detail::fork_policy<hungry_fork>);

/// The sizes of the leaves of a loop whose item i takes cost(i) ticks.
template <class Fork, class Cost>
std::vector<std::size_t> leaves(const Fork& fork, std::size_t n, Cost cost) {
  std::vector<std::size_t> sizes;
  for_blocks(fork, n, {}, [&](std::size_t first, std::size_t last) {
    sizes.push_back(last - first);
    for (; first != last; ++first) fork.advance(cost(first));
  });
  return sizes;
}

TEST(splitter, needs_few_forks_for_cheap_items) {
  const sequential_fork quiet;
  (void)leaves(quiet, 1'000'000, [](std::size_t) { return ticks{0}; });
  EXPECT_LE(quiet.forks(), 40u);
  const hungry_fork hungry;
  (void)leaves(hungry, 1'000'000, [](std::size_t) { return ticks{0}; });
  EXPECT_LE(hungry.forks(), 40u);
}

TEST(splitter, makes_leaves_of_about_the_same_time_whatever_items_cost) {
  for (const ticks cost : {1u, 10u, 300u, 5000u}) {
    const hungry_fork fork;
    constexpr std::size_t n = 1'000'000;
    const auto sizes = leaves(fork, n, [&](std::size_t) { return cost; });
    // No leaf is smaller than half of that, except for the first ones.
    EXPECT_LE(fork.forks(), 2 * n * cost / ticks_of_a_leaf + 60);
    EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), ticks_of_a_leaf / cost);
  }
}

TEST(splitter, runs_expensive_items_one_by_one) {
  for (const std::size_t n : {2u, 10u, 31u, 100u, 1000u}) {
    const hungry_fork fork;
    const auto sizes = leaves(fork, n, [](std::size_t) { return 3 * ticks_of_a_leaf; });
    EXPECT_EQ(sizes, std::vector<std::size_t>(n, 1));
  }
}

TEST(splitter, makes_leaves_smaller_when_items_become_expensive) {
  const hungry_fork fork;
  const auto sizes = leaves(
      fork, 1 << 20, [](std::size_t i) { return i < (1 << 19) ? ticks{1} : 2 * ticks_of_a_leaf; });
  const auto single = std::count(sizes.begin(), sizes.end(), 1u);
  EXPECT_GE(single, (1 << 19) - 2 * static_cast<std::ptrdiff_t>(ticks_of_a_leaf));
}

TEST(splitter, of_few_items_leaves_every_one_to_thieves_also_if_no_thread_is_hungry) {
  const sequential_fork fork;
  EXPECT_EQ(leaves(fork, 31, [](std::size_t) { return ticks{0}; }),
            std::vector<std::size_t>(31, 1));
}

TEST(splitter, runs_a_hundred_items_with_one_fork_if_no_thread_is_hungry) {
  const sequential_fork fork;
  (void)leaves(fork, 100, [](std::size_t) { return ticks{0}; });
  EXPECT_EQ(fork.forks(), 1u);
}

TEST(splitter, never_forks_for_fewer_items_than_two_grains) {
  for (const std::size_t grain : {1u, 2u, 5u, 1000u}) {
    const hungry_fork fork;
    for_blocks(fork, 2 * grain - 1, {.grain = grain}, [](std::size_t, std::size_t) {});
    EXPECT_EQ(fork.forks(), 0u);
    for_blocks(fork, 2 * grain, {.grain = grain}, [](std::size_t, std::size_t) {});
    EXPECT_EQ(fork.forks(), 1u);
  }
  const hungry_fork fork;
  for_blocks(fork, 1000, {.grain = std::numeric_limits<std::size_t>::max()},
             [](std::size_t first, std::size_t last) { EXPECT_EQ(last - first, 1000u); });
  EXPECT_EQ(fork.forks(), 0u);
}

class splitter_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(splitter_on);

TEST_P(splitter_on, does_everything_before_a_cut) {
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 1 + random().bounded(5000);
    const std::size_t wanted = random().bounded(static_cast<std::uint32_t>(n));
    std::vector<std::atomic<bool>> done(n);
    run([&](const auto& fork) {
      const filch::options o;
      loop_state state(o, n);
      for_blocks(fork, n, o, state, [&](std::size_t first, std::size_t last) {
        EXPECT_TRUE(!done[first]);
        for (std::size_t i = first; i != last; ++i) done[i] = true;
        if (first <= wanted && wanted < last) state.cut(wanted);
      });
      EXPECT_EQ(state.end(), wanted);
    });
    for (std::size_t i = 0; i <= wanted; ++i) EXPECT_TRUE(done[i]) << i;
  }
}

TEST(splitter, starts_nothing_behind_a_cut) {
  const sequential_fork fork;
  const filch::options o;
  loop_state state(o, 1'000'000);
  std::size_t reached = 0;
  for_blocks(fork, 1'000'000, o, state, [&](std::size_t, std::size_t last) {
    reached = last;
    state.cut(100);
    state.cut(200);  // later ones do not count
  });
  EXPECT_EQ(state.end(), 100u);
  EXPECT_LE(reached, 1000u);
}

/// One of two workers is blocked in the first item. The other takes everything that is left, and
/// the loop goes on when both are free.
TEST(splitter, thieves_take_what_lies_behind_a_blocked_item_of_a_hungry_pool) {
  filch::pool p(2);
  filch::test::watch(p);
  p.install([&] {
    constexpr std::size_t n = 100;
    std::atomic<std::size_t> others = 0;
    std::atomic<bool> asked = false;
    filch::parallel_for(std::size_t{0}, std::size_t{2}, [&](std::size_t which) {
      if (which == 1) {
        asked = true;
        return;
      }
      filch::test::until([&] { return asked.load(); });  // so a thief is awake
      filch::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
        if (i == 0) filch::test::until([&] { return others >= n / 2; });
        ++others;
      });
    });
    EXPECT_EQ(others, n);
  });
}

}  // namespace
