#include "filch/errors.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

template <class Error, class Caught>
std::string what_is_caught(const char* message) {
  try {
    throw Error(message);
  } catch (const Caught& caught) {
    return caught.what();
  }
}

}  // namespace

TEST(errors, keep_their_message) {
  EXPECT_STREQ(filch::pool_closed("the pool \"io\" is closed").what(), "the pool \"io\" is closed");
  EXPECT_STREQ(filch::cancelled(std::string("on request")).what(), "on request");
  EXPECT_STREQ(filch::usage_error("threads is 70000").what(), "threads is 70000");
}

TEST(errors, are_caught_as_what_the_standard_library_calls_them) {
  EXPECT_EQ((what_is_caught<filch::pool_closed, std::runtime_error>("a")), "a");
  EXPECT_EQ((what_is_caught<filch::cancelled, std::runtime_error>("b")), "b");
  EXPECT_EQ((what_is_caught<filch::usage_error, std::logic_error>("c")), "c");
  EXPECT_EQ((what_is_caught<filch::usage_error, std::exception>("d")), "d");
}

TEST(errors, are_not_caught_as_each_other) {
  EXPECT_FALSE((std::is_base_of_v<filch::pool_closed, filch::cancelled>));
  EXPECT_FALSE((std::is_base_of_v<filch::cancelled, filch::pool_closed>));
  EXPECT_FALSE((std::is_base_of_v<std::runtime_error, filch::usage_error>));
}

// If copying an exception can throw, handing it over may end the program.
TEST(errors, are_copied_without_throwing) {
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<filch::pool_closed>);
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<filch::cancelled>);
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<filch::usage_error>);
}
