#include "filch/detail/sched/pacing.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace {

/// A clock that stands still until the test moves it.
struct stopped_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<stopped_clock>;
  static time_point now() noexcept { return time_point(at); }
  static inline duration at{0};
};

using pacing = filch::detail::pacing<stopped_clock>;

}  // namespace

TEST(pacing, lets_the_first_theft_happen_at_once) {
  stopped_clock::at = std::chrono::seconds(5);
  pacing p;
  EXPECT_EQ(p.wait(), 0u);
}

TEST(pacing, waits_longer_each_time_that_the_loot_was_small_and_has_a_limit) {
  pacing p;
  std::uint32_t before = 0;
  for (int theft = 0; theft < 20; ++theft) {
    p.took(16);
    stopped_clock::at += 15 * pacing::per_job;
    const std::uint32_t now = p.wait();
    EXPECT_TRUE(now > before || now == pacing::most_pauses) << now << " after " << before;
    EXPECT_LE(now, pacing::most_pauses);
    before = now;
  }
  EXPECT_EQ(before, pacing::most_pauses);
}

TEST(pacing, starts_over_once_the_loot_was_worth_it) {
  pacing p;
  p.took(1);
  EXPECT_GT(p.wait(), 0u);
  p.took(1);
  stopped_clock::at += pacing::per_job;
  EXPECT_EQ(p.wait(), 0u);
  p.took(2);
  stopped_clock::at += pacing::per_job;  // half of what two are worth
  EXPECT_EQ(p.wait(), 2u);
}
