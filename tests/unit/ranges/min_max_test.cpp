#include "filch/ranges/min_max.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "filch/ranges/par_range.hpp"
#include "support/any_fork.hpp"
#include "support/sizes.hpp"

using filch::detail::par_on;

namespace {

struct card {
  int rank;
  std::size_t place;
  friend bool operator==(const card&, const card&) = default;
};
constexpr auto by_rank = [](const card& a, const card& b) { return a.rank < b.rank; };

class range_min_max_on : public filch::test::on_any_fork {
 protected:
  std::vector<card> cards(std::size_t n) {
    std::vector<card> v;
    for (std::size_t i = 0; i != n; ++i) v.push_back({static_cast<int>(random().bounded(9)), i});
    return v;
  }
};
FILCH_TEST_ON_EVERY_FORK(range_min_max_on);

TEST_P(range_min_max_on, of_equal_items_the_first_as_std_does) {
  for (const std::size_t n : filch::test::sizes(4100)) {
    const std::vector<card> v = cards(n);
    run([&](const auto& fork) {
      const auto least = par_on(fork, v).min(by_rank);
      const auto most = par_on(fork, v).max(by_rank);
      const auto both = par_on(fork, v).minmax(by_rank);
      ASSERT_EQ(least.has_value(), n != 0);
      ASSERT_EQ(most.has_value(), n != 0);
      ASSERT_EQ(both.has_value(), n != 0);
      if (n == 0) return;
      EXPECT_EQ(*least, *std::ranges::min_element(v, by_rank));
      EXPECT_EQ(*most, *std::ranges::max_element(v, by_rank));
      EXPECT_EQ(par_on(fork, v).min_by(by_rank), least);
      EXPECT_EQ(par_on(fork, v).max_by(by_rank), most);
      EXPECT_EQ(par_on(fork, v).min_by_key(&card::rank), least);
      EXPECT_EQ(par_on(fork, v).max_by_key(&card::rank), most);
      EXPECT_EQ(par_on(fork, v).max_by_key(&card::rank, std::greater<>()), least);
      const auto expected = std::ranges::minmax_element(v, by_rank);
      EXPECT_EQ(both->min, *expected.min);
      EXPECT_EQ(both->max, *expected.max);
    });
  }
}

TEST_P(range_min_max_on, of_numbers_and_behind_a_filter) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    std::vector<double> v(n);
    for (auto& x : v) x = static_cast<double>(random().bounded(1'000'000)) - 500'000.0;
    std::vector<double> positive;
    std::ranges::copy_if(v, std::back_inserter(positive), [](double x) { return x > 0; });
    run([&](const auto& fork) {
      if (n != 0) {
        EXPECT_EQ(par_on(fork, v).min(), std::ranges::min(v));
        EXPECT_EQ(par_on(fork, v).max(), std::ranges::max(v));
        EXPECT_EQ(par_on(fork, v).max(std::greater<>()), std::ranges::min(v));
      }
      const auto least = par_on(fork, v).filter([](double x) { return x > 0; }).min();
      ASSERT_EQ(least.has_value(), !positive.empty());
      if (least) {
        EXPECT_EQ(*least, std::ranges::min(positive));
      }
    });
  }
}

TEST_P(range_min_max_on, moves_items_that_cannot_be_copied) {
  run([&](const auto& fork) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 2000; ++i) v.push_back(std::make_unique<int>((i * 7919) % 2003));
    const auto deref = [](const std::unique_ptr<int>& p) { return *p; };
    const auto least = par_on(fork, std::move(v)).min_by_key(deref);
    ASSERT_TRUE(least.has_value());
    EXPECT_EQ(**least, 0);
  });
}

}  // namespace
