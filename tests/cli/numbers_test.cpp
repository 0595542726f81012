#include "base/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

using filch::cli::count_text;
using filch::cli::duration_text;
using filch::cli::percent_text;
using filch::cli::statistics;
using filch::cli::statistics_of;

TEST(cli_numbers, a_duration_has_three_digits_and_a_unit) {
  EXPECT_EQ(duration_text(0), "0.00 ns");
  EXPECT_EQ(duration_text(1.5e-9), "1.50 ns");
  EXPECT_EQ(duration_text(0.0123), "12.3 ms");
  EXPECT_EQ(duration_text(0.123), "123 ms");
  EXPECT_EQ(duration_text(4.5e-6), "4.50 us");
  EXPECT_EQ(duration_text(75), "75.0 s");
}

TEST(cli_numbers, a_duration_that_rounds_up_takes_the_next_unit) {
  EXPECT_EQ(duration_text(0.9996e-3), "1.00 ms");
  EXPECT_EQ(duration_text(0.99999), "1.00 s");
}

TEST(cli_numbers, what_is_not_a_number_is_a_dash) {
  EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(percent_text(std::numeric_limits<double>::infinity()), "-");
}

TEST(cli_numbers, counts_have_groups_of_three) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1 000");
  EXPECT_EQ(count_text(1'234'567), "1 234 567");
}

TEST(cli_numbers, no_samples_have_statistics_of_zeros) {
  const statistics s = statistics_of({});
  EXPECT_EQ(s.minimum, 0);
  EXPECT_EQ(s.median, 0);
  EXPECT_EQ(s.spread, 0);
}

TEST(cli_numbers, one_sample_is_its_own_minimum_and_median) {
  const statistics s = statistics_of({4});
  EXPECT_EQ(s.minimum, 4);
  EXPECT_EQ(s.median, 4);
  EXPECT_EQ(s.maximum, 4);
  EXPECT_EQ(s.spread, 0);
}

TEST(cli_numbers, the_spread_is_that_of_the_middle_half) {
  const statistics s = statistics_of({5, 1, 3, 2, 4});
  EXPECT_EQ(s.minimum, 1);
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.maximum, 5);
  EXPECT_DOUBLE_EQ(s.spread, 2.0 / 3);
  EXPECT_EQ(statistics_of({1, 2}).median, 1.5);
}
