#include "filch/detail/kernel/prefix_numbers.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

#include "filch/detail/base/streaming.hpp"

using filch::detail::end_streaming;
using filch::detail::prefix_numbers;
using filch::detail::writing;

namespace {

template <class T>
class prefix_numbers_of : public testing::Test {
 protected:
  static constexpr std::size_t most = 83;  // some lines, and a rest

  /// Items whose sums, if they are floating-point numbers, depend in the last bits on the order of
  /// additions.
  static std::vector<T> items(std::size_t n) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i != n; ++i) v[i] = static_cast<T>(i * i * 7919 % 1013) / T{3};
    return v;
  }

  /// Writes to every position in a cache line, and nowhere else.
  template <bool Inclusive>
  static void compare() {
    constexpr T untouched = std::numeric_limits<T>::max();
    for (std::size_t n = 0; n != most; ++n) {
      const std::vector<T> from = items(n);
      std::vector<T> expected(n);
      const T sum = prefix_numbers<Inclusive>(from.data(), expected.data(), n, T{5});
      for (std::size_t offset = 0; offset != 64 / sizeof(T); ++offset) {
        std::vector<T> to(n + 64 / sizeof(T) + 1, untouched);
        EXPECT_EQ((prefix_numbers<Inclusive, writing::streaming>(from.data(), to.data() + offset, n,
                                                                 T{5})),
                  sum);
        end_streaming();
        for (std::size_t i = 0; i != to.size(); ++i)
          ASSERT_EQ(to[i], i >= offset && i - offset < n ? expected[i - offset] : untouched)
              << n << " items, " << offset << " behind the start, at " << i;
      }
    }
  }
};

using number_types = testing::Types<int, unsigned, float, double>;
TYPED_TEST_SUITE(prefix_numbers_of, number_types);

}  // namespace

TYPED_TEST(prefix_numbers_of, streamed_have_the_same_bits_wherever_they_go) {
  this->template compare<true>();
  this->template compare<false>();
}

TYPED_TEST(prefix_numbers_of, are_those_of_the_standard_library) {
  const std::size_t n = this->most;
  std::vector<TypeParam> from(n), expected(n), found(n);
  std::iota(from.begin(), from.end(), TypeParam{1});  // exact as floating-point numbers too
  std::inclusive_scan(from.begin(), from.end(), expected.begin());
  EXPECT_EQ((prefix_numbers<true, writing::streaming>(from.data(), found.data(), n, TypeParam{})),
            expected.back());
  end_streaming();
  EXPECT_EQ(found, expected);
}
