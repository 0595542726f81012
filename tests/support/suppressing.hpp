// An exception that suppresses another one, on its way through futures.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>

#include "filch/join.hpp"
#include "filch/suppressed.hpp"

namespace filch::test {

inline void throw_left_and_right() {
  const auto fails = [](const char* what) { return [what] { throw std::runtime_error(what); }; };
  join(fails("left"), fails("right"));
}

/// `f` throws what throw_left_and_right() threw, and all of it.
template <class Future>
void expect_left_and_right(Future f) {
  try {
    (void)f.get();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "left");
    EXPECT_EQ(suppressed().size(), 1u);
  }
}

}  // namespace filch::test
