#include "filch/ranges/partition.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "filch/algorithm/group_by_key.hpp"
#include "filch/ranges/par_range.hpp"
#include "support/any_fork_policy.hpp"
#include "support/numbers.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

using filch::test::numbers;
using filch::test::par_on;

namespace {

constexpr auto is_third = [](int x) { return x % 3 == 0; };

class range_partition_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(range_partition_on);

TEST_P(range_partition_on, takes_pairs_apart) {
  for (const std::size_t n : filch::test::sizes(4100)) {
    const std::vector<int> v = numbers(n);
    const auto pair = [](int x) { return std::pair(x, std::to_string(x)); };
    run([&](const auto& fork) {
      const auto [a, b] = par_on(fork, v).map(pair).unzip();
      ASSERT_EQ(a, v);
      ASSERT_EQ(b.size(), n);
      for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(b[i], std::to_string(i));
      const auto [c, d] = par_on(fork, v)
                              .filter(is_third)
                              .map(pair)
                              .template unzip<std::set<long>, std::vector<std::string>>();
      ASSERT_EQ(c.size(), (n + 2) / 3);
      ASSERT_EQ(d.size(), (n + 2) / 3);
    });
  }
}

TEST_P(range_partition_on, keeps_both_parts_in_order) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    const std::vector<int> v = numbers(n);
    std::vector<int> yes, no;
    for (const int x : v) (is_third(x) ? yes : no).push_back(x);
    run([&](const auto& fork) {
      const auto [a, b] = par_on(fork, v).partition(is_third);
      ASSERT_EQ(a, yes);
      ASSERT_EQ(b, no);
    });
  }
}

TEST_P(range_partition_on, moves_items_that_cannot_be_copied) {
  run([&](const auto& fork) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 3000; ++i) v.push_back(std::make_unique<int>(i));
    const auto low = [](const std::unique_ptr<int>& p) { return *p < 1000; };
    const auto [a, b] = par_on(fork, std::move(v)).partition(low);
    ASSERT_EQ(a.size(), 1000u);
    ASSERT_EQ(b.size(), 2000u);
    EXPECT_EQ(*a.back(), 999);
    EXPECT_EQ(*b.front(), 1000);
  });
}

TEST_P(range_partition_on, by_what_a_function_returns) {
  const std::vector<int> v = numbers(3000);
  run([&](const auto& fork) {
    const auto either = [](int x) -> std::variant<int, std::string> {
      if (is_third(x)) return x;
      return std::to_string(x);
    };
    const auto [numbers_of, words] = par_on(fork, v).partition_map(either);
    ASSERT_EQ(numbers_of.size(), 1000u);
    ASSERT_EQ(words.size(), 2000u);
    EXPECT_EQ(numbers_of[10], 30);
    EXPECT_EQ(words[2], "4");
    const auto checked = [](int x) -> filch::expected<int, std::string> {
      if (x == 7) return filch::unexpected<std::string>("seven");
      return x;
    };
    const auto [good, bad] = par_on(fork, v).partition_map(checked);
    EXPECT_EQ(good.size(), 2999u);
    EXPECT_EQ(bad, std::vector<std::string>{"seven"});
  });
}

TEST_P(range_partition_on, groups_as_group_by_key_does) {
  for (const std::size_t n : filch::test::sizes(4100)) {
    std::vector<int> v(n);
    for (int& x : v) x = static_cast<int>(random().bounded(500));
    const auto key = [](int x) { return x % 17; };
    const auto expected = filch::group_by_key(v, key);
    run([&](const auto& fork) {
      ASSERT_EQ(par_on(fork, v).group_by(key), expected);
      const auto all = [](int) { return true; };
      ASSERT_EQ(par_on(fork, v).filter(all).group_by(key), expected);
    });
  }
}

TEST_P(range_partition_on, groups_by_a_function_that_calls_change) {
  const std::vector<int> v = numbers(3000);
  run([&](const auto& fork) {
    const auto groups = par_on(fork, v).group_by([calls = 0](int x) mutable {
      ++calls;
      return calls > 0 ? x % 3 : -1;
    });
    ASSERT_EQ(groups.size(), 3u);
    for (const auto& [key, group] : groups) EXPECT_EQ(group.size(), 1000u) << key;
  });
}

TEST_P(range_partition_on, groups_by_a_key_that_lies_in_an_item_that_is_moved) {
  run([&](const auto& fork) {
    std::vector<std::string> words;
    for (int i = 0; i < 3000; ++i)
      words.push_back("a word that is not short " + std::to_string(i % 3));
    const auto self = [](const std::string& s) -> const std::string& { return s; };
    const auto groups = par_on(fork, std::move(words)).group_by(self);
    ASSERT_EQ(groups.size(), 3u);
    for (const auto& [key, group] : groups) {
      EXPECT_EQ(group, std::vector<std::string>(1000, key));
    }
  });
}

}  // namespace
