#include "filch/detail/loop/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::even_blocks;

namespace {

TEST(even_blocks, differ_by_one_item_at_most_and_cover_everything) {
  for (const std::size_t n : filch::test::sizes())
    for (const std::size_t count : {1u, 2u, 3u, 8u, 1000u}) {
      const even_blocks blocks(n, count);
      EXPECT_EQ(blocks.count(), std::min(n, count));
      EXPECT_EQ(blocks[0], 0u);
      EXPECT_EQ(blocks[blocks.count()], n);
      for (std::size_t b = 0; b < blocks.count(); ++b) {
        const std::size_t size = blocks[b + 1] - blocks[b];
        EXPECT_GE(size, n / blocks.count());
        EXPECT_LE(size, n / blocks.count() + 1);
      }
    }
}

TEST(even_blocks, have_the_least_size_or_are_one) {
  const filch::test::sequential_fork fork;
  EXPECT_EQ(even_blocks(fork, 0, 10).count(), 0u);
  EXPECT_EQ(even_blocks(fork, 5, 10).count(), 1u);
  EXPECT_EQ(even_blocks(fork, 19, 10).count(), 1u);
  EXPECT_EQ(even_blocks(fork, 20, 10).count(), 2u);
  EXPECT_EQ(even_blocks(fork, 1000, 10).count(), 8u);
}

}  // namespace
