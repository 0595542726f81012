#include "filch/detail/loop/scratch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "filch/detail/loop/blocks.hpp"
#include "support/any_fork.hpp"
#include "support/forks.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::even_blocks;
using filch::detail::scratch;

namespace {

std::atomic<int> alive = 0;

struct counted_object {
  explicit counted_object(std::size_t n) : number(n) { ++alive; }
  counted_object(const counted_object&) = delete;
  counted_object& operator=(const counted_object&) = delete;
  ~counted_object() { --alive; }
  std::size_t number;
};

class scratch_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(scratch_on);

TEST_P(scratch_on, is_filled_in_blocks_and_destroys_what_it_has) {
  for (const std::size_t n : filch::test::sizes(3000))
    run([&](const auto& fork) {
      {
        scratch<counted_object> storage(n);
        ASSERT_TRUE(storage);
        storage.fill(fork, even_blocks(n, 7), {},
                     [](counted_object* to, std::size_t first, std::size_t last) {
                       for (; first != last; ++first, ++to) std::construct_at(to, first);
                     });
        EXPECT_EQ(alive, static_cast<int>(n));
        std::size_t next = 0;
        for (const counted_object& o : storage) EXPECT_EQ(o.number, next++);
        EXPECT_EQ(next, n);
      }
      EXPECT_EQ(alive, 0);
    });
}

TEST_P(scratch_on, destroys_the_blocks_that_were_made_when_another_throws) {
  for (std::size_t bad = 0; bad < 7; ++bad)
    run([&](const auto& fork) {
      const even_blocks blocks(1000, 7);
      scratch<counted_object> storage(1000);
      EXPECT_THROW(storage.fill(fork, blocks, {},
                                [&](counted_object* to, std::size_t first, std::size_t last) {
                                  if (first == blocks[bad]) throw 1;
                                  for (; first != last; ++first, ++to) std::construct_at(to, first);
                                }),
                   int);
      EXPECT_EQ(alive, 0);
    });
}

TEST(scratch, says_when_there_is_no_memory) {
  EXPECT_FALSE(scratch<std::uint64_t>(std::numeric_limits<std::size_t>::max() / 4));
  EXPECT_FALSE(scratch<char>(std::numeric_limits<std::size_t>::max()));
  EXPECT_TRUE(scratch<char>(0));
  struct alignas(128) wide {
    char data[128];
  };
  const scratch<wide> storage(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage.data()) % 128, 0u);
}

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
