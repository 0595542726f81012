#include "filch/algorithm/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "filch/algorithm/group_by_key.hpp"
#include "filch/errors.hpp"
#include "support/any_fork_policy.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

using namespace filch::detail;

namespace {

class histogram_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(histogram_on);

TEST_P(histogram_on, counts_every_key) {
  for (const std::size_t n : filch::test::sizes())
    for (const std::uint32_t keys : {1u, 7u, 256u, 513u, 5000u}) {
      std::deque<std::uint32_t> in(n);
      std::vector<std::size_t> expected(keys);
      for (auto& k : in) ++expected[k = random().bounded(keys)];
      run([&](const auto& fork) {
        std::identity self;
        EXPECT_EQ(histogram_with(fork, in.begin(), n, keys, self, {}), expected);
        EXPECT_EQ(histogram_with(fork, in.begin(), n, keys, self, {.grain = 100}), expected);
      });
    }
}

TEST_P(histogram_on, refuses_a_key_that_is_out_of_range) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    if (n == 0) continue;
    for (const int bad : {-1, 10, 1000}) {
      std::vector<int> in(n, 9);
      in[random().bounded(static_cast<std::uint32_t>(n))] = bad;
      run([&](const auto& fork) {
        std::identity self;
        try {
          histogram_with(fork, in.begin(), n, 10, self, {});
          ADD_FAILURE();
        } catch (const filch::usage_error& e) {
          EXPECT_NE(std::string(e.what()).find(std::to_string(bad)), std::string::npos);
        }
      });
    }
  }
}

struct sale {
  std::string city;
  std::string what;
};

/// The same with std::map, in the order of first appearance.
struct by_hand {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  explicit by_hand(const std::vector<sale>& sales) {
    std::map<std::string, std::size_t> positions;
    for (const sale& s : sales) {
      const auto [position, is_new] = positions.try_emplace(s.city, groups.size());
      if (is_new) groups.push_back({s.city, {}});
      groups[position->second].second.push_back(s.what);
    }
  }
};

TEST_P(histogram_on, groups_in_the_order_of_first_appearance) {
  auto sizes = filch::test::sizes(filch::test::size_for_build(3000u, 600u));
  sizes.push_back(20'000);
  for (const std::size_t n : sizes)
    for (const std::uint32_t kinds : {1u, 10u, 1000u, 1'000'000u}) {
      std::vector<sale> in(n);
      for (std::size_t i = 0; i < n; ++i)
        in[i] = {std::to_string(random().bounded(kinds)), std::to_string(i)};
      const by_hand expected(in);
      run([&](const auto& fork) {
        auto key = &sale::city;
        auto value = &sale::what;
        EXPECT_EQ(group_by_key_with(fork, in.begin(), n, key, value, {}), expected.groups);
        // Concatenation is associative, but not commutative.
        std::plus<> op;
        const auto joined = reduce_by_key_with(fork, in.begin(), n, key, value, op, {});
        const auto counted = count_by_key_with(fork, in.begin(), n, key, {});
        ASSERT_EQ(joined.size(), expected.groups.size());
        ASSERT_EQ(counted.size(), expected.groups.size());
        for (std::size_t g = 0; g < joined.size(); ++g) {
          const auto& [city, list] = expected.groups[g];
          EXPECT_EQ(joined[g].first, city);
          std::string all;
          for (const std::string& s : list) all += s;
          ASSERT_EQ(joined[g].second, all);
          ASSERT_EQ(counted[g], std::pair(city, list.size()));
        }
      });
    }
}

TEST_P(histogram_on, a_key_function_that_throws_ends_it) {
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 1 + random().bounded(20'000);
    const auto bad = random().bounded(static_cast<std::uint32_t>(n));
    std::vector<std::uint32_t> in(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(i);
    auto key = [&](std::uint32_t x) {
      if (x == bad) throw std::runtime_error("bad");
      return x % 7;
    };
    run([&](const auto& fork) {
      EXPECT_THROW(histogram_with(fork, in.begin(), n, 7, key, {}), std::runtime_error);
      EXPECT_THROW(count_by_key_with(fork, in.begin(), n, key, {}), std::runtime_error);
    });
  }
}

TEST(histogram, of_a_range_by_a_function_with_options) {
  const std::vector<std::string> words = {"a", "bb", "c"};
  EXPECT_EQ(filch::histogram(words, 4, &std::string::size), (std::vector<std::size_t>{0, 2, 1, 0}));
  EXPECT_EQ(filch::histogram(std::string_view("aab"), 128, {.grain = 1})['a'], 2u);
  EXPECT_TRUE(filch::histogram(std::vector<int>(), 0).empty());
  EXPECT_THROW((void)filch::histogram(std::vector<int>{0}, 0), filch::usage_error);
}

TEST(group_by_key, of_pairs_of_elements_and_with_options) {
  const std::vector<std::pair<int, char>> in = {{3, 'a'}, {1, 'b'}, {3, 'c'}};
  using pair = std::pair<int, char>;
  const auto groups = filch::group_by_key(in, &pair::first, &pair::second);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0], (std::pair(3, std::vector{'a', 'c'})));
  EXPECT_EQ(filch::group_by_key(in, &pair::first, {.grain = 1})[1].second[0], in[1]);
  const auto larger = [](char a, char b) { return std::max(a, b); };
  EXPECT_EQ(filch::reduce_by_key(in, &pair::first, &pair::second, larger)[0].second, 'c');
  EXPECT_EQ(filch::reduce_by_key(in, &pair::second, &pair::first, {.grain = 1})[1].second, 1);
  EXPECT_EQ(filch::count_by_key(std::vector{5, 6, 5})[0], std::pair(5, std::size_t{2}));
  EXPECT_EQ(filch::count_by_key(in, &pair::first)[0].second, 2u);
}

TEST(histogram, of_flags) {
  std::vector<bool> flags(10'000);
  for (std::size_t i = 0; i < flags.size(); i += 4) flags[i] = true;
  EXPECT_EQ(filch::histogram(flags, 2), (std::vector<std::size_t>{7500, 2500}));
  const auto counts = filch::count_by_key(flags);
  static_assert(std::is_same_v<decltype(counts[0].first), bool>);
  EXPECT_EQ(counts, (std::vector<std::pair<bool, std::size_t>>{{true, 2500}, {false, 7500}}));
  const auto groups = filch::group_by_key(flags, [](bool flag) { return flag ? 1 : 2; });
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].second, std::vector<bool>(2500, true));
}

/// Sums of floating-point numbers depend on the order of additions.
TEST_P(histogram_on, deterministic_reductions_give_the_same_bits_on_any_threads) {
  for (const std::size_t n : {100u, 3000u, 40'000u}) {
    std::vector<double> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = 1.0 / static_cast<double>(i + 1);
    auto key = [](double x) { return static_cast<int>(1 / x) % 7; };
    std::identity self;
    std::plus<> op;
    filch::test::sequential_fork alone;
    const auto expected = filch::detail::reduce_by_key_with(alone, v.begin(), n, key, self, op,
                                                            {.deterministic = true});
    for (const std::size_t grain : {0u, 1u, 1000u})
      run([&](const auto& fork) {
        const auto sums = filch::detail::reduce_by_key_with(
            fork, v.begin(), n, key, self, op, {.grain = grain, .deterministic = true});
        EXPECT_EQ(sums, expected);
      });
  }
}

TEST(reduce_by_key, takes_options_that_are_a_variable) {
  const std::vector<std::pair<int, int>> sales = {{1, 10}, {2, 20}, {1, 30}};
  filch::options o;
  const std::vector<std::pair<int, int>> sums = {{1, 40}, {2, 20}};
  EXPECT_EQ(
      filch::reduce_by_key(sales, &std::pair<int, int>::first, &std::pair<int, int>::second, o),
      sums);
  EXPECT_EQ(filch::reduce_by_key(sales, &std::pair<int, int>::first, &std::pair<int, int>::second,
                                 std::plus{}, o),
            sums);
}

TEST(reduce_by_key, of_flags_that_could_be_written_adds_values) {
  std::vector<bool> flags = {false, true, true, false};
  const auto key = [](bool flag) { return flag ? 1 : 2; };
  const auto any = filch::reduce_by_key(flags, key, std::identity());
  EXPECT_EQ(any, (std::vector<std::pair<int, bool>>{{2, false}, {1, true}}));
  EXPECT_EQ(flags, (std::vector<bool>{false, true, true, false}));
}

TEST(reduce_by_key, of_small_numbers_takes_a_function_of_elements_that_could_be_written) {
  using sold = std::pair<int, unsigned char>;
  std::vector<sold> all = {{1, 200}, {2, 20}, {1, 100}};
  const auto sums = filch::reduce_by_key(all, &sold::first, [](sold& s) { return s.second; });
  EXPECT_EQ(sums, (std::vector<std::pair<int, unsigned long long>>{{1, 300}, {2, 20}}));
}

TEST(histogram, and_maps_by_key_of_iterators) {
  const std::vector<int> v{1, 2, 2, 5};
  const auto is_odd = [](int i) { return i % 2 != 0; };
  using counts = std::vector<std::size_t>;
  const std::counted_iterator first(v.begin(), 3);  // its end is of another type
  EXPECT_EQ(filch::histogram(first, std::default_sentinel, 3), (counts{0, 1, 2}));
  EXPECT_EQ(filch::histogram(v.begin(), v.end(), 2, is_odd, {.grain = 1}), (counts{2, 2}));
  using count = std::pair<int, std::size_t>;
  EXPECT_EQ(filch::count_by_key(first, std::default_sentinel),
            (std::vector<count>{{1, 1}, {2, 2}}));
  EXPECT_EQ(filch::count_by_key(v.begin(), v.end(), is_odd, {.grain = 1})[0].second, 2u);

  using pair = std::pair<int, int>;
  const std::vector<pair> p{{3, 1}, {2, 1}, {3, 2}};
  using group = std::pair<int, std::vector<int>>;
  EXPECT_EQ(filch::group_by_key(p.begin(), p.end(), &pair::first)[0].second.size(), 2u);
  EXPECT_EQ(filch::group_by_key(p.begin(), p.end(), &pair::first, &pair::second),
            (std::vector<group>{{3, {1, 2}}, {2, {1}}}));
  EXPECT_EQ(filch::reduce_by_key(p.begin(), p.end(), &pair::first, &pair::second),
            (std::vector<pair>{{3, 3}, {2, 1}}));
  EXPECT_EQ(filch::reduce_by_key(p.begin(), p.end(), &pair::first, &pair::second,
                                 std::multiplies<>(), {.grain = 1}),
            (std::vector<pair>{{3, 2}, {2, 1}}));
}

}  // namespace
