#include "demo/other_load.hpp"

#include <gtest/gtest.h>

using namespace filch::cli;

TEST(cli_other_load, is_what_is_busy_and_not_ours) {
  const auto times = cpu_times_in("cpu  100 20 30 700 50 5 15 80 9 9", 100);
  ASSERT_TRUE(times.has_value());
  EXPECT_DOUBLE_EQ(times->all, 10);
  EXPECT_DOUBLE_EQ(times->busy, 2.5);
  EXPECT_DOUBLE_EQ(share_of_others({}, {.busy = 2.5, .all = 10, .own = 1.5}), 0.1);
}

TEST(cli_other_load, is_a_share_whatever_the_clocks_say) {
  EXPECT_EQ(share_of_others({}, {}), 0);
  EXPECT_EQ(share_of_others({}, {.busy = 1, .all = 10, .own = 1.2}), 0);  // ticks are coarse
  EXPECT_EQ(share_of_others({}, {.busy = 30, .all = 10, .own = 0}), 1);
}

TEST(cli_other_load, of_something_else_than_a_line_of_cpu_times_is_unknown) {
  for (const char* line : {"", "cpu", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3 x 5 6 7 8", "intr 1"})
    EXPECT_FALSE(cpu_times_in(line, 100).has_value()) << line;
  EXPECT_FALSE(cpu_times_in("cpu 1 2 3 4 5 6 7 8", -1).has_value());
}

TEST(cli_other_load, does_not_wait_for_quiet_if_there_is_no_time_or_no_wish) {
  int asked = 0;
  wait_for_quiet(std::chrono::milliseconds(0), [&] { return ++asked > 0; });
  wait_for_quiet(std::chrono::hours(1), [] { return false; });
  EXPECT_LE(asked, 1);
}
