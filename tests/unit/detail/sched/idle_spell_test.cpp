#include "filch/detail/sched/idle_spell.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <vector>

namespace {

using filch::detail::idle_spell;
using filch::detail::rng;
using std::chrono::nanoseconds;

constexpr nanoseconds spin = std::chrono::microseconds(50);

std::vector<nanoseconds> draws(std::uint64_t seed, int count) {
  rng random(seed);
  idle_spell spell(random, spin);
  std::vector<nanoseconds> all;
  for (int i = 0; i < count; ++i) all.push_back(spell.draw());
  return all;
}

TEST(idle_spell, lasts_from_half_to_one_and_a_half_of_what_was_asked_for) {
  for (const nanoseconds d : draws(7, 1000)) {
    EXPECT_GE(d, spin / 2);
    EXPECT_LT(d, spin + spin / 2);
  }
}

constexpr auto never = [] { return false; };

TEST(idle_spell, is_drawn_anew_each_time) {
  const auto all = draws(7, 100);
  EXPECT_GT(std::set<nanoseconds>(all.begin(), all.end()).size(), 80U);
}

// R4: workers that ran out of work together do not go to sleep together.
TEST(idle_spell, of_workers_with_different_seeds_differ) {
  EXPECT_NE(draws(1, 20), draws(2, 20));
  EXPECT_EQ(draws(1, 20), draws(1, 20));
}

TEST(idle_spell, of_no_length_ends_at_the_first_look) {
  rng random(1);
  idle_spell spell(random, nanoseconds(0));
  EXPECT_FALSE(spell.keep_looking(never));
}

TEST(idle_spell, of_any_length_does_not_overflow) {
  rng random(1);
  for (const auto asked :
       {std::chrono::microseconds::max(), std::chrono::microseconds(1'000'000'000'000)}) {
    idle_spell spell(random, asked);
    EXPECT_GT(spell.draw(), std::chrono::hours(1));
    EXPECT_TRUE(spell.keep_looking(never));
  }
}

TEST(idle_spell, ends_after_a_while_and_can_be_started_again) {
  rng random(1);
  idle_spell spell(random, nanoseconds(1000));
  int looks = 0;
  while (spell.keep_looking(never)) ++looks;
  EXPECT_GT(looks, 0);
  spell.restart();
  EXPECT_TRUE(spell.keep_looking(never));
}

TEST(idle_spell, a_pause_ends_as_soon_as_there_is_news) {
  rng random(1);
  idle_spell spell(random, std::chrono::hours(1), {.first = 1'000'000'000, .cap = 1'000'000'000});
  int asked = 0;
  EXPECT_TRUE(spell.keep_looking([&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
}

}  // namespace
