#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/expected.hpp"
#include "filch/pool.hpp"
#include "filch/ranges.hpp"
#include "support/any_fork_policy.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/par_on.hpp"
#include "support/sanitizers.hpp"

using filch::test::par_on;

namespace {

const filch::options fixed{.deterministic = true};

/// Numbers of very different size, so that their sum depends on the order.
std::vector<float> uneven(std::size_t n) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = std::ldexp(1.0F + static_cast<float>(i % 97), static_cast<int>(i * 7 % 40) - 20);
  return v;
}
constexpr auto third = [](float x) { return x / 3; };
constexpr auto counts = [](float x) { return std::fmod(x, 3.0F) > 1.0F; };

/// The bits of sums that are computed in different ways.
template <class Fork>
std::vector<std::uint32_t> sums(const Fork& fork, const std::vector<float>& v) {
  const auto add = [](float a, float b) { return a + b; };
  const auto zero = [] { return 0.0F; };
  const auto front = [&](float x) {
    return filch::par(v).take(static_cast<std::size_t>(x) % 50 + 1).map(third);
  };
  const std::optional<float> reduced = par_on(fork, v, fixed).filter(counts).reduce(add);
  const float all[] = {
      par_on(fork, v, fixed).sum(),
      par_on(fork, v, fixed).map(third).sum(),
      par_on(fork, v, fixed).map(third).filter(counts).sum(),
      par_on(fork, v, fixed).map(third).filter(counts).reduce(1.0F, add),
      par_on(fork, v, fixed).reduce(zero, add),
      par_on(fork, v, fixed).fold(zero, add).sum(),
      par_on(fork, v, fixed).flat_map(front).sum(),
      reduced.value_or(0.0F),
  };
  std::vector<std::uint32_t> bits;
  for (const float x : all) bits.push_back(std::bit_cast<std::uint32_t>(x));
  for (const float x : par_on(fork, v, fixed).fold(zero, add).to_vector())
    bits.push_back(std::bit_cast<std::uint32_t>(x));
  return bits;
}

/// A tree of the positions of all numbers: some nodes have many below them, some none.
constexpr auto root = std::size_t{0};
struct children {
  std::size_t n;
  std::vector<std::size_t> operator()(std::size_t of) const {
    std::vector<std::size_t> below;
    for (std::size_t k = 1; k <= 4 && 4 * of + k < n; ++k) below.push_back(4 * of + k);
    return below;
  }
};

/// The same for sources without positions, and for functions that may fail.
template <class Fork>
std::vector<std::uint32_t> other_sums(const Fork& fork, const std::vector<float>& v) {
  const auto add = [](float a, float b) { return a + b; };
  const auto zero = [] { return 0.0F; };
  const auto element = [&](std::size_t i) { return i < v.size() ? v[i] : 0.0F; };
  const auto tree = [&] { return filch::par_walk_prefix(root, children{v.size()}); };
  const auto brothers_first = [&] { return filch::par_walk_postfix(root, children{v.size()}); };
  const auto read = [&] { return filch::par_bridge(v.begin(), v.end()); };
  const auto try_add = [](float a, float b) -> std::optional<float> { return a + b; };
  const auto up_to_large = [](float a, float b) -> filch::expected<float, float> {
    if (b > 1e7F) return filch::unexpected(b);
    return a + b;
  };
  const auto below = [&](std::size_t i) { return filch::par_walk_prefix(i, children{v.size()}); };
  const auto forty = [] { return filch::par_indices(std::size_t{0}, std::size_t{40}); };
  const auto fractions = [](float x) { return x > 2.0F; };
  const float all[] = {
      par_on(fork, tree()).with(fixed).map(element).sum(),
      par_on(fork, tree()).with(fixed).map(element).fold(zero, add).sum(),
      par_on(fork, brothers_first()).with(fixed).map(element).reduce(zero, add),
      par_on(fork, forty()).with(fixed).flat_map(below).map(element).sum(),
      par_on(fork, read()).with(fixed).map(third).filter(counts).sum(),
      par_on(fork, v, fixed).map(third).try_reduce(0.0F, try_add).value_or(-1.0F),
      par_on(fork, v, fixed).try_fold(0.0F, up_to_large, add).value_or(-1.0F),
      par_on(fork, v, fixed).filter(counts).try_fold(0.0F, try_add, add).value_or(-1.0F),
      par_on(fork, v, fixed).fold(zero, add).find_last(fractions).value_or(-1.0F),
  };
  std::vector<std::uint32_t> bits;
  for (const float x : all) bits.push_back(std::bit_cast<std::uint32_t>(x));
  for (const float x : par_on(fork, read()).with(fixed).filter(counts).to_vector())
    bits.push_back(std::bit_cast<std::uint32_t>(x));
  return bits;
}

/// The best items where some have no order: the bits of numbers, and the positions of items with a
/// number.
template <class Fork>
std::vector<std::uint32_t> bests(const Fork& fork, const std::vector<float>& v) {
  const auto indices = [&] {
    return filch::par_indices(std::uint32_t{0}, static_cast<std::uint32_t>(v.size()));
  };
  const auto key = [&](std::uint32_t i) { return v[i]; };
  const auto minus = [&](std::uint32_t i) { return -v[i]; };
  const auto less = [&](std::uint32_t i, std::uint32_t j) { return v[i] < v[j]; };
  const auto pair = [&](std::uint32_t i) { return std::pair(v[i], i % 2); };
  const auto both = par_on(fork, v, fixed).map(std::negate{}).minmax();
  const auto both_by = par_on(fork, indices()).with(fixed).minmax(less);
  const float numbers[] = {
      par_on(fork, v, fixed).min().value_or(-1),
      par_on(fork, v, fixed).filter(std::not_fn(counts)).max().value_or(-1),
      both ? both->min : -1,
      both ? both->max : -1,
  };
  std::vector<std::uint32_t> bits = {
      par_on(fork, indices()).with(fixed).min_by_key(minus).value_or(0),
      par_on(fork, indices()).with(fixed).max_by_key(key).value_or(0),
      par_on(fork, indices()).with(fixed).min_by_key(pair).value_or(0),
      par_on(fork, indices()).with(fixed).min_by(less).value_or(0),
      par_on(fork, indices()).with(fixed).max_by(less).value_or(0),
      both_by ? both_by->min : 0,
      both_by ? both_by->max : 0,
  };
  for (const float x : numbers) bits.push_back(std::bit_cast<std::uint32_t>(x));
  return bits;
}

class deterministic_range_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(deterministic_range_on);

TEST_P(deterministic_range_on, sums_of_floating_numbers_have_the_same_bits) {
  for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 1000u, 5000u}) {
    const std::vector<float> v = uneven(n);
    const auto expected = sums(filch::test::sequential_fork(), v);
    for (int round = 0; round < 5; ++round)
      run([&](const auto& fork) { EXPECT_EQ(sums(fork, v), expected) << n << " items"; });
  }
}

TEST_P(deterministic_range_on, sums_of_trees_bridges_and_attempts_have_the_same_bits) {
  for (const std::size_t n : {0u, 1u, 9u, 1000u, 5000u}) {
    const std::vector<float> v = uneven(n);
    const auto expected = other_sums(filch::test::sequential_fork(), v);
    for (int round = 0; round < filch::test::size_for_build(5, 2); ++round)
      run([&](const auto& fork) { EXPECT_EQ(other_sums(fork, v), expected) << n << " items"; });
  }
}

TEST_P(deterministic_range_on, the_best_among_items_without_order_do_not_depend_on_who_looks) {
  for (const std::size_t n : {0u, 1u, 9u, 1000u, 5000u}) {
    // A leaf that begins with a NaN keeps it. The best items are at the end.
    std::vector<float> v(n, std::nanf(""));
    for (std::size_t i = 0; i < n; i += 1 + i % 3) v[i] = static_cast<float>(i);
    const auto expected = bests(filch::test::sequential_fork(), v);
    for (int round = 0; round < 5; ++round)
      run([&](const auto& fork) { EXPECT_EQ(bests(fork, v), expected) << n << " items"; });
  }
}

TEST_P(deterministic_range_on, a_bridge_keeps_the_order_in_which_it_reads_and_ends_early) {
  run([&](const auto& fork) {
    int last = 0;
    const auto endless = [&] { return std::optional(++last); };
    const auto large = [](int x) { return x > 1500; };
    EXPECT_EQ(par_on(fork, filch::par_bridge(endless)).with(fixed).find_first(large), 1501);
    EXPECT_LE(last, 2048) << "two blocks";
    std::stop_source stop;
    const auto until_then = [&] {
      if (++last == 3000) stop.request_stop();
      return std::optional(last);
    };
    EXPECT_THROW((void)par_on(fork, filch::par_bridge(until_then))
                     .with({.stop = stop.get_token(), .deterministic = true})
                     .sum(),
                 filch::cancelled);
    EXPECT_EQ(last, 3000);
  });
}

TEST_P(deterministic_range_on, the_first_failure_is_given_and_little_behind_it_is_tried) {
  std::vector<int> v(20'000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i);
  run([&](const auto& fork) {
    for (const int bad : {0, 7, 8, 1023, 1024, 19'999}) {
      std::atomic<int> tried = 0;
      const auto add = [&](double a, int x) -> filch::expected<double, int> {
        ++tried;
        if (x >= bad && (x - bad) % 500 == 0) return filch::unexpected(x);
        return a + x;
      };
      const auto all = par_on(fork, v, fixed).try_fold(0.0, add, std::plus{});
      ASSERT_FALSE(all.has_value());
      EXPECT_EQ(all.error(), bad);
      EXPECT_TRUE(tried <= bad + 1 || GetParam() != filch::test::fork_kind::sequential) << tried;
    }
  });
}

TEST_P(deterministic_range_on, keeps_the_order_and_tells_how_far_it_is) {
  std::vector<int> v(3000);
  std::string expected;
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = static_cast<int>(i);
    expected += std::to_string(i) + ",";
  }
  const auto name = [](int x) { return std::to_string(x) + ","; };
  std::size_t last = 0;
  const filch::options o{.deterministic = true, .progress = [&](std::size_t done, std::size_t all) {
                           EXPECT_EQ(all, v.size());
                           EXPECT_GT(done, last);
                           last = done;
                         }};
  run([&](const auto& fork) {
    last = 0;
    EXPECT_EQ(par_on(fork, v, o).map(name).sum(), expected);
    EXPECT_EQ(last, v.size());
  });
}

TEST_P(deterministic_range_on, throws_what_is_furthest_to_the_left) {
  const std::vector<float> v = uneven(4000);
  const auto fails = [&](const float& x) -> double {
    const auto i = &x - v.data();
    if (i % 1000 == 500) throw std::runtime_error(std::to_string(i));
    return x;
  };
  run([&](const auto& fork) {
    try {
      (void)par_on(fork, v, fixed).map(fails).sum();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_NE(std::string(e.what()).find("500"), std::string::npos);
    }
  });
}

TEST(deterministic_range, any_number_of_workers_gives_the_same_bits) {
  const std::vector<float> v = uneven(100'000);
  const auto sum = [&](filch::pool& pool) {
    const filch::options o{.on = &pool, .deterministic = true};
    const float a = filch::par(v, o).map(third).filter(counts).sum();
    const float b = filch::par(v, o).sum();
    return std::pair(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
  };
  filch::pool one(1);
  filch::test::watch(one);
  const auto expected = sum(one);
  for (std::size_t workers = 2; workers <= 4; ++workers) {
    filch::pool several(workers);
    filch::test::watch(several);
    for (int round = 0; round < 10; ++round) EXPECT_EQ(sum(several), expected);
  }
}

}  // namespace
