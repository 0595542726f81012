#include "filch/detail/loop/reduce_blocks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::reduce_blocks;
using filch::detail::reduce_blocks_in_fixed_order;

namespace {

/// A range of numbers. It cannot be copied or default-constructed, and only neighbours can be
/// combined.
struct interval {
  interval(std::size_t from, std::size_t to)
      : first(from), last(std::make_unique<std::size_t>(to)) {}
  std::size_t first;
  std::unique_ptr<std::size_t> last;
};

interval combined(interval&& a, interval&& b) {
  EXPECT_EQ(*a.last, b.first);
  return {a.first, *b.last};
}

class reduce_blocks_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(reduce_blocks_on);

TEST_P(reduce_blocks_on, combines_neighbours_from_left_to_right) {
  for (const std::size_t n : filch::test::sizes())
    run([&](const auto& fork) {
      const auto leaf = [](std::size_t first, std::size_t last) { return interval(first, last); };
      const std::optional<interval> all = reduce_blocks(fork, n, {}, leaf, combined);
      ASSERT_EQ(all.has_value(), n != 0);
      if (!all) return;
      EXPECT_EQ(all->first, 0u);
      EXPECT_EQ(*all->last, n);
    });
}

TEST_P(reduce_blocks_on, in_fixed_order_makes_the_same_tree_whatever_the_grain) {
  const auto leaf = [](std::size_t first, std::size_t last) {
    return std::to_string(first) + "-" + std::to_string(last);
  };
  const auto combine = [](std::string&& a, std::string&& b) { return "(" + a + " " + b + ")"; };
  for (const std::size_t n : filch::test::sizes(2000)) {
    const auto expected =
        reduce_blocks_in_fixed_order(filch::test::sequential_fork{}, n, 10, {}, leaf, combine);
    run([&](const auto& fork) {
      for (const std::size_t grain : {0u, 1u, 25u, 1000u})
        EXPECT_EQ(reduce_blocks_in_fixed_order(fork, n, 10, {.grain = grain}, leaf, combine),
                  expected);
    });
    EXPECT_TRUE(n != 25 || *expected == "(0-10 (10-20 20-25))");
  }
}

TEST(reduce_blocks, in_fixed_order_never_forks_for_fewer_items_than_two_grains) {
  const auto leaf = [](std::size_t first, std::size_t last) { return last - first; };
  const auto forks = [&](std::size_t n, std::size_t grain) {
    const filch::test::sequential_fork fork;
    EXPECT_EQ(reduce_blocks_in_fixed_order(fork, n, 10, {.grain = grain}, leaf, std::plus<>()), n);
    return fork.forks();
  };
  for (const std::size_t grain : {1u, 9u, 10u, 11u, 40u, 45u, 50u}) {
    for (std::size_t n = 1; n < 2 * grain; ++n) EXPECT_EQ(forks(n, grain), 0u) << n << " " << grain;
    EXPECT_GE(forks(20 * grain, grain), 1u);
  }
}

TEST_P(reduce_blocks_on, throws_what_the_leaf_or_the_combination_on_the_left_threw) {
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 2 + random().bounded(2000);
    const std::size_t bad = random().bounded(static_cast<std::uint32_t>(n));
    const bool in_leaf = random().bounded(2) == 0;
    run([&](const auto& fork) {
      const auto leaf = [&](std::size_t first, std::size_t last) {
        if (in_leaf && first <= bad && bad < last) throw bad;
        return interval(first, last);
      };
      const auto combine = [&](interval&& a, interval&& b) {
        if (!in_leaf) throw bad;
        return combined(std::move(a), std::move(b));
      };
      try {
        const auto all = reduce_blocks(fork, n, {}, leaf, combine);
        EXPECT_FALSE(in_leaf);  // otherwise it was a single leaf, and nothing was combined
        EXPECT_EQ(*all->last, n);
      } catch (std::size_t which) {
        EXPECT_EQ(which, bad);
      }
    });
  }
}

TEST_P(reduce_blocks_on, a_stop_before_the_start_is_a_cancellation) {
  std::stop_source source;
  source.request_stop();
  run([&](const auto& fork) {
    const auto leaf = [](std::size_t first, std::size_t last) { return interval(first, last); };
    EXPECT_THROW((void)reduce_blocks(fork, 5, {.stop = source.get_token()}, leaf, combined),
                 filch::cancelled);
    EXPECT_FALSE(reduce_blocks(fork, 0, {.stop = source.get_token()}, leaf, combined));
  });
}

}  // namespace
