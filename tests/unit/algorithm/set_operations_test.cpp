#include "filch/algorithm/set_operations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/any_fork_policy.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

using namespace filch::detail;

namespace {

/// Compared by `value`. `from` shows the range that it was taken from, and which of the equal ones
/// it is.
struct item {
  std::uint32_t value;
  std::size_t from;
  bool operator==(const item&) const = default;
};

class set_operations_on : public filch::test::on_any_fork {
 protected:
  std::vector<item> sorted(std::size_t n, std::uint32_t below, std::size_t mark) {
    std::vector<item> v(n);
    for (auto& x : v) x = {random().bounded(below), 0};
    std::sort(v.begin(), v.end(), by_value);
    for (std::size_t i = 0; i < n; ++i) v[i].from = mark + i;
    return v;
  }
  static bool by_value(const item& a, const item& b) { return a.value < b.value; }
};
FILCH_TEST_ON_EVERY_FORK(set_operations_on);

TEST_P(set_operations_on, take_what_std_takes) {
  auto sizes = filch::test::sizes(filch::test::size_for_build(1500u, 300u));
  sizes.push_back(10'000);
  for (const std::size_t n1 : sizes)
    for (const std::size_t n2 : {std::size_t{0}, n1 / 7, n1, std::size_t{3000}})
      for (const std::uint32_t kinds : {1u, 20u, 1'000'000u}) {
        const auto a = sorted(n1, kinds, 0);
        const auto b = sorted(n2, kinds, 1'000'000);
        std::vector<item> expected[4];
        const auto less = by_value;
        std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected[0]),
                       less);
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                              std::back_inserter(expected[1]), less);
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected[2]),
                            less);
        std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                      std::back_inserter(expected[3]), less);
        const bool inside = std::includes(a.begin(), a.end(), b.begin(), b.end(), less);
        run([&](const auto& fork) {
          std::less<> comp;
          auto proj = &item::value;
          const auto p = sorted_pair_of(a.begin(), n1, b.begin(), n2, comp, proj, proj);
          const auto check = [&](auto operation, std::size_t which) {
            std::vector<item> out(expected[which].size() + 1, item{0, 77});
            const auto end =
                set_operation_with<decltype(operation)>(fork, p, out.begin(), {.grain = 1});
            EXPECT_EQ(out.back().from, 77u) << "written behind the end";
            out.pop_back();
            EXPECT_EQ(end, out.end());
            ASSERT_EQ(out, expected[which]) << which << ' ' << n1 << ' ' << n2 << ' ' << kinds;
          };
          check(union_operation(), 0);
          check(intersection_operation(), 1);
          check(difference_operation(), 2);
          check(symmetric_operation(), 3);
          EXPECT_EQ(includes_with(fork, p, {}), inside);
        });
      }
}

TEST_P(set_operations_on, inclusion_is_seen_and_so_is_one_that_is_missing) {
  for (const std::size_t n : filch::test::sizes(5000)) {
    const auto a = sorted(n, 5000, 0);
    std::vector<item> b;
    for (const item& x : a)
      if (random().bounded(3) == 0) b.push_back(x);
    std::less<> comp;
    auto proj = &item::value;
    run([&](const auto& fork) {
      EXPECT_TRUE(includes_with(
          fork, sorted_pair_of(a.begin(), n, b.begin(), b.size(), comp, proj, proj), {}));
      if (b.empty()) return;
      b.insert(b.begin() + static_cast<std::ptrdiff_t>(b.size() / 2), n + 1, b[b.size() / 2]);
      EXPECT_FALSE(includes_with(
          fork, sorted_pair_of(a.begin(), n, b.begin(), b.size(), comp, proj, proj), {}));
    });
  }
}

TEST_P(set_operations_on, a_comparison_that_throws_ends_them) {
  const auto a = sorted(10'000, 100'000, 0);
  const auto b = sorted(10'000, 100'000, 0);
  std::vector<item> out(20'000);
  const auto bad = a[5000].value;
  auto comp = [&](std::uint32_t x, std::uint32_t y) {
    if (x == bad || y == bad) throw std::runtime_error("bad");
    return x < y;
  };
  auto proj = &item::value;
  const auto p = sorted_pair_of(a.begin(), a.size(), b.begin(), b.size(), comp, proj, proj);
  run([&](const auto& fork) {
    EXPECT_THROW(set_operation_with<union_operation>(fork, p, out.begin(), {}), std::runtime_error);
  });
}

TEST(set_operations, of_ranges_with_comparisons_projections_and_options) {
  const std::vector<int> a = {1, 2, 2, 5};
  const std::deque<int> b = {2, 3};
  std::vector<int> out(6);
  const auto u = filch::set_union(a, b, out.begin());
  EXPECT_EQ(u.in1, a.end());
  EXPECT_EQ(u.in2, b.end());
  EXPECT_EQ(std::vector(out.begin(), u.out), (std::vector{1, 2, 2, 3, 5}));
  const auto d = filch::set_difference(a, b, out.begin(), {.grain = 1});
  EXPECT_EQ(d.in, a.end());
  EXPECT_EQ(std::vector(out.begin(), d.out), (std::vector{1, 2, 5}));
  const auto i = filch::set_intersection(a, b, out.begin(), std::ranges::less());
  EXPECT_EQ(std::vector(out.begin(), i.out), (std::vector{2}));
  const auto minus = [](int x) { return -x; };
  const auto s = filch::set_symmetric_difference(a, b, out.begin(), std::ranges::greater(), minus,
                                                 minus, {.grain = 1});
  EXPECT_EQ(std::vector(out.begin(), s.out), (std::vector{1, 2, 3, 5}));
  EXPECT_FALSE(filch::includes(a, b));
  EXPECT_TRUE(filch::includes(a, std::vector{2, 5}, std::ranges::less()));
  EXPECT_TRUE(filch::includes(a, std::vector<int>(), {.grain = 1}));
}

}  // namespace
