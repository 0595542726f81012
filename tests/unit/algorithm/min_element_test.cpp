#include "filch/algorithm/min_element.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "filch/algorithm/min.hpp"
#include "filch/errors.hpp"
#include "support/any_fork.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::champion_with;
using filch::detail::extremes_with;
using filch::detail::tie;

namespace {

class min_element_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(min_element_on);

template <class Fork, class T, class Comp>
void check(const Fork& fork, const std::vector<T>& v, Comp comp) {
  const std::size_t n = v.size();
  std::identity self;
  const auto at = [&](auto i) { return static_cast<std::size_t>(i - v.begin()); };
  EXPECT_EQ((champion_with<false, tie::first>(fork, v.begin(), n, comp, self, {})),
            at(std::min_element(v.begin(), v.end(), comp)));
  EXPECT_EQ((champion_with<true, tie::first>(fork, v.begin(), n, comp, self, {})),
            at(std::max_element(v.begin(), v.end(), comp)));
  const auto both = extremes_with(fork, v.begin(), n, comp, self, {});
  const auto expected = std::minmax_element(v.begin(), v.end(), comp);
  EXPECT_EQ(both.least, at(expected.first));
  EXPECT_EQ(both.most, at(expected.second));
}

TEST_P(min_element_on, finds_what_std_does_with_few_many_and_only_equal_elements) {
  for (const std::size_t n : filch::test::sizes(17'000)) {
    if (n == 0) continue;
    for (const std::uint32_t distinct : {1u, 3u, 1'000'000u}) {
      std::vector<int> v(n);
      for (int& x : v) x = static_cast<int>(random().bounded(distinct)) - 1;
      const std::vector<double> d(v.begin(), v.end());
      const std::vector<std::uint8_t> bytes(v.begin(), v.end());
      run([&](const auto& fork) {
        check(fork, v, std::ranges::less{});
        check(fork, v, std::greater<>{});
        check(fork, d, std::less<>{});
        check(fork, bytes, std::less<>{});
      });
    }
  }
}

TEST_P(min_element_on, finds_what_std_does_in_sorted_and_reversed_ranges) {
  for (const std::size_t n : filch::test::sizes(10'000)) {
    if (n == 0) continue;
    std::vector<int> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i);
    run([&](const auto& fork) {
      check(fork, v, std::ranges::less{});
      check(fork, v, std::ranges::greater{});
    });
  }
}

struct person {
  std::string name;
  int age = 0;
  std::unique_ptr<int> only = nullptr;  // cannot be copied
};

TEST(min_element, takes_ranges_iterators_comparators_projections_and_options) {
  std::vector<person> people(4);
  people[0].age = 5;
  people[1].age = 3;
  people[2].age = 3;
  people[3].age = 5;
  EXPECT_EQ(filch::min_element(people, {}, &person::age), people.begin() + 1);
  EXPECT_EQ(filch::max_element(people, {}, &person::age), people.begin());
  EXPECT_EQ(filch::min_element(people, std::greater{}, &person::age, {.grain = 1}), people.begin());
  const auto both = filch::minmax_element(people, {}, &person::age);
  EXPECT_EQ(both.min, people.begin() + 1);
  EXPECT_EQ(both.max, people.begin() + 3);
  const std::vector<int> v = {2, 1, 3};
  EXPECT_EQ(filch::min_element(v), v.begin() + 1);
  EXPECT_EQ(filch::min_element(v, {.grain = 1}), v.begin() + 1);
  EXPECT_EQ(filch::min_element(v, std::greater{}, {.grain = 1}), v.begin() + 2);
  EXPECT_EQ(filch::max_element(v.begin(), v.end()), v.begin() + 2);
  EXPECT_EQ(filch::minmax_element(v.begin(), v.begin()).min, v.begin());
  EXPECT_EQ(filch::max_element(v.begin(), v.begin()), v.begin());
}

TEST(min, max_and_minmax_give_copies) {
  const std::vector<std::string> v = {"bb", "a", "ccc", "c"};
  EXPECT_EQ(filch::min(v), "a");
  EXPECT_EQ(filch::max(v), "ccc");
  EXPECT_EQ(filch::max(v, {}, &std::string::size), "ccc");
  EXPECT_EQ(filch::min(v, std::greater{}, {.grain = 1}), "ccc");
  EXPECT_EQ(filch::min(std::vector<int>{3, 2, 4}, {.grain = 1}), 2);
  const auto both = filch::minmax(v, {}, &std::string::size);
  EXPECT_EQ(both.min, "a");
  EXPECT_EQ(both.max, "ccc");
  EXPECT_THROW((void)filch::min(std::vector<int>{}), filch::usage_error);
  EXPECT_THROW((void)filch::max(std::vector<int>{}), filch::usage_error);
  EXPECT_THROW((void)filch::minmax(std::vector<int>{}), filch::usage_error);
}

}  // namespace
