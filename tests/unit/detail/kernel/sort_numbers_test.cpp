// Numbers that the library sorts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "filch/algorithm/sort.hpp"
#include "filch/algorithm/stable_sort.hpp"
#include "filch/detail/base/rng.hpp"
#include "support/hang_guard.hpp"
#include "support/orders.hpp"

namespace {

using filch::detail::sorted_by_library;
using filch::detail::watches_memory;

using ints = std::vector<int>::iterator;
using doubles = std::vector<double>::iterator;
static_assert(sorted_by_library<false, ints, std::ranges::less, std::identity> != watches_memory);
static_assert(sorted_by_library<false, int*, std::less<int>, std::identity> != watches_memory);
static_assert(sorted_by_library<true, ints, std::less<>, std::identity> != watches_memory);
static_assert(sorted_by_library<false, doubles, std::ranges::less, std::identity> !=
              watches_memory);
// A stable sort keeps 0.0 and -0.0 in their order.
static_assert(!sorted_by_library<true, doubles, std::ranges::less, std::identity>);
static_assert(!sorted_by_library<false, ints, std::less<long>, std::identity>);
static_assert(!sorted_by_library<false, ints, std::greater<>, std::identity>);
static_assert(!sorted_by_library<false, ints, std::ranges::less, std::negate<>>);

template <class T>
class sort_numbers : public testing::Test {};
using numbers = testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long,
                               float, double>;
TYPED_TEST_SUITE(sort_numbers, numbers);

TYPED_TEST(sort_numbers, gives_what_std_gives) {
  filch::detail::rng random(7);
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{40}, std::size_t{2000}, std::size_t{30'000}}) {
    std::vector<TypeParam> given;
    for (const std::uint64_t x : filch::test::numbers_in(filch::test::order::random, n, random)) {
      const auto half = static_cast<TypeParam>(x / 2);
      given.push_back(x % 2 == 0 ? half : static_cast<TypeParam>(TypeParam{0} - half));
    }
    auto expected = given;
    std::sort(expected.begin(), expected.end());
    auto sorted = given;
    filch::sort(sorted);
    EXPECT_EQ(sorted, expected);
    sorted = given;
    filch::stable_sort(sorted, {.grain = 100});
    EXPECT_EQ(sorted, expected);
    sorted = given;
    filch::sort(sorted.data(), sorted.data() + sorted.size(), std::less<>(), {.grain = 100});
    EXPECT_EQ(sorted, expected);
  }
}

TEST(sort_of_numbers, puts_nans_last_and_those_with_a_sign_first) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> v{nan, 2, -nan, -1, 0};
  filch::sort(v);
  EXPECT_TRUE(std::isnan(v.front()) && std::signbit(v.front()));
  EXPECT_TRUE(std::isnan(v.back()) && !std::signbit(v.back()));
  EXPECT_EQ(std::vector<double>(v.begin() + 1, v.end() - 1), (std::vector<double>{-1, 0, 2}));
}

}  // namespace
