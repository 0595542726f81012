#include "filch/algorithm/count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "filch/errors.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

namespace {

class count_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(count_on);

template <class T, class Fork>
void check(const Fork& fork, filch::detail::rng& random, std::size_t n) {
  std::vector<T> v(n);
  for (auto&& x : v) x = random.bounded(3) == 0 ? T(1) : T(0);
  std::identity self;
  auto one = [](const T& x) { return x == T(1); };
  const auto expected = static_cast<std::size_t>(std::count(v.begin(), v.end(), T(1)));
  EXPECT_EQ(filch::detail::count_with(fork, v.begin(), n, T(1), self, {}), expected);
  EXPECT_EQ(filch::detail::count_if_with(fork, v.begin(), n, one, self, {}), expected);
}

TEST_P(count_on, counts_what_std_does) {
  for (const std::size_t n : filch::test::sizes())
    run([&](const auto& fork) {
      check<int>(fork, random(), n);
      check<char>(fork, random(), n);
      check<double>(fork, random(), n);
    });
}

TEST_P(count_on, what_a_predicate_throws_is_thrown) {
  for (int round = 0; round < 50; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto bad = random().bounded(2 * n);
    std::vector<int> v(n, 1);
    bool threw = false;
    run([&](const auto& fork) {
      std::identity self;
      std::atomic<std::size_t> calls = 0;
      auto pred = [&](int) {
        if (calls++ == bad) throw 7;
        return true;
      };
      try {
        EXPECT_EQ(filch::detail::count_if_with(fork, v.begin(), n, pred, self, {}), n);
      } catch (int) {
        threw = true;
      }
    });
    EXPECT_EQ(threw, bad < n);
  }
}

TEST(count, takes_ranges_iterators_projections_and_options_or_any_of_them) {
  const std::vector<std::string> words = {"a", "bb", "cc", ""};
  const auto two = [](std::size_t n) { return n == 2; };
  EXPECT_EQ(filch::count_if(words, two, &std::string::size), 2);
  EXPECT_EQ(filch::count_if(words, [](const std::string& s) { return s.empty(); }, {.grain = 1}),
            1);
  EXPECT_EQ(filch::count_if(words.begin(), words.end(), two, &std::string::size, {.grain = 1}), 2);
  EXPECT_EQ(filch::count(words, "bb"), 1);
  EXPECT_EQ(filch::count(words, 2u, &std::string::size), 2);
  EXPECT_EQ(filch::count(words.begin(), words.end(), "", {.grain = 2}), 1);
  EXPECT_EQ(filch::count(std::string_view("a\nb\nc"), '\n'), 2);
  EXPECT_EQ(filch::count(std::deque<int>(10'000, 3), 3L), 10'000);
  EXPECT_EQ(filch::count(std::vector<bool>(10, true), true), 10);
}

}  // namespace
