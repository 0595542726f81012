#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "filch/pool.hpp"
#include "filch/ranges.hpp"
#include "support/any_fork_policy.hpp"
#include "support/par_on.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

using filch::test::par_on;

namespace {

/// `n` inner ranges of very different lengths, with the numbers from 0 on.
std::vector<std::vector<int>> uneven(std::size_t n, filch::detail::rng& random) {
  std::vector<std::vector<int>> all(n);
  int next = 0;
  for (auto& inner : all) {
    const std::uint32_t kind = random.bounded(10);
    inner.resize(kind == 0 ? random.bounded(3000) : kind < 5 ? 0 : random.bounded(4));
    for (int& x : inner) x = next++;
  }
  return all;
}

class flat_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(flat_on);

TEST_P(flat_on, flatten_gives_all_items_in_order) {
  for (const std::size_t n : {0u, 1u, 2u, 5u, 100u, filch::test::size_for_build(1000u, 300u)}) {
    auto nested = uneven(n, random());
    std::vector<int> expected;
    for (const auto& inner : nested) expected.insert(expected.end(), inner.begin(), inner.end());
    run([&](const auto& fork) {
      ASSERT_EQ(par_on(fork, nested).flatten().to_vector(), expected);
      ASSERT_EQ(par_on(fork, nested).flatten().count(), expected.size());
      ASSERT_EQ(par_on(fork, nested).flatten().map([](int x) { return long{x}; }).sum(),
                std::accumulate(expected.begin(), expected.end(), 0L));
      ASSERT_EQ(par_on(fork, std::vector(nested)).flatten().to_vector(), expected);
    });
  }
}

TEST_P(flat_on, flat_map_takes_whatever_is_a_range) {
  std::vector<int> v(300);
  std::iota(v.begin(), v.end(), 0);
  std::vector<int> expected;
  for (const int x : v)
    for (int i = 0; i != x; ++i) expected.push_back(i);
  run([&](const auto& fork) {
    const auto vectors = [](int x) {
      std::vector<int> all(static_cast<std::size_t>(x));
      std::iota(all.begin(), all.end(), 0);
      return all;
    };
    ASSERT_EQ(par_on(fork, v).flat_map(vectors).to_vector(), expected);
    const auto lists = [&](int x) {
      const auto all = vectors(x);
      return std::list<int>(all.begin(), all.end());
    };
    ASSERT_EQ(par_on(fork, v).flat_map(lists).to_vector(), expected);
    const auto chains = [](int x) {
      return filch::par_indices(0, 2 * x).filter([](int i) { return i % 2 == 0; }).map([](int i) {
        return i / 2;
      });
    };
    ASSERT_EQ(par_on(fork, v).flat_map(chains).to_vector(), expected);
    const auto twice = [](int x) { return std::vector<std::vector<int>>(2, {x, x}); };
    ASSERT_EQ(par_on(fork, v).flat_map(twice).flatten().count(), 4 * v.size());
  });
}

TEST_P(flat_on, elements_of_what_is_made_on_the_fly_are_moved) {
  const std::vector<int> v(100, 50);
  run([&](const auto& fork) {
    const auto all = par_on(fork, v)
                         .flat_map([](int n) {
                           std::vector<std::unique_ptr<int>> made;
                           for (int i = 0; i != n; ++i) made.push_back(std::make_unique<int>(i));
                           return made;
                         })
                         .to_vector();
    ASSERT_EQ(all.size(), 5000u);
    for (std::size_t i = 0; i != all.size(); ++i) ASSERT_EQ(*all[i], static_cast<int>(i % 50));
  });
}

TEST_P(flat_on, a_search_stops_in_the_inner_range) {
  for (int round = 0; round < 20; ++round) {
    auto nested = uneven(200, random());
    nested.push_back({-1});
    const int wanted = static_cast<int>(random().bounded(20'000));
    int expected = -1;
    for (const auto& inner : nested)
      for (const int x : inner)
        if (expected == -1 && x >= wanted) expected = x;
    run([&](const auto& fork) {
      const auto found = par_on(fork, nested)
                             .flatten()
                             .filter([&](int x) { return x >= wanted || x == -1; })
                             .find_first();
      ASSERT_EQ(found, expected);
    });
  }
}

// On one thread: a thread that began with the second half of such a range would never reach its
// end.
TEST(flat, an_inner_range_may_have_more_items_than_size_t_can_count) {
  const std::vector<std::uint64_t> from = {1000, 3, 5};
  const auto up = [](std::uint64_t x) { return filch::par_indices(x, ~std::uint64_t{0}); };
  const auto found = par_on(filch::test::sequential_fork(), from)
                         .flat_map(up)
                         .filter([](std::uint64_t x) { return x % 64 == 7; })
                         .find_first();
  EXPECT_EQ(found, 1031u);
}

TEST_P(flat_on, an_exception_in_an_inner_range_is_thrown) {
  for (int round = 0; round < 20; ++round) {
    const auto nested = uneven(200, random());
    const int bad = static_cast<int>(random().bounded(100));
    run([&](const auto& fork) {
      const auto f = [&](int x) {
        if (x == bad) throw std::runtime_error("bad");
        return std::to_string(x);
      };
      std::size_t items = 0;
      for (const auto& inner : nested) items += inner.size();
      if (items > 100) {
        EXPECT_THROW((void)par_on(fork, nested).flatten().map(f).to_vector(), std::runtime_error);
      }
    });
  }
}

// The first part is stopped while its inner loop runs. The second one throws.
TEST(flat, an_exception_comes_before_a_stop_in_an_inner_range) {
  filch::pool two(2);
  for (const bool deterministic : {false, true}) {
    std::stop_source stop;
    std::atomic<int> begun{0};
    const auto both_have_begun = [&] {
      ++begun;
      while (begun.load() < 2) std::this_thread::yield();
    };
    const auto f = [&](int x) {
      if (x == 8) {
        both_have_begun();
        while (!stop.stop_requested()) std::this_thread::yield();
        throw std::runtime_error("bad");
      }
      return filch::par_bridge([&, x, n = 0]() mutable -> std::optional<int> {
        if (x != 0) return std::nullopt;
        if (n == 0) both_have_begun();
        stop.request_stop();
        return n < 5000 ? std::optional(n++) : std::nullopt;
      });
    };
    const filch::options o{
        .grain = 1, .stop = stop.get_token(), .on = &two, .deterministic = deterministic};
    std::vector<int> outer(16);  // two leaves of a deterministic chain
    std::iota(outer.begin(), outer.end(), 0);
    EXPECT_THROW((void)filch::par(outer, o).flat_map(f).to_vector(), std::runtime_error);
  }
}

}  // namespace
