// Scans of more numbers than the caches hold, which write past the caches. Without a sanitizer
// only: they take a minute with one, and prefix_numbers_test.cpp has the same stores with few
// numbers.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "filch/algorithm/scan.hpp"
#include "filch/detail/base/streaming.hpp"
#include "filch/pool.hpp"
#include "support/hang_guard.hpp"

using filch::exclusive_scan;
using filch::inclusive_scan;

namespace {

/// More than the caches hold. They begin at the second element of a cache line, as offsets of
/// adjacent data do.
template <class T, class Item>
void scan_more_than_caches_hold(const filch::options& o = {}) {
  const std::size_t n = filch::detail::streaming_from() / sizeof(T) + 5;
  std::vector<Item> v(n);
  for (std::size_t i = 0; i != n; ++i) v[i] = static_cast<Item>(i % 7);
  std::vector<T> out(n + 2, T{42});
  inclusive_scan(v, out.begin() + 1, std::plus{}, T{1}, o);
  T sum{1};
  std::size_t wrong = 0;
  for (std::size_t i = 0; i != n; ++i) wrong += out[i + 1] == (sum += static_cast<T>(v[i])) ? 0 : 1;
  exclusive_scan(v, out.begin() + 1, T{1}, o);
  sum = 1;
  for (std::size_t i = 0; i != n; sum += static_cast<T>(v[i++])) wrong += out[i + 1] == sum ? 0 : 1;
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(out.front(), T{42});
  EXPECT_EQ(out.back(), T{42});
}

}  // namespace

TEST(scan, of_more_numbers_than_caches_hold) {
  filch::pool p(3);
  filch::test::watch(p);
  scan_more_than_caches_hold<int, int>({.on = &p});
  scan_more_than_caches_hold<double, double>({.on = &p});
  scan_more_than_caches_hold<std::int64_t, signed char>({.on = &p});
  scan_more_than_caches_hold<double, double>({.on = &p, .deterministic = true});
}

TEST(scan, of_more_numbers_than_caches_hold_in_place) {
  const std::size_t n = filch::detail::streaming_from() / sizeof(int) + 5;
  std::vector<int> v(n, 1);
  filch::pool p(3);
  filch::test::watch(p);
  inclusive_scan(v, v.begin(), {.on = &p});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i != n; ++i) wrong += v[i] == static_cast<int>(i) + 1 ? 0 : 1;
  EXPECT_EQ(wrong, 0u);
}
