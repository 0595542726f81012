#include "filch/version.hpp"

#include <gtest/gtest.h>

#include <string>

TEST(version, the_library_and_the_headers_agree) {
  EXPECT_STREQ(filch::library_version(), filch::header_version);
}

TEST(version, the_number_and_the_text_agree) {
  const std::string text = std::to_string(FILCH_VERSION / 10000) + "." +
                           std::to_string(FILCH_VERSION / 100 % 100) + "." +
                           std::to_string(FILCH_VERSION % 100);
  EXPECT_EQ(text, filch::header_version);
}
