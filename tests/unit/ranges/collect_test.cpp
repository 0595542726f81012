#include "filch/ranges/collect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/ranges/par_range.hpp"
#include "filch/this_worker.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/numbers.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

using filch::test::numbers;
using filch::test::par_on;

namespace {

constexpr auto is_third = [](int x) { return x % 3 == 0; };

class range_collect_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(range_collect_on);

TEST_P(range_collect_on, keeps_order_with_and_without_positions) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    const std::vector<int> v = numbers(n);
    std::vector<int> thirds;
    for (const int x : v)
      if (is_third(x)) thirds.push_back(x);
    run([&](const auto& fork) {
      ASSERT_EQ(par_on(fork, v).template to<std::vector>(), v);
      ASSERT_EQ(par_on(fork, v).filter(is_third).template to<std::vector>(), thirds);
      const auto longs = par_on(fork, v).filter(is_third).template to<std::vector<long>>();
      ASSERT_TRUE(std::equal(longs.begin(), longs.end(), thirds.begin(), thirds.end()));
    });
  }
}

TEST_P(range_collect_on, converts_no_item_that_is_dropped_if_it_may_be_out_of_range) {
  using filch::detail::always_converts;
  static_assert(!always_converts<int, double> && !always_converts<float, double>);
  static_assert(!always_converts<void*, int*> && always_converts<int*, int*>);
  static_assert(always_converts<double, float> && always_converts<float, long>);
  static_assert(always_converts<char, long> && always_converts<double, double>);
  const std::vector<double> v{1.5, 1e300, -3.0, -1e300, 7.0};
  const auto is_small = [](double x) { return x < 100 && x > -100; };
  run([&](const auto& fork) {
    ASSERT_EQ(par_on(fork, v).filter(is_small).template to<std::vector<int>>(),
              (std::vector<int>{1, -3, 7}));
  });
}

/// More than one block of the largest size.
TEST_P(range_collect_on, gathers_what_fills_large_blocks) {
  using wide = std::array<int, 16>;  // 12 MB of them are few
  const std::vector<int> v = numbers(200'000);
  run([&](const auto& fork) {
    const auto more = par_on(fork, v)
                          .map([](int x) { return wide{x + 1}; })
                          .filter([](const wide& w) { return w[0] % 100 != 0; })
                          .template to<std::vector>();
    ASSERT_EQ(more.size(), 198'000u);
    bool right = true;
    for (std::size_t i = 0; i != more.size(); ++i)
      right = right && more[i][0] == static_cast<int>(i + i / 99) + 1;
    EXPECT_TRUE(right);
  });
}

TEST_P(range_collect_on, makes_sequences_of_any_kind) {
  const std::vector<int> v = numbers(3000);
  run([&](const auto& fork) {
    const auto deque = par_on(fork, v).template to<std::deque>();
    EXPECT_TRUE(std::equal(deque.begin(), deque.end(), v.begin(), v.end()));
    const auto list = par_on(fork, v).filter(is_third).template to<std::list<int>>();
    EXPECT_EQ(list.size(), 1000u);
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
    const auto bits = par_on(fork, v).map(is_third).template to<std::vector<bool>>();
    ASSERT_EQ(bits.size(), v.size());
    for (std::size_t i = 0; i != bits.size(); ++i) ASSERT_EQ(bits[i], i % 3 == 0);
  });
}

TEST_P(range_collect_on, makes_strings) {
  const std::string text(4000, 'x');
  run([&](const auto& fork) {
    const auto upper = [](char c) { return static_cast<char>(c - 32); };
    EXPECT_EQ(par_on(fork, text).map(upper).template to<std::string>(), std::string(4000, 'X'));
    std::string mixed;
    for (int i = 0; i < 5000; ++i) mixed += static_cast<char>('a' + i % 26);
    const auto vowel = [](char c) { return c == 'a' || c == 'e'; };
    std::string expected;
    for (const char c : mixed)
      if (vowel(c)) expected += c;
    EXPECT_EQ(par_on(fork, mixed).filter(vowel).template to<std::string>(), expected);
  });
}

TEST_P(range_collect_on, makes_sets_and_maps_of_which_the_first_of_a_key_stays) {
  const std::vector<int> v = numbers(2000);
  run([&](const auto& fork) {
    const auto set = par_on(fork, v).map([](int x) { return x % 7; }).template to<std::set>();
    EXPECT_EQ(set.size(), 7u);
    const auto pairs = [](int x) { return std::pair(x % 7, std::to_string(x)); };
    const auto map = par_on(fork, v).map(pairs).template to<std::map>();
    ASSERT_EQ(map.size(), 7u);
    for (const auto& [key, text] : map) EXPECT_EQ(text, std::to_string(key));
    const auto hashed =
        par_on(fork, v).map(pairs).template to<std::unordered_map<int, std::string>>();
    EXPECT_EQ(hashed.at(3), "3");
  });
}

TEST_P(range_collect_on, moves_items_that_cannot_be_copied_also_through_a_filter) {
  run([&](const auto& fork) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 3000; ++i) v.push_back(std::make_unique<int>(i));
    const auto third = [](const std::unique_ptr<int>& p) { return *p % 3 == 0; };
    const auto all = par_on(fork, std::move(v)).filter(third).template to<std::vector>();
    ASSERT_EQ(all.size(), 1000u);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(*all[static_cast<std::size_t>(i)], 3 * i);
  });
}

TEST_P(range_collect_on, writes_into_a_range_that_is_there) {
  for (const std::size_t n : {0u, 1u, 1000u, 20'000u}) {
    std::vector<int> v = numbers(n);
    run([&](const auto& fork) {
      std::deque<long> out(n + 1, -7);
      EXPECT_EQ(par_on(fork, v).into(out), n);
      for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(out[i], v[i]);
      EXPECT_EQ(out[n], -7) << "written behind the end";
      std::vector<int> thirds(n / 3 + 2, -7);
      const std::size_t count = par_on(fork, v).filter(is_third).to(thirds);
      EXPECT_EQ(count, (n + 2) / 3);
      for (std::size_t i = 0; i != count; ++i) ASSERT_EQ(thirds[i], static_cast<int>(3 * i));
      EXPECT_EQ(thirds[count], -7);
      par_on(fork, v).map([](int x) { return x + 1; }).into(v);
    });
    for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(v[i], static_cast<int>(i) + 1) << "in place";
  }
}

TEST_P(range_collect_on, refuses_a_range_that_is_too_small_before_it_writes) {
  const std::vector<int> v = numbers(1000);
  run([&](const auto& fork) {
    std::vector<int> out(999, -7);
    try {
      par_on(fork, v).into(out);
      ADD_FAILURE() << "it has taken 1000 items";
    } catch (const filch::usage_error& e) {
      EXPECT_NE(std::string(e.what()).find("1000 items"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("999 elements"), std::string::npos) << e.what();
    }
    EXPECT_EQ(out, std::vector<int>(999, -7));
    std::vector<int> few(10, -7);
    EXPECT_THROW(par_on(fork, v).filter(is_third).into(few), filch::usage_error);
    EXPECT_EQ(few, std::vector<int>(10, -7));
  });
}

TEST(range_collect, runs_where_the_options_say) {
  filch::pool p(2);
  filch::test::watch(p);
  const std::vector<int> v = numbers(100'000);
  const auto here = [&](int) { return filch::this_worker::pool() == &p; };
  const auto all = filch::par(v, {.on = &p}).filter(here).to<std::vector>();
  EXPECT_EQ(all, v);
}

TEST(range_collect, makes_vectors_of_elements_that_cannot_be_assigned) {
  struct numbered {
    const int id;
  };
  std::vector<numbered> v;
  for (int i = 0; i < 3000; ++i) v.push_back({i});
  const auto is_even = [](const numbered& n) { return n.id % 2 == 0; };
  const auto even = filch::par(v).filter(is_even).to_vector();
  ASSERT_EQ(even.size(), 1500u);
  for (std::size_t i = 0; i < even.size(); ++i) EXPECT_EQ(even[i].id, static_cast<int>(2 * i));
}

}  // namespace
