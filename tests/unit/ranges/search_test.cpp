#include "filch/ranges/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/errors.hpp"
#include "filch/ranges/par_range.hpp"
#include "support/any_fork_policy.hpp"
#include "support/numbers.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

using filch::test::numbers;
using filch::test::par_on;

namespace {

class range_search_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(range_search_on);

TEST_P(range_search_on, finds_what_a_loop_finds) {
  for (const std::size_t n : filch::test::sizes(20'000))
    for (const std::uint32_t rarity : {1u, 7u, 5000u, 1'000'000u}) {
      const std::vector<int> v = numbers(n);
      const auto salt = static_cast<int>(random().bounded(rarity));
      const auto hit = [=](int x) { return x % static_cast<int>(rarity) == salt; };
      std::optional<int> first, last;
      for (const int x : v)
        if (hit(x)) {
          last = x;
          if (!first) first = x;
        }
      run([&](const auto& fork) {
        ASSERT_EQ(par_on(fork, v).find_first(hit), first);
        ASSERT_EQ(par_on(fork, v).find_last(hit), last);
        const auto any = par_on(fork, v).find_any(hit);
        ASSERT_EQ(any.has_value(), first.has_value());
        if (any) {
          EXPECT_TRUE(hit(*any));
        }
        EXPECT_EQ(par_on(fork, v).filter(hit).find_first(), first);
        EXPECT_EQ(par_on(fork, v).filter(hit).find_last(), last);
        EXPECT_EQ(par_on(fork, v).filter(hit).find_any().has_value(), first.has_value());
        const auto position = par_on(fork, v).map([](int x) { return x; }).position_first(hit);
        EXPECT_EQ(position.has_value(), first.has_value());
        if (position) {
          EXPECT_EQ(*position, static_cast<std::size_t>(*first));
        }
        const auto back = par_on(fork, v).position_last(hit);
        EXPECT_EQ(back.has_value(), last.has_value());
        if (back) {
          EXPECT_EQ(*back, static_cast<std::size_t>(*last));
        }
        EXPECT_EQ(par_on(fork, v).position_any(hit).has_value(), first.has_value());
        EXPECT_EQ(par_on(fork, v).any(hit), first.has_value());
        EXPECT_EQ(par_on(fork, v).none(hit), !first.has_value());
        const bool every = n == 0 || rarity == 1 || (n == 1 && first.has_value());
        EXPECT_EQ(par_on(fork, v).all(hit), every);
      });
    }
}

TEST_P(range_search_on, find_map_gives_what_is_held) {
  const std::vector<int> v = numbers(5000);
  const auto word = [](int x) -> std::optional<std::string> {
    if (x % 1000 != 999) return std::nullopt;
    return std::to_string(x);
  };
  const auto pointer = [](const int& x) { return x == 77 ? &x : nullptr; };
  run([&](const auto& fork) {
    EXPECT_EQ(par_on(fork, v).find_map_first(word), "999");
    EXPECT_EQ(par_on(fork, v).find_map_last(word), "4999");
    EXPECT_TRUE(par_on(fork, v).find_map_any(word).has_value());
    EXPECT_EQ(par_on(fork, v).find_map_first(pointer), 77);
    EXPECT_EQ(par_on(fork, v).find_map_any([](int) { return std::optional<int>(); }), std::nullopt);
  });
}

TEST_P(range_search_on, moves_what_it_finds_out_of_an_owned_container) {
  run([&](const auto& fork) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 3000; ++i) v.push_back(std::make_unique<int>(i));
    const auto found = par_on(fork, std::move(v)).find_first([](const std::unique_ptr<int>& p) {
      return *p >= 1234;
    });
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(**found, 1234);
  });
}

TEST_P(range_search_on, does_not_look_far_behind_a_hit_near_the_front) {
  const std::vector<int> v = numbers(1'000'000);
  run([&](const auto& fork) {
    std::atomic<std::size_t> calls = 0;
    const auto hit = [&](int x) {
      ++calls;
      return x >= 10;
    };
    EXPECT_EQ(par_on(fork, v).find_first(hit), 10);
    // In a random order, the far end may have been searched first.
    if (GetParam() == filch::test::fork_kind::sequential) {
      EXPECT_LE(calls, 2048u);
    }
  });
}

TEST_P(range_search_on, of_any_hit_looks_early_at_the_middle_of_halves_and_quarters) {
  constexpr std::size_t n = 200'001;
  const std::vector<int> v = numbers(n);
  for (const std::size_t where : {n / 2, n / 4, n / 8})
    run([&](const auto& fork) {
      std::atomic<std::size_t> calls = 0;
      const auto hit = [&](int x) {
        ++calls;
        return x == static_cast<int>(where);
      };
      EXPECT_EQ(par_on(fork, v).position_any(hit), where);
      // In a random order, the other half may have been searched first.
      if (where == n / 2 || GetParam() == filch::test::fork_kind::sequential) {
        EXPECT_LE(calls, 4096u);
      }
    });
}

TEST_P(range_search_on, throws_what_the_predicate_throws_and_cancelled) {
  const std::vector<int> v = numbers(3000);
  run([&](const auto& fork) {
    const auto bad = [](int x) -> bool {
      if (x == 1500) throw std::runtime_error("bad");
      return false;
    };
    EXPECT_THROW((void)par_on(fork, v).find_first(bad), std::runtime_error);
    EXPECT_THROW((void)par_on(fork, v).find_last(bad), std::runtime_error);
    EXPECT_THROW((void)par_on(fork, v).any(bad), std::runtime_error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)par_on(fork, v, {.stop = stop.get_token()}).any([](int) { return false; }),
                 filch::cancelled);
  });
}

TEST_P(range_search_on, asks_about_no_item_twice) {
  constexpr std::size_t n = 20'000;
  const std::vector<int> v = numbers(n);
  const filch::options long_leaves{.grain = 5000};
  run([&](const auto& fork) {
    std::vector<std::atomic<int>> asked(n);
    const auto hit = [&](const int& x) {
      ++asked[static_cast<std::size_t>(&x - v.data())];  // it is the element, not a copy
      return x == 12'345;
    };
    const auto most = [&] {
      int times = 0;
      for (auto& each : asked) times = std::max(times, each.exchange(0));
      return times;
    };
    for (const filch::options& o : {long_leaves, filch::options{}}) {
      EXPECT_TRUE(par_on(fork, v, o).any(hit));
      EXPECT_EQ(most(), 1);
    }
    EXPECT_EQ(par_on(fork, v, long_leaves).find_first(hit), 12'345);
    EXPECT_EQ(most(), 1);
    EXPECT_EQ(par_on(fork, v, long_leaves).position_last(hit), 12'345u);
    EXPECT_EQ(most(), 1);
    const auto twice = [&](const int& x) { return hit(x) ? 1 : 0; };
    EXPECT_EQ(par_on(fork, v, long_leaves).map(twice).find_any([](int x) { return x == 1; }), 1);
    EXPECT_EQ(most(), 1);
  });
}

TEST(range_search, for_the_last_position_calls_functions_with_a_state_from_left_to_right) {
  const std::vector<int> v(1000);
  const auto number = [next = 0](int) mutable { return next++; };
  auto chain = filch::par(v, {.grain = 1000}).map(number);  // one leaf
  EXPECT_EQ(chain.position_last([](int x) { return x < 10; }), 9u);
}

}  // namespace
