#include "filch/detail/base/config.hpp"

#include <gtest/gtest.h>

TEST(config, every_choice_is_0_or_1) {
  EXPECT_TRUE(FILCH_CHECKS == 0 || FILCH_CHECKS == 1);
  EXPECT_TRUE(FILCH_TSAN == 0 || FILCH_TSAN == 1);
}
