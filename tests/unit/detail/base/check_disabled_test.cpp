// Checks that are off do nothing. See check_test.cpp.
#ifdef FILCH_CHECKS
#undef FILCH_CHECKS
#endif
#define FILCH_CHECKS 0
#include <gtest/gtest.h>

#include <thread>

#include "filch/detail/base/check.hpp"

TEST(check_disabled, the_condition_is_not_evaluated) {
  int evaluated = 0;
  FILCH_CHECK(++evaluated == 0, "never seen");
  EXPECT_EQ(evaluated, 0);
}

// Compiled, so that it stays valid, and so that variables used only by checks count as used.
TEST(check_disabled, a_variable_that_only_a_check_uses_gives_no_warning) {
  const bool only_for_the_check = false;
  FILCH_CHECK(only_for_the_check, "never seen");
}

TEST(check_disabled, any_thread_passes_for_the_owner) {
  filch::detail::owner_check owner;
  owner.check("never seen");
  std::thread([&] {
    owner.check("never seen");
    owner.release();
  }).join();
  owner.check("never seen");
}

TEST(check_disabled, the_owner_is_remembered_in_8_bytes_all_the_same) {
  EXPECT_EQ(sizeof(filch::detail::owner_check), 8u);
}
