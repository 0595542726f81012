#include "filch/detail/base/cache_line.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

using filch::detail::cache_line_size;
using filch::detail::no_sharing_size;
using filch::detail::padded;

TEST(cache_line, sizes_are_powers_of_two_and_isolation_covers_a_line) {
  EXPECT_TRUE(std::has_single_bit(cache_line_size));
  EXPECT_TRUE(std::has_single_bit(no_sharing_size));
  EXPECT_GE(no_sharing_size, cache_line_size);
}

TEST(padded, neighbours_in_an_array_share_no_line) {
  std::array<padded<char>, 3> a{};
  const auto address = [&](std::size_t i) { return reinterpret_cast<std::uintptr_t>(&*a[i]); };
  EXPECT_EQ(address(0) % no_sharing_size, 0u);
  EXPECT_EQ(address(1) - address(0), no_sharing_size);
  EXPECT_EQ(address(2) - address(1), no_sharing_size);
}

TEST(padded, a_large_value_fills_whole_units) {
  using large = padded<std::array<char, no_sharing_size + 1>>;
  EXPECT_EQ(sizeof(large), 2 * no_sharing_size);
}

TEST(padded, memory_from_new_is_aligned_too) {
  const auto p = std::make_unique<padded<int>>();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p.get()) % no_sharing_size, 0u);
}

TEST(padded, starts_at_zero_and_reads_like_a_pointer) {
  padded<int> zero;
  EXPECT_EQ(*zero, 0);

  padded<std::atomic<int>> count{7};
  count->fetch_add(1);
  const auto& same = count;
  EXPECT_EQ(same->load(), 8);
  EXPECT_EQ(&*same, &count.value);
}
