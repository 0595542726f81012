#include "filch/detail/base/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

using filch::detail::rng;
using filch::detail::splitmix64;

static_assert(std::uniform_random_bit_generator<rng>);
static_assert(rng(1)() == rng(1)(), "usable at compile time");

TEST(splitmix64, gives_the_published_numbers) {
  std::uint64_t state = 1234567;
  EXPECT_EQ(splitmix64(state), 6457827717110365317u);
  EXPECT_EQ(splitmix64(state), 3203168211198807973u);
  EXPECT_EQ(splitmix64(state), 9817491932198370423u);
  EXPECT_EQ(splitmix64(state), 4593380528125082431u);
  EXPECT_EQ(splitmix64(state), 16408922859458223821u);
}

TEST(rng, gives_the_numbers_of_the_reference_implementation) {
  rng random(42, 54);  // as in pcg32-demo
  for (const std::uint32_t expected :
       {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u, 0x83d2f293u, 0xbfa4784bu, 0xcbed606eu}) {
    EXPECT_EQ(random(), expected);
  }
}

TEST(rng, the_same_seed_repeats_the_same_numbers) {
  rng a(2024), b(2024);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(a(), b());
}

TEST(rng, neighbouring_seeds_have_nothing_in_common) {
  std::set<std::uint32_t> first;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) first.insert(rng(seed)());
  EXPECT_GE(first.size(), 999u);  // a chance collision of two in 1000 32-bit numbers: 1 in 8600

  rng a(1), b(2);
  int equal = 0;
  for (int i = 0; i < 1000; ++i) equal += a() == b() ? 1 : 0;
  EXPECT_LE(equal, 1);
}

TEST(rng, extreme_seeds_work) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max()}) {
    rng random(seed);
    std::set<std::uint32_t> seen;
    for (int i = 0; i < 100; ++i) seen.insert(random());
    EXPECT_GE(seen.size(), 99u) << "seed " << seed;
  }
}

TEST(rng, bounded_by_1_is_0) {
  rng random(5);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(random.bounded(1), 0u);
}

TEST(rng, bounded_by_0_is_0) {
  rng random(5);
  EXPECT_EQ(random.bounded(0), 0u);
}

TEST(rng, bounded_never_reaches_its_bound) {
  rng random(6);
  for (const std::uint32_t n : {2u, 3u, 7u, 64u, 1000u, 0x80000000u, 0xffffffffu}) {
    for (int i = 0; i < 10'000; ++i) ASSERT_LT(random.bounded(n), n);
  }
}

TEST(rng, bounded_reaches_both_of_its_ends) {
  rng random(7);
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.bounded(5));
  EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
}

namespace {

/// Pearson's statistic for `draws` numbers below `n`, which should all be equally likely.
double chi_square(std::uint64_t seed, std::uint32_t n, int draws) {
  rng random(seed);
  std::vector<int> count(n);
  for (int i = 0; i < draws; ++i) ++count[random.bounded(n)];
  const double expected = static_cast<double>(draws) / n;
  double sum = 0;
  for (const int c : count) sum += (c - expected) * (c - expected) / expected;
  return sum;
}

}  // namespace

// The limits are the 0.1 % and 99.9 % quantiles for n - 1 degrees of freedom. A result that is too
// even is as wrong as one that is too uneven.
TEST(rng, bounded_is_uniform) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const double three = chi_square(seed, 3, 300'000);  // not a power of two: bias would show
    EXPECT_GT(three, 0.002);
    EXPECT_LT(three, 13.82);
    const double hundred = chi_square(seed, 100, 1'000'000);
    EXPECT_GT(hundred, 61.14);
    EXPECT_LT(hundred, 148.2);
  }
}

// Victims are chosen one after another: pairs must be uniform as well.
TEST(rng, successive_draws_are_independent) {
  rng random(11);
  std::array<int, 64> count{};
  constexpr int draws = 640'000;
  for (int i = 0; i < draws; ++i) {
    const std::uint32_t first = random.bounded(8);
    ++count[first * 8 + random.bounded(8)];
  }
  constexpr double expected = draws / 64.0;
  double sum = 0;
  for (const int c : count) sum += (c - expected) * (c - expected) / expected;
  EXPECT_GT(sum, 32.5);
  EXPECT_LT(sum, 103.4);
}

TEST(rng, works_with_the_standard_library) {
  rng random(9);
  std::array<int, 10> a{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::shuffle(a.begin(), a.end(), random);
  EXPECT_EQ(std::set<int>(a.begin(), a.end()).size(), 10u);
  EXPECT_FALSE(std::is_sorted(a.begin(), a.end()));
}
