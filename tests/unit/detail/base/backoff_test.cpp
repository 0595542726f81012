#include "filch/detail/base/backoff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using filch::detail::backoff;
using filch::detail::backoff_params;
using filch::detail::rng;

namespace {

std::vector<std::uint32_t> draw(std::uint64_t seed, backoff_params params, int draws) {
  rng random(seed);
  backoff waits(random, params);
  std::vector<std::uint32_t> drawn(static_cast<std::size_t>(draws));
  for (std::uint32_t& steps : drawn) steps = waits.next();
  return drawn;
}

/// The largest n-th draw over many seeds: with enough of them, the limit itself.
std::uint32_t largest(int n, backoff_params params, int seeds = 2000) {
  std::uint32_t most = 0;
  for (int seed = 0; seed < seeds; ++seed)
    most = std::max(most, draw(static_cast<std::uint64_t>(seed), params, n).back());
  return most;
}

}  // namespace

TEST(backoff, always_waits) {
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const std::uint32_t steps : draw(seed, {.first = 1, .cap = 64}, 50)) ASSERT_GE(steps, 1u);
}

TEST(backoff, never_waits_longer_than_its_cap) {
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const std::uint32_t steps : draw(seed, {.first = 3, .cap = 50}, 100))
      ASSERT_LE(steps, 50u);
}

TEST(backoff, doubles_the_limit_with_every_draw_up_to_the_cap) {
  constexpr backoff_params params{.first = 2, .cap = 20};
  EXPECT_EQ(largest(1, params), 2u);
  EXPECT_EQ(largest(2, params), 4u);
  EXPECT_EQ(largest(3, params), 8u);
  EXPECT_EQ(largest(4, params), 16u);
  EXPECT_EQ(largest(5, params), 20u);
  EXPECT_EQ(largest(9, params), 20u);
}

TEST(backoff, draws_every_wait_up_to_the_limit) {
  std::vector<int> count(9);
  for (std::uint64_t seed = 0; seed < 8000; ++seed)
    ++count[draw(seed, {.first = 8, .cap = 8}, 1).front()];
  EXPECT_EQ(count[0], 0);
  for (std::size_t steps = 1; steps <= 8; ++steps) {
    EXPECT_GT(count[steps], 850) << steps;  // 1000 expected, standard deviation 30
    EXPECT_LT(count[steps], 1150) << steps;
  }
}

TEST(backoff, is_short_again_after_a_reset) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    rng random(seed);
    backoff waits(random, {.first = 4, .cap = 1 << 20});
    for (int i = 0; i < 30; ++i) waits.next();
    waits.reset();
    ASSERT_LE(waits.next(), 4u);
    ASSERT_LE(waits.next(), 8u);
  }
}

// Requirement R6: workers that failed together must not try again together.
TEST(backoff, workers_with_different_seeds_wait_differently) {
  constexpr backoff_params params{};
  for (std::uint64_t worker = 0; worker < 64; ++worker)
    for (std::uint64_t other = 0; other < worker; ++other)
      ASSERT_NE(draw(worker, params, 16), draw(other, params, 16)) << worker << ", " << other;
}

TEST(backoff, the_same_seed_repeats_the_same_waits) {
  EXPECT_EQ(draw(77, {}, 100), draw(77, {}, 100));
}

// A reset must not repeat the same waits: that would bring two workers back into step.
TEST(backoff, a_reset_does_not_repeat_the_waits) {
  rng random(3);
  backoff waits(random, {.first = 1 << 16, .cap = 1 << 16});
  std::vector<std::uint32_t> before, after;
  for (int i = 0; i < 8; ++i) before.push_back(waits.next());
  waits.reset();
  for (int i = 0; i < 8; ++i) after.push_back(waits.next());
  EXPECT_NE(before, after);
}

TEST(backoff, makes_sense_of_senseless_parameters) {
  EXPECT_EQ(draw(1, {.first = 0, .cap = 0}, 3), (std::vector<std::uint32_t>{1, 1, 1}));
  EXPECT_EQ(largest(1, {.first = 100, .cap = 5}), 5u);
  EXPECT_EQ(largest(1, {.first = 0, .cap = 8}), 1u);
}

TEST(backoff, the_largest_cap_does_not_overflow) {
  constexpr auto most = std::numeric_limits<std::uint32_t>::max();
  rng random(1);
  backoff waits(random, {.first = 1, .cap = most});
  for (int i = 0; i < 32; ++i) waits.next();
  std::uint32_t longest = 0;
  for (int i = 0; i < 100; ++i) longest = std::max(longest, waits.next());
  EXPECT_GT(longest, most / 2);
}

TEST(backoff, pausing_draws_as_next_does) {
  rng a(8), b(8);
  backoff pauses(a), draws(b);
  for (int i = 0; i < 5; ++i) {
    pauses.pause();
    draws.next();
  }
  EXPECT_EQ(pauses.next(), draws.next());
}
