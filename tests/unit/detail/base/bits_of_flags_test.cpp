#include "filch/detail/base/bits_of_flags.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "filch/detail/base/rng.hpp"
#include "support/seed.hpp"

namespace {

template <class Flag>
class bits_of_flags : public testing::Test {};
using widths = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(bits_of_flags, widths);

TYPED_TEST(bits_of_flags, have_the_first_flag_lowest_wherever_they_lie) {
  filch::detail::rng random = filch::test::seeded_rng(1);
  for (int round = 0; round < 1000; ++round) {
    std::array<TypeParam, 24> flags{};
    const std::size_t first = random.bounded(9);
    const std::uint64_t expected = random.bounded(1 << 16);
    for (auto& flag : flags) flag = static_cast<TypeParam>(random.bounded(2));
    for (std::size_t k = 0; k < 16; ++k)
      flags[first + k] = static_cast<TypeParam>(expected >> k & 1);
    ASSERT_EQ(filch::detail::bits_of_flags(flags.data() + first), expected);
  }
}

}  // namespace
