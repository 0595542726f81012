// Every element that a collecting chain makes is destroyed once, whatever happens.
#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/ranges/par_range.hpp"
#include "support/any_fork_policy.hpp"
#include "support/par_on.hpp"
#include "support/sanitizers.hpp"
#include "support/tracked.hpp"

using filch::test::par_on;
using filch::test::tracked;

namespace {

std::vector<int> numbers(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  return v;
}

class range_life_on : public filch::test::on_any_fork {
 protected:
  range_life_on() { tracked::reset_counts(); }
  ~range_life_on() override {
    EXPECT_EQ(tracked::live(), 0);
    EXPECT_EQ(tracked::wrong_destructions(), 0);
    tracked::reset_counts();
  }
};
FILCH_TEST_ON_EVERY_FORK(range_life_on);

constexpr auto make = [](int x) { return tracked(x); };
constexpr auto is_even = [](const tracked& t) { return t.number() % 2 == 0; };

TEST_P(range_life_on, items_with_positions_are_made_in_place_and_never_moved) {
  const auto v = numbers(5000);
  run([&](const auto& fork) {
    const auto all = par_on(fork, v).map(make).template to<std::vector>();
    EXPECT_EQ(tracked::live(), 5000);
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)].number(), i);
  });
#if FILCH_VECTOR_STORAGE
  EXPECT_EQ(tracked::moves(), 0);
#endif
}

TEST_P(range_life_on, items_behind_a_filter_are_moved_twice_at_most) {
  const auto v = numbers(5000);
  run([&](const auto& fork) {
    const auto all = par_on(fork, v).map(make).filter(is_even).template to<std::vector>();
    EXPECT_EQ(all.size(), 2500u);
    EXPECT_EQ(tracked::live(), 2500);
  });
  EXPECT_LE(tracked::moves(), 2 * 2500);
}

TEST_P(range_life_on, a_function_that_throws_leaves_nothing_behind) {
  const int n = 300;
  const auto v = numbers(n);
  for (int bad = 0; bad < n; bad += filch::test::size_for_build(1, 3))
    run([&](const auto& fork) {
      const auto f = [&](int x) {
        if (x == bad) throw std::runtime_error(std::to_string(x));
        return tracked(x);
      };
      EXPECT_THROW((void)par_on(fork, v).map(f).template to<std::vector>(), std::runtime_error);
      EXPECT_EQ(tracked::live(), 0);
      EXPECT_THROW((void)par_on(fork, v).map(f).filter(is_even).template to<std::vector>(),
                   std::runtime_error);
      EXPECT_EQ(tracked::live(), 0);
      EXPECT_THROW((void)par_on(fork, v).map(f).partition(is_even), std::runtime_error);
      EXPECT_EQ(tracked::live(), 0);
    });
}

TEST_P(range_life_on, a_move_that_throws_leaves_nothing_behind) {
  const auto v = numbers(300);
  for (int bad = 1; bad <= 300; bad += 7)
    run([&](const auto& fork) {
      tracked::throw_at_move(bad);
      EXPECT_THROW((void)par_on(fork, v).map(make).filter(is_even).template to<std::vector>(),
                   tracked::move_failed);
      tracked::throw_at_move(0);
      EXPECT_EQ(tracked::live(), 0);
    });
}

TEST_P(range_life_on, a_stop_leaves_nothing_behind) {
  const auto v = numbers(20'000);
  for (int round = 0; round < 20; ++round) {
    const int when = static_cast<int>(random().bounded(20'000));
    run([&](const auto& fork) {
      std::stop_source stop;
      const auto f = [&](int x) {
        if (x == when) stop.request_stop();
        return tracked(x);
      };
      try {
        const auto all = par_on(fork, v, {.stop = stop.get_token()})
                             .map(f)
                             .filter(is_even)
                             .template to<std::vector>();
        EXPECT_EQ(all.size(), 10'000u);
      } catch (const filch::cancelled&) {
        EXPECT_EQ(tracked::live(), 0);
      }
    });
  }
}

TEST_P(range_life_on, elements_that_were_not_consumed_go_with_their_container) {
  run([&](const auto& fork) {
    std::vector<tracked> v;
    for (int i = 0; i < 2000; ++i) v.emplace_back(i);
    auto chain = par_on(fork, std::move(v)).filter(is_even);
    const auto found = chain.find_first();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->number(), 0);
    EXPECT_EQ(tracked::live(), 2001) << "the container's, and the one that was found";
  });
}

/// Parts that are moved from one leaf to the next, of a type whose moves may throw.
TEST_P(range_life_on, reduce_destroys_what_was_not_combined_when_a_move_throws) {
  const auto v = numbers(200);
  const auto sum = [&](const auto& fork, int throw_at) {
    tracked::throw_at_move(throw_at);
    return par_on(fork, v)
        .flat_map([](int x) { return numbers(x % 5); })
        .map(make)
        .reduce([](tracked a, tracked b) { return tracked(a.number() + b.number()); });
  };
  run([&](const auto& fork) {
    const auto all = sum(fork, 0);
    ASSERT_TRUE(all.has_value());
    EXPECT_EQ(all->number(), 40 * (1 + 3 + 6));  // 0 to x % 5, for each of 2, 3 and 4
    for (const int throw_at : {1, 2, 7, 40, 150})
      EXPECT_THROW((void)sum(fork, throw_at), tracked::move_failed) << throw_at;
  });
}

}  // namespace
