#include "filch/detail/base/raw_memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>

using filch::detail::raw_memory;

namespace {

TEST(raw_memory, says_when_there_is_none) {
  EXPECT_FALSE(raw_memory<std::uint64_t>(std::numeric_limits<std::size_t>::max() / 4));
  EXPECT_FALSE(raw_memory<char>(std::numeric_limits<std::size_t>::max()));
  EXPECT_TRUE(raw_memory<char>(0));
  EXPECT_EQ(raw_memory<char>(0).data(), nullptr);
}

TEST(raw_memory, is_aligned_for_its_objects) {
  struct alignas(128) wide {
    char data[128];
  };
  const raw_memory<wide> storage(3);
  ASSERT_TRUE(storage);
  EXPECT_EQ(storage.size(), 3u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage.data()) % 128, 0u);
}

}  // namespace
