#include "base/arguments.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/errors.hpp"

using filch::cli::bad_argument;
using filch::cli::parse_count;
using filch::cli::parse_positive;

namespace {

template <class F>
std::string refusal(F f) {
  try {
    (void)f();
  } catch (const bad_argument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST(cli_arguments, counts_within_their_bounds_are_taken) {
  EXPECT_EQ(parse_count("1", 1, 8), 1u);
  EXPECT_EQ(parse_count("8", 1, 8), 8u);
  EXPECT_EQ(parse_count("18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
}

TEST(cli_arguments, everything_else_is_refused_by_its_name) {
  for (const char* text :
       {"0", "9", "-1", "+1", " 1", "1 ", "1.5", "x", "", "0x1", "1e1", "18446744073709551616"})
    EXPECT_EQ(refusal([&] { return parse_count(text, 1, 8); }),
              "takes a whole number from 1 to 8, not '" + std::string(text) + "'");
}

TEST(cli_arguments, numbers_above_zero_may_have_fractions) {
  EXPECT_EQ(parse_positive("0.25", 10, "factor"), 0.25);
  EXPECT_EQ(parse_positive("1e1", 10, "factor"), 10);
}

TEST(cli_arguments, numbers_that_are_not_above_zero_are_refused_by_their_name) {
  for (const char* text : {"0", "-1", "nan", "inf", "11", "", "1s", "1e999"})
    EXPECT_EQ(refusal([&] { return parse_positive(text, 10, "factor"); }),
              "takes a factor above 0 and up to 10, not '" + std::string(text) + "'");
}

TEST(cli_arguments, a_file_in_a_folder_that_is_not_there_cannot_be_written) {
  EXPECT_THROW(filch::cli::require_writable("/no/such/folder/file"), bad_argument);
  EXPECT_THROW(filch::cli::require_writable("/"), bad_argument);
  EXPECT_THROW(filch::cli::require_writable(""), bad_argument);
  EXPECT_THROW(filch::cli::require_readable("/no/such/file"), bad_argument);
  EXPECT_THROW(filch::cli::require_readable("/"), bad_argument);
}
