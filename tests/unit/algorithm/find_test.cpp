#include "filch/algorithm/find.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <ranges>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "filch/algorithm/all_of.hpp"
#include "filch/algorithm/compare.hpp"
#include "filch/algorithm/find_any.hpp"
#include "filch/algorithm/find_last.hpp"
#include "filch/algorithm/position.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::find_if_with;
using filch::detail::find_with;
using filch::detail::which;

namespace {

class find_on : public filch::test::on_any_fork {
 protected:
  /// Zeros with some ones, from none to many.
  template <class T>
  std::vector<T> sparse(std::size_t n) {
    std::vector<T> v(n);
    const std::uint32_t ones = n == 0 ? 0 : random().bounded(4);
    for (std::uint32_t k = 0; k < ones; ++k)
      v[random().bounded(static_cast<std::uint32_t>(n))] = T(1);
    return v;
  }
};
FILCH_TEST_ON_EVERY_FORK(find_on);

template <class T, class Fork>
void check_values(const Fork& fork, const std::vector<T>& v) {
  const std::size_t n = v.size();
  std::identity self;
  const auto first = static_cast<std::size_t>(std::find(v.begin(), v.end(), T(1)) - v.begin());
  EXPECT_EQ((find_with<which::first>(fork, v.begin(), n, T(1), self, {})), first);
  const auto behind = static_cast<std::size_t>(v.rend() - std::find(v.rbegin(), v.rend(), T(1)));
  const std::size_t last = behind == 0 ? n : behind - 1;
  EXPECT_EQ((find_with<which::last>(fork, v.begin(), n, T(1), self, {})), last);
  const std::size_t any = find_with<which::any>(fork, v.begin(), n, T(1), self, {});
  EXPECT_TRUE(any == n ? first == n : v[any] == T(1));
}

TEST_P(find_on, a_value_is_where_std_finds_it) {
  for (const std::size_t n : filch::test::sizes())
    run([&](const auto& fork) {
      check_values(fork, sparse<int>(n));
      check_values(fork, sparse<char>(n));
      check_values(fork, sparse<double>(n));
      check_values(fork, sparse<bool>(n));
    });
}

TEST_P(find_on, what_a_predicate_holds_for_is_where_std_finds_it) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    const auto v = sparse<int>(n);
    run([&](const auto& fork) {
      std::identity self;
      auto one = [](int x) { return x == 1; };
      const auto first =
          static_cast<std::size_t>(std::find_if(v.begin(), v.end(), one) - v.begin());
      EXPECT_EQ((find_if_with<which::first>(fork, v.begin(), n, one, self, {})), first);
      const auto behind =
          static_cast<std::size_t>(v.rend() - std::find_if(v.rbegin(), v.rend(), one));
      EXPECT_EQ((find_if_with<which::last>(fork, v.begin(), n, one, self, {})),
                behind == 0 ? n : behind - 1);
      const std::size_t any = find_if_with<which::any>(fork, v.begin(), n, one, self, {});
      EXPECT_TRUE(any == n ? first == n : v[any] == 1);
      const auto zero = find_if_with<which::first, false>(fork, v.begin(), n, one, self, {});
      EXPECT_EQ(zero, static_cast<std::size_t>(std::find(v.begin(), v.end(), 0) - v.begin()));
    });
  }
}

TEST_P(find_on, nothing_before_the_first_hit_is_left_out_and_hardly_anything_behind_it_done) {
  for (int round = 0; round < 100; ++round) {
    const auto n = 1 + random().bounded(5000);
    const auto where = random().bounded(n);
    std::vector<std::atomic<int>> calls(n);
    std::vector<std::uint32_t> v(n);
    std::iota(v.begin(), v.end(), 0u);
    run([&](const auto& fork) {
      auto hit = [&](std::uint32_t i) {
        ++calls[i];
        return i >= where;
      };
      std::identity self;
      EXPECT_EQ((find_if_with<which::first>(fork, v.begin(), n, hit, self, {})), where);
    });
    for (std::size_t i = 0; i < n; ++i) EXPECT_LE(calls[i], 1);
    for (std::size_t i = 0; i <= where; ++i) EXPECT_EQ(calls[i], 1);
  }
}

TEST_P(find_on, throws_what_a_predicate_threw_unless_the_hit_came_first) {
  for (int round = 0; round < 100; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto bad = random().bounded(2 * n);
    const auto good = random().bounded(2 * n);
    std::vector<std::uint32_t> v(n);
    std::iota(v.begin(), v.end(), 0u);
    bool threw = false;
    std::size_t found = n;
    run([&](const auto& fork) {
      auto hit = [&](std::uint32_t i) {
        if (i == bad) throw i;
        return i == good;
      };
      std::identity self;
      try {
        found = find_if_with<which::first>(fork, v.begin(), n, hit, self, {});
      } catch (std::uint32_t i) {
        EXPECT_EQ(i, bad);
        threw = true;
      }
    });
    if (bad < n && bad < good) {
      EXPECT_TRUE(threw);
    } else if (!threw) {
      EXPECT_EQ(found, std::min(good, n));
    }
  }
}

TEST_P(find_on, a_stop_throws_cancelled_or_comes_too_late) {
  for (int round = 0; round < 100; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto when = random().bounded(2 * n);
    std::vector<std::uint32_t> v(n);
    std::iota(v.begin(), v.end(), 0u);
    std::stop_source source;
    std::atomic<std::size_t> calls = 0;
    bool stopped = false;
    run([&](const auto& fork) {
      auto hit = [&](std::uint32_t i) {
        ++calls;
        if (i == when) source.request_stop();
        return false;
      };
      std::identity self;
      try {
        EXPECT_EQ((find_if_with<which::first>(fork, v.begin(), n, hit, self,
                                              {.stop = source.get_token()})),
                  n);
      } catch (const filch::cancelled&) {
        stopped = true;
      }
    });
    EXPECT_EQ(stopped, calls < n);
  }
}

TEST_P(find_on, tells_its_progress_up_to_the_total_wherever_it_ends) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    const auto v = sparse<int>(n);
    std::size_t last = 0;
    run([&](const auto& fork) {
      const auto progress = [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, n);
        EXPECT_LT(last, done);
        last = done;
      };
      std::identity self;
      auto one = [](int x) { return x == 1; };
      find_if_with<which::first>(fork, v.begin(), n, one, self, {.progress = progress});
    });
    EXPECT_EQ(last, n);
  }
}

TEST(find, near_the_front_forks_nothing_and_looks_no_further) {
  std::vector<int> v(1'000'000);
  v[50] = 1;
  std::size_t calls = 0;  // not atomic: one thread
  const filch::test::sequential_fork fork;
  std::identity self;
  auto hit = [&](int x) {
    ++calls;
    return x == 1;
  };
  EXPECT_EQ((find_if_with<which::first>(fork, v.begin(), v.size(), hit, self, {})), 50u);
  EXPECT_EQ(calls, 51u);
  EXPECT_EQ((find_with<which::first>(fork, v.begin(), v.size(), 1, self, {})), 50u);
  EXPECT_EQ(fork.forks(), 0u);
}

TEST(find, of_any_hit_looks_early_at_the_middle_and_at_no_element_twice) {
  constexpr std::size_t n = 1'000'001;
  std::vector<std::uint32_t> v(n);
  std::iota(v.begin(), v.end(), 0u);
  std::vector<std::uint8_t> calls(n);
  const filch::test::sequential_fork fork;
  std::identity self;
  for (const std::size_t where : {n / 2, n / 4, n - 1}) {
    std::fill(calls.begin(), calls.end(), std::uint8_t{0});
    auto hit = [&](std::uint32_t i) {
      ++calls[i];
      return i == where;
    };
    EXPECT_EQ((find_if_with<which::any>(fork, v.begin(), n, hit, self, {})), where);
    EXPECT_EQ((find_with<which::any>(fork, v.begin(), n, v[where], self, {})), where);
    const std::size_t sum = std::accumulate(calls.begin(), calls.end(), std::size_t{0});
    EXPECT_EQ(*std::max_element(calls.begin(), calls.end()), 1);
    if (where == n - 1) {
      EXPECT_EQ(sum, n);
    } else {
      EXPECT_LE(sum, 4096u);
    }
  }
}

struct person {
  std::string name;
  int age = 0;
};

TEST(find, takes_ranges_iterators_projections_and_options_or_any_of_them) {
  std::vector<person> people = {{"a", 1}, {"b", 2}, {"c", 2}, {"d", 3}};
  const auto two = [](int age) { return age == 2; };
  const auto is_two = [](const person& p) { return p.age == 2; };
  const auto b = people.begin() + 1;
  const auto c = people.begin() + 2;
  EXPECT_EQ(filch::find_if(people, is_two), b);
  EXPECT_EQ(filch::find_if(people, is_two, {.grain = 1}), b);
  EXPECT_EQ(filch::find_if(people, two, &person::age), b);
  EXPECT_EQ(filch::find_if(people, two, &person::age, {.grain = 1}), b);
  EXPECT_EQ(filch::find_if(people.begin(), people.end(), is_two), b);
  EXPECT_EQ(filch::find_if(people.begin(), people.end(), two, &person::age), b);
  EXPECT_EQ(filch::find_if_not(people, two, &person::age), people.begin());
  EXPECT_EQ(filch::find_if_not(people.begin() + 1, people.end(), is_two), people.begin() + 3);
  EXPECT_EQ(filch::find(people, 2, &person::age), b);
  EXPECT_EQ(filch::find(people.begin(), people.end(), "c", &person::name, {.grain = 1}), c);
  EXPECT_EQ(filch::find_last(people, 2, &person::age).begin(), c);
  EXPECT_EQ(filch::find_last_if(people, is_two).begin(), c);
  EXPECT_EQ(filch::find_last_if_not(people, is_two, {.grain = 1}).begin(), people.begin() + 3);
  EXPECT_EQ(filch::find_last(people, 7, &person::age).begin(), people.end());
  EXPECT_EQ(filch::find_any(people, 3, &person::age), people.begin() + 3);
  EXPECT_EQ(filch::find_any_if(people, two, &person::age)->age, 2);
  EXPECT_EQ(filch::position(people, is_two), 1u);
  EXPECT_EQ(filch::position(people, two, &person::age, {.grain = 1}), 1u);
  EXPECT_EQ(filch::position(people, [](const person& p) { return p.age > 9; }), std::nullopt);
  EXPECT_EQ(filch::position(people.begin(), people.end(), is_two), 1u);

  const std::vector<int> v = {3, 1, 3};
  EXPECT_EQ(filch::find(v, 3, {.grain = 1}), v.begin());
  EXPECT_EQ(filch::find(v, 1L, {}), v.begin() + 1);
  EXPECT_EQ(filch::find_last(v, 3).begin(), v.begin() + 2);
  EXPECT_EQ(*filch::find(std::string_view("key=value"), '='), '=');
  static_assert(
      std::is_same_v<decltype(filch::find(std::vector<int>(3), 1)), std::ranges::dangling>);
}

/// Letters that are equal if they differ in case only.
enum class letter : unsigned char { none, a = 'a', A = 'A' };
bool operator==(letter x, letter y) {
  return (static_cast<unsigned>(x) | 32u) == (static_cast<unsigned>(y) | 32u);
}

TEST(find, calls_the_operator_of_an_enumeration_of_one_byte) {
  std::vector<letter> v(1000, letter::none);
  v[600] = letter::A;
  EXPECT_EQ(filch::find(v, letter::a) - v.begin(), 600);
  EXPECT_EQ(filch::find_last(v, letter::a).begin() - v.begin(), 600);
  std::vector<letter> w = v;
  w[600] = letter::a;
  EXPECT_TRUE(filch::equal(v, w));
  w[700] = letter::a;
  EXPECT_EQ(filch::mismatch(v, w).in1 - v.begin(), 700);
}

TEST(find, works_on_deques_and_on_the_pool_of_the_options) {
  filch::pool p(2);
  filch::test::watch(p);
  std::deque<int> d(100'000);
  d[70'000] = 5;
  EXPECT_EQ(filch::find(d, 5, {.on = &p}) - d.begin(), 70'000);
  EXPECT_EQ(filch::find_last(d, 5, {.on = &p}).begin() - d.begin(), 70'000);
}

TEST(all_of, any_of_and_none_of_say_what_std_says) {
  for (const std::size_t n : filch::test::sizes(20'000))
    for (const std::size_t where : {std::size_t{0}, n / 2, n}) {
      std::vector<int> v(n);
      if (where < n) v[where] = 1;
      const auto one = [](int x) { return x == 1; };
      const auto zero = [](int x) { return x == 0; };
      EXPECT_EQ(filch::any_of(v, one), std::ranges::any_of(v, one));
      EXPECT_EQ(filch::all_of(v, zero, {.grain = 10}), std::ranges::all_of(v, zero));
      EXPECT_EQ(filch::none_of(v.begin(), v.end(), one), std::ranges::none_of(v, one));
    }
  const std::vector<person> people = {{"a", 1}, {"b", 2}};
  EXPECT_TRUE(filch::all_of(
      people, [](int age) { return age > 0; }, &person::age));
}

}  // namespace
