// Durations that one thread adds up.
#include "filch/detail/base/stopwatch.hpp"

#include <gtest/gtest.h>

#include <chrono>

using filch::detail::stopwatch;
using namespace std::chrono_literals;

namespace {
const stopwatch::clock::time_point noon = stopwatch::clock::time_point{} + 12h;
}

TEST(stopwatch, stands_at_nothing_at_first) { EXPECT_EQ(stopwatch{}.read(noon), 0u); }

TEST(stopwatch, counts_until_now_while_it_runs) {
  stopwatch w;
  w.start(noon);
  EXPECT_EQ(w.read(noon + 5ns), 5u);
  EXPECT_EQ(w.read(noon + 1h), 3'600'000'000'000u);
}

TEST(stopwatch, keeps_its_time_while_it_stands_and_goes_on_from_there) {
  stopwatch w;
  w.start(noon);
  w.stop(noon + 7ns);
  EXPECT_EQ(w.read(noon + 1h), 7u);
  w.start(noon + 2h);
  w.stop(noon + 2h + 3ns);
  EXPECT_EQ(w.read(noon + 3h), 10u);
}

TEST(stopwatch, a_second_start_or_stop_changes_nothing) {
  stopwatch w;
  w.stop(noon);
  EXPECT_EQ(w.read(noon), 0u);
  w.start(noon);
  w.start(noon + 5ns);
  EXPECT_EQ(w.read(noon + 10ns), 10u);
  w.stop(noon + 10ns);
  w.stop(noon + 20ns);
  EXPECT_EQ(w.read(noon + 20ns), 10u);
}

TEST(stopwatch, never_shows_less_than_nothing) {
  stopwatch w;
  w.start(noon);
  EXPECT_EQ(w.read(noon - 5ns), 0u) << "the thread that looks had read the clock before";
}
