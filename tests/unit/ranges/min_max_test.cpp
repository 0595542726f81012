#include "filch/ranges/min_max.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/ranges/par_range.hpp"
#include "support/any_fork_policy.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

using filch::test::par_on;

namespace {

struct card {
  int rank;
  std::size_t position;
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

TEST_P(range_min_max_on, of_integers_both_are_found_and_each_item_is_made_once) {
  for (const std::size_t n : filch::test::sizes(4100)) {
    std::vector<int> v(n);
    for (int& x : v) x = static_cast<int>(random().bounded(1'000'000)) - 500'000;
    run([&](const auto& fork) {
      std::atomic<std::size_t> made{0};
      const auto both = par_on(fork, v)
                            .map([&](int x) {
                              ++made;
                              return x;
                            })
                            .minmax();
      EXPECT_EQ(made, n);
      ASSERT_EQ(both.has_value(), n != 0);
      if (n == 0) return;
      EXPECT_EQ(both->min, std::ranges::min(v));
      EXPECT_EQ(both->max, std::ranges::max(v));
      const auto turned = par_on(fork, v).minmax(std::greater<>());
      EXPECT_EQ(turned->min, both->max);
      EXPECT_EQ(turned->max, both->min);
    });
  }
}

TEST_P(range_min_max_on,
       zeros_of_both_signs_are_equal_so_the_first_or_for_minmax_the_last_largest_is_found) {
  for (const std::size_t n : {2u, 7u, 64u, 500u, 5000u})
    for (const std::size_t plain : {std::size_t{0}, std::size_t{1}, n / 2, n - 1})
      run([&](const auto& fork) {
        std::vector<double> v(n, -0.0);
        v[plain] = 0.0;
        const bool first = plain != 0;  // has the first zero a sign?
        const bool last = plain != n - 1;
        const auto as_it_is = [](double x) { return x; };
        EXPECT_EQ(std::signbit(*par_on(fork, v).min()), first) << n << " " << plain;
        EXPECT_EQ(std::signbit(*par_on(fork, v).max()), first);
        EXPECT_EQ(std::signbit(*par_on(fork, v).max(std::greater<>())), first);
        EXPECT_EQ(std::signbit(*par_on(fork, v).map(as_it_is).min()), first);
        EXPECT_EQ(std::signbit(par_on(fork, v).minmax()->min), first);
        EXPECT_EQ(std::signbit(par_on(fork, v).minmax()->max), last);
        EXPECT_EQ(std::signbit(par_on(fork, v).map(as_it_is).minmax()->max), last);
      });
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

TEST_P(range_min_max_on, pairs_with_references_are_kept_as_values_and_nothing_is_written_through) {
  using found = std::pair<std::size_t, std::string>;
  std::vector<std::string> words;
  for (std::size_t i = 0; i != 3000; ++i)
    words.push_back("a word that is on the heap " + std::to_string((i * 7919) % 3001));
  const std::vector<std::string> before = words;
  const auto least = static_cast<std::size_t>(std::ranges::min_element(words) - words.begin());
  const auto most = static_cast<std::size_t>(std::ranges::max_element(words) - words.begin());
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  run([&](const auto& fork) {
    const std::optional<found> by = par_on(fork, words).enumerate().max_by(less);
    EXPECT_EQ(by, found(most, words[most]));
    const auto both = par_on(fork, words).enumerate().minmax(less);
    ASSERT_TRUE(both.has_value());
    EXPECT_EQ(both->min, found(least, words[least]));
    EXPECT_EQ(both->max, found(most, words[most]));
    const std::optional<found> reduced = par_on(fork, words).enumerate().reduce([](auto a, auto b) {
      return a.second >= b.second ? a : b;
    });
    EXPECT_EQ(reduced, found(most, words[most]));
    const auto larger = par_on(fork, words).zip(words).max();
    static_assert(
        std::is_same_v<decltype(larger), const std::optional<std::pair<std::string, std::string>>>);
    EXPECT_EQ(larger->second, words[most]);
    EXPECT_EQ(
        par_on(fork, words).enumerate().min_by_key([](auto& at) { return std::tie(at.second); }),
        found(least, words[least]));
    EXPECT_EQ(words, before);
    std::vector<std::string> owned = words;
    EXPECT_EQ(par_on(fork, std::move(owned)).enumerate().min_by(less), found(least, words[least]));
  });
}

TEST_P(range_min_max_on,
       numbers_as_keys_choose_the_first_of_equal_items_and_see_the_items_themselves) {
  for (const std::size_t n : filch::test::sizes(4100)) {
    std::vector<int> v(n);
    for (int& x : v) x = static_cast<int>(random().bounded(1000));
    const auto key = [&](const int& x) { return v[static_cast<std::size_t>(&x - v.data())] % 50; };
    const auto by_key = [&](int a, int b) { return a % 50 < b % 50; };
    const auto least = std::ranges::min_element(v, by_key);
    const auto most = std::ranges::max_element(v, by_key);
    run([&](const auto& fork) {
      const auto low = par_on(fork, v).min_by_key(key);
      const auto high = par_on(fork, v).max_by_key(key);
      const auto made = par_on(fork, v).map([](int x) { return x + 50; }).min_by_key([](int x) {
        return x % 50;
      });
      ASSERT_EQ(low.has_value(), n != 0);
      if (n == 0) return;
      EXPECT_EQ(*low, *least);
      EXPECT_EQ(*high, *most);
      EXPECT_EQ(*made, *least + 50);
    });
  }
}

TEST(range_min_max, an_item_without_order_hides_no_item_behind_it) {
  struct measured {
    double value;
    std::size_t position;
  };
  const filch::options in_one_leaf{.grain = 1000};
  for (const std::size_t without_order : {0u, 1u, 15u, 63u, 64u, 100u, 299u})
    for (const std::size_t least : {3u, 62u, 70u, 298u}) {
      std::vector<measured> v;
      for (std::size_t i = 0; i != 300; ++i) v.push_back({5.0 + static_cast<double>(i % 7), i});
      v[least].value = 1.0;
      v[without_order].value = std::nan("");
      const measured& expected = *std::ranges::min_element(v, {}, &measured::value);
      const auto by_key = filch::par(v).with(in_one_leaf).min_by_key(&measured::value);
      EXPECT_EQ(by_key->position, expected.position);
      const auto values = [](const measured& each) { return each.value; };
      const double number = *filch::par(v).map(values).with(in_one_leaf).min();
      EXPECT_TRUE(without_order == 0 ? std::isnan(number) : number == 1.0) << number;
    }
}

}  // namespace
