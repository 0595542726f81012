#include "filch/algorithm/for_each.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/detail/loop/fork.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

namespace {

class for_each_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(for_each_on);

TEST_P(for_each_on, calls_every_element_once) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<int> calls(n);
    run([&](const auto& fork) {
      auto f = [](int& c) { ++c; };
      std::identity self;
      const auto end = filch::detail::for_each_with(fork, calls.begin(), n, f, self, {});
      EXPECT_EQ(end, calls.end());
    });
    EXPECT_EQ(calls, std::vector<int>(n, 1));
  }
}

TEST_P(for_each_on, walks_a_deque) {
  std::deque<int> items(10'001, 1);
  run([&](const auto& fork) {
    auto f = [](int& c) { ++c; };
    std::identity self;
    filch::detail::for_each_with(fork, items.begin(), items.size(), f, self, {});
  });
  EXPECT_EQ(items, std::deque<int>(10'001, 2));
}

struct person {
  std::string name;
  std::unique_ptr<int> visits = std::make_unique<int>(0);  // cannot be copied
};

TEST(for_each, takes_a_projection_and_options_or_either) {
  std::vector<person> people(100);
  const auto greet = [](std::unique_ptr<int>& v) { ++*v; };
  EXPECT_EQ(filch::for_each(people, greet, &person::visits), people.end());
  filch::for_each(people, greet, &person::visits, {.grain = 7});
  filch::for_each(people, [](person& p) { ++*p.visits; }, {.grain = 64});
  filch::for_each(people, [](person& p) { ++*p.visits; }, {});
  filch::for_each(people.begin(), people.end(), greet, &person::visits);
  filch::for_each(people.begin(), people.end(), [](person& p) { ++*p.visits; }, {.grain = 3});
  filch::for_each_n(people.begin(), 50, greet, &person::visits);
  filch::for_each_n(people.begin(), -1, greet, &person::visits);
  for (std::size_t i = 0; i < people.size(); ++i) EXPECT_EQ(*people[i].visits, i < 50 ? 7 : 6);
}

TEST(for_each, works_on_whatever_has_random_access_and_a_size) {
  std::array<int, 5> numbers{};
  filch::for_each(std::span(numbers), [](int& n) { ++n; });
  int plain[3] = {};
  filch::for_each(plain, [](int& n) { n += 2; });
  std::atomic<int> letters = 0;
  filch::for_each(std::string_view("hello"), [&](char c) { letters += c == 'l'; });
  EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), 5);
  EXPECT_EQ(plain[2], 2);
  EXPECT_EQ(letters, 2);
}

TEST(for_each, an_end_that_would_dangle_is_not_returned) {
  const auto ignore = [](int) {};
  static_assert(std::is_same_v<decltype(filch::for_each(std::vector<int>(3), ignore)),
                               std::ranges::dangling>);
  static_assert(std::is_same_v<decltype(filch::for_each(std::span<int>(), ignore)),
                               std::span<int>::iterator>);
}

}  // namespace
