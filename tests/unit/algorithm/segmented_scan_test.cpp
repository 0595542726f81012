#include "filch/algorithm/segmented_scan.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "filch/errors.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

namespace {

class segmented_scan_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(segmented_scan_on);

/// A sequential segmented scan.
template <class T, class Starts, class Op>
std::vector<T> expected(const std::vector<T>& v, Starts starts, std::optional<T> init, Op op) {
  std::vector<T> out;
  std::optional<T> sum;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const bool begins = i == 0 || starts(i);
    if (init) {
      if (begins) sum = init;
      out.push_back(*sum);
      sum = op(*sum, v[i]);
    } else {
      sum = begins ? v[i] : op(*sum, v[i]);
      out.push_back(*sum);
    }
  }
  return out;
}

TEST_P(segmented_scan_on, is_a_scan_of_each_segment) {
  for (const std::size_t n : filch::test::sizes(5000))
    for (const std::uint32_t rarity : {1u, 3u, 1000u}) {
      std::vector<int> keys(n);
      std::vector<std::string> v(n);
      for (std::size_t i = 0; i < n; ++i) {
        keys[i] = (i == 0 ? 0 : keys[i - 1]) + (random().bounded(rarity) == 0 ? 1 : 0);
        v[i] = std::string(1, static_cast<char>('a' + i % 26));
      }
      // Long segments of strings would use up the memory, so the operation keeps only their ends.
      auto op = [](const std::string& a, const std::string& b) {
        const std::string s = a + b;
        return s.size() <= 20 ? s : s.substr(0, 10) + s.substr(s.size() - 10);
      };
      auto starts = [&](std::size_t i) { return keys[i] != keys[i - 1]; };
      for (const std::optional<std::string>& init :
           {std::optional<std::string>(), std::optional<std::string>("<")}) {
        const auto wanted = expected(v, starts, init, op);
        run([&](const auto& fork) {
          std::vector<std::string> out(n);
          const filch::options o{.deterministic = rarity == 3};
          filch::detail::segmented_with(fork, starts, v.begin(), n, out.begin(), init, op, o);
          EXPECT_EQ(out, wanted);
          std::vector<std::string> in_place = v;
          filch::detail::segmented_with(fork, starts, in_place.begin(), n, in_place.begin(), init,
                                        op, {.grain = 5});
          EXPECT_EQ(in_place, wanted);
        });
      }
    }
}

TEST(segmented_scan, by_key_and_by_flag) {
  const std::vector<int> days = {1, 1, 1, 2, 2};
  const std::vector<bool> flags = {false, false, false, true, false};
  const std::vector<int> rain = {3, 0, 4, 1, 5};
  std::vector<int> out(5);
  const auto result = filch::inclusive_scan_by_key(days, rain, out.begin());
  EXPECT_EQ(result.in, rain.end());
  EXPECT_EQ(result.out, out.end());
  EXPECT_EQ(out, (std::vector{3, 3, 7, 1, 6}));
  filch::exclusive_scan_by_key(days, rain, out.begin(), 100);
  EXPECT_EQ(out, (std::vector{100, 103, 103, 100, 101}));
  filch::segmented_inclusive_scan(flags, rain, out.begin(), std::plus{}, {.grain = 1});
  EXPECT_EQ(out, (std::vector{3, 3, 7, 1, 6}));
  filch::segmented_exclusive_scan(flags, rain, out.begin(), 1, std::multiplies{});
  EXPECT_EQ(out, (std::vector{1, 3, 0, 1, 1}));
  const auto same_half = [](int a, int b) { return a / 2 == b / 2; };
  filch::inclusive_scan_by_key(days, rain, out.begin(), std::plus{}, same_half);
  EXPECT_EQ(out, (std::vector{3, 3, 7, 1, 6}));
  EXPECT_THROW(filch::inclusive_scan_by_key(std::vector<int>(4), rain, out.begin()),
               filch::usage_error);
}

TEST(segmented_scan, of_many_numbers_on_the_default_pool) {
  const std::size_t n = 300'000;
  std::vector<int> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<int>(i / 1000);
  std::vector<int> out(n);
  filch::inclusive_scan_by_key(keys, std::vector<int>(n, 1), out.begin());
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], static_cast<int>(i % 1000) + 1);
}

}  // namespace
