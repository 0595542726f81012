// Ranges whose iterators give values or proxies instead of references.
#include "support/computed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "filch/algorithm/is_sorted.hpp"
#include "filch/algorithm/partition.hpp"
#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/reverse.hpp"
#include "filch/algorithm/search.hpp"
#include "filch/algorithm/segmented_scan.hpp"
#include "filch/algorithm/sort.hpp"
#include "filch/algorithm/stable_sort.hpp"
#include "filch/algorithm/unique.hpp"
#include "support/hang_guard.hpp"

namespace {

using filch::test::made;
using filch::test::zipped;
using filch::test::zipped_iterator;

struct day {
  int number;
  int rain;
};

TEST(computed, keys_divide_a_scan) {
  std::vector<day> days(5000);
  for (std::size_t i = 0; i < days.size(); ++i) days[i] = {static_cast<int>(i / 10), 1};
  const made weeks(days, [](const day& d) { return d.number / 7; });
  const made rain(days, [](const day& d) { return d.rain; });
  std::vector<int> out(days.size());
  filch::inclusive_scan_by_key(weeks, rain, out.begin());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(i % 70) + 1);
  filch::exclusive_scan_by_key(weeks, rain, out.begin(), 0);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(i % 70));
}

TEST(computed, neighbours_are_compared) {
  std::vector<int> v(5000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i);
  const made halves(v, [](int i) { return i / 2; });
  EXPECT_TRUE(filch::is_sorted(halves));
  EXPECT_EQ(filch::adjacent_find(halves) - halves.begin(), 0);
  std::vector<int> out(v.size());
  EXPECT_EQ(filch::unique_copy(halves, out.begin()).out - out.begin(), 2500);
}

class zipped_rows : public testing::Test {
 protected:
  static constexpr std::size_t n = 30'000;
  zipped_rows() {
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = static_cast<int>(i * 7919 % 1009);
      numbers[i] = static_cast<long>(i);
      all[i] = {keys[i], numbers[i]};
    }
  }
  zipped_iterator begin() { return {keys.data(), numbers.data()}; }
  zipped_iterator end() { return begin() + static_cast<std::ptrdiff_t>(n); }
  std::vector<zipped> now() { return {begin(), end()}; }

  std::vector<int> keys = std::vector<int>(n);
  std::vector<long> numbers = std::vector<long>(n);
  std::vector<zipped> all = std::vector<zipped>(n);
};

TEST_F(zipped_rows, are_partitioned_in_order) {
  const auto odd = [](const zipped& e) { return e.key % 2 != 0; };
  std::stable_partition(all.begin(), all.end(), odd);
  filch::stable_partition(begin(), end(), odd);
  EXPECT_EQ(now(), all);
}

/// Two rows that are already sorted by their keys.
TEST_F(zipped_rows, are_sorted_turned_round_and_rid_of_some) {
  const auto before = [](const zipped& a, const zipped& b) { return a.key < b.key; };
  std::stable_sort(all.begin(), all.end(), before);
  filch::stable_sort(begin(), end(), before);
  EXPECT_EQ(now(), all);
  filch::reverse(begin(), end());
  std::reverse(all.begin(), all.end());
  filch::rotate(begin(), begin() + 1234, end());
  std::rotate(all.begin(), all.begin() + 1234, all.end());
  EXPECT_EQ(now(), all);
  const auto small = [](const zipped& e) { return e.key < 300; };
  const auto left = filch::remove_if(begin(), end(), small);
  all.erase(std::remove_if(all.begin(), all.end(), small), all.end());
  EXPECT_EQ(std::vector<zipped>(begin(), left.begin()), all);
}

}  // namespace
