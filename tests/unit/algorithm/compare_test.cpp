#include "filch/algorithm/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filch/algorithm/is_sorted.hpp"
#include "filch/algorithm/search.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::which;

namespace {

class compare_on : public filch::test::on_any_fork {
 protected:
  /// A random position for an event: anywhere, or nowhere.
  std::size_t position(std::size_t n) {
    return random().bounded(static_cast<std::uint32_t>(n + n / 4 + 1));
  }
};
FILCH_TEST_ON_EVERY_FORK(compare_on);

TEST_P(compare_on, ranges_differ_where_std_says) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<int> a(n, 3);
    std::vector<int> b(n, 3);
    for (int changes = 0; changes < 2; ++changes)
      if (const std::size_t i = position(n); i < n) b[i] = 4;
    const auto expected =
        static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
    run([&](const auto& fork) {
      std::identity self;
      std::ranges::equal_to equal;
      auto by_hand = [](int x, int y) { return x == y; };
      using filch::detail::mismatch_with;
      EXPECT_EQ((mismatch_with<which::first>(fork, a.begin(), b.begin(), n, equal, self, self, {})),
                expected);
      EXPECT_EQ(
          (mismatch_with<which::first>(fork, a.begin(), b.begin(), n, by_hand, self, self, {})),
          expected);
      const std::size_t any =
          mismatch_with<which::any>(fork, a.begin(), b.begin(), n, by_hand, self, self, {});
      EXPECT_TRUE(any == n ? expected == n : a[any] != b[any]);
    });
  }
}

TEST_P(compare_on, ranges_are_sorted_as_far_as_std_says) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<int> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i / 3);
    for (int changes = 0; changes < 2; ++changes)
      if (const std::size_t i = position(n); i < n) v[i] = -1;
    const auto expected =
        static_cast<std::size_t>(std::is_sorted_until(v.begin(), v.end()) - v.begin());
    run([&](const auto& fork) {
      std::identity self;
      std::ranges::less less;
      auto by_hand = [](int x, int y) { return x < y; };
      using filch::detail::descent_with;
      EXPECT_EQ((descent_with<which::first>(fork, v.begin(), n, less, self, {})), expected);
      EXPECT_EQ((descent_with<which::first>(fork, v.begin(), n, by_hand, self, {})), expected);
      EXPECT_EQ((descent_with<which::any>(fork, v.begin(), n, by_hand, self, {})) == n,
                expected == n);
    });
  }
}

TEST_P(compare_on, neighbours_are_found_where_std_finds_them) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<int> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i);
    if (const std::size_t i = position(n); i + 1 < n) v[i + 1] = v[i];
    const auto expected =
        static_cast<std::size_t>(std::adjacent_find(v.begin(), v.end()) - v.begin());
    run([&](const auto& fork) {
      std::identity self;
      std::ranges::equal_to equal;
      auto by_hand = [](int x, int y) { return x == y; };
      using filch::detail::adjacent_find_with;
      EXPECT_EQ(adjacent_find_with(fork, v.begin(), n, equal, self, {}), expected);
      EXPECT_EQ(adjacent_find_with(fork, v.begin(), n, by_hand, self, {}), expected);
    });
  }
}

TEST_P(compare_on, a_range_is_found_in_another_where_std_finds_it) {
  for (const std::size_t n : filch::test::sizes(5000))
    for (const std::size_t m : {0u, 1u, 2u, 7u}) {
      std::string text(n, 'a');
      for (char& c : text) c = random().bounded(3) == 0 ? 'b' : 'a';
      std::string word(m, 'a');
      if (m != 0) word.back() = 'b';
      const auto expected = static_cast<std::size_t>(
          std::search(text.begin(), text.end(), word.begin(), word.end()) - text.begin());
      run([&](const auto& fork) {
        std::identity self;
        std::ranges::equal_to equal;
        EXPECT_EQ(filch::detail::search_with(fork, text.begin(), n, word.begin(), m, equal, self,
                                             self, {}),
                  expected);
      });
    }
}

TEST(compare, takes_ranges_iterators_projections_and_options_or_any_of_them) {
  const std::vector<std::pair<int, int>> pairs = {{1, 9}, {2, 9}, {4, 9}};
  const std::deque<int> numbers = {1, 2, 3};
  using pair = std::pair<int, int>;
  EXPECT_EQ(filch::mismatch(pairs, numbers, {}, &pair::first).in1, pairs.begin() + 2);
  EXPECT_EQ(filch::mismatch(numbers, pairs, {}, {}, &pair::first, {.grain = 1}).in1,
            numbers.begin() + 2);
  EXPECT_EQ(filch::mismatch(numbers, numbers, {.grain = 1}).in2, numbers.end());
  EXPECT_EQ(filch::mismatch(numbers, numbers, std::less{}, {.grain = 1}).in2, numbers.begin());
  EXPECT_TRUE(filch::equal(numbers, numbers));
  EXPECT_TRUE(filch::equal(numbers.begin(), numbers.end(), numbers.begin(), numbers.end()));
  EXPECT_FALSE(filch::equal(pairs, numbers, {}, &pair::first));
  EXPECT_FALSE(filch::equal(std::string_view("abc"), std::string_view("ab")));
  EXPECT_FALSE(filch::equal(numbers, std::vector<long>{1, 2, 4}, {.grain = 1}));
}

TEST(compare, orders_ranges_as_std_does) {
  const std::vector<std::string> words = {"", "a", "aa", "ab", "b", "ba"};
  for (const auto& a : words)
    for (const auto& b : words) {
      EXPECT_EQ(filch::lexicographical_compare(a, b), a < b);
      EXPECT_EQ(
          filch::lexicographical_compare(a, b, std::greater{}),
          std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), std::greater{}));
      EXPECT_EQ(filch::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()), a < b);
    }
  std::vector<double> x(50'000, 1);
  std::vector<double> y = x;
  EXPECT_FALSE(filch::lexicographical_compare(x, y, {.grain = 100}));
  y[40'000] = 2;
  EXPECT_TRUE(filch::lexicographical_compare(x, y));
  EXPECT_FALSE(filch::lexicographical_compare(y, x));
}

TEST(compare, sequences_take_comparators_projections_and_options) {
  const std::vector<std::string> words = {"a", "bb", "cc", "d"};
  EXPECT_EQ(filch::adjacent_find(words, {}, &std::string::size), words.begin() + 1);
  EXPECT_EQ(filch::adjacent_find(words, {.grain = 1}), words.end());
  EXPECT_EQ(filch::adjacent_find(words.begin(), words.end(), std::greater{}, &std::string::size),
            words.begin() + 2);
  EXPECT_TRUE(filch::is_sorted(words));
  EXPECT_FALSE(filch::is_sorted(words, {}, &std::string::size));
  EXPECT_FALSE(filch::is_sorted(words, std::greater{}, {.grain = 1}));
  EXPECT_EQ(filch::is_sorted_until(words, {}, &std::string::size), words.begin() + 3);
  EXPECT_EQ(filch::is_sorted_until(words.begin(), words.end()), words.end());
  const std::string_view text = "the needle";
  EXPECT_EQ(filch::search(text, std::string_view("nee")).begin(), text.begin() + 4);
  EXPECT_EQ(filch::search(text, std::string_view("pin"), {.grain = 1}).begin(), text.end());
  EXPECT_EQ(filch::search(text, std::string_view("")).begin(), text.begin());
  EXPECT_EQ(filch::search(words, std::vector<std::size_t>{2, 1}, {}, &std::string::size).begin(),
            words.begin() + 2);
}

}  // namespace
