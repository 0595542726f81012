#include <gtest/gtest.h>

#include "unit/checks_layout/layout.hpp"

// A program and its libraries may be compiled with different settings of FILCH_CHECKS.
TEST(checks, do_not_change_the_size_or_alignment_of_a_public_type) {
  EXPECT_TRUE(layouts_with_checks() == layouts_without_checks());
}
