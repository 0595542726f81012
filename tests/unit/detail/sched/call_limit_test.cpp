#include "filch/detail/sched/call_limit.hpp"

#include <gtest/gtest.h>

#include "support/jobs.hpp"

namespace {

using filch::detail::call_limit;
using filch::test::test_job;

TEST(call_limit, lets_so_many_threads_in_and_keeps_the_jobs_of_the_others) {
  call_limit limit(3);  // the caller is one of them
  test_job a, b, c, d;
  EXPECT_TRUE(limit.enter_with(&a));
  EXPECT_TRUE(limit.enter_with(&b));
  EXPECT_FALSE(limit.enter_with(&c));
  EXPECT_FALSE(limit.enter_with(&d));
  EXPECT_TRUE(limit.has_jobs());
  EXPECT_EQ(limit.take(), &d) << "a thread of the call may run it";
  EXPECT_EQ(limit.next_or_leave(), &c) << "before a thread leaves, it runs what waits";
  EXPECT_FALSE(limit.has_jobs());
  EXPECT_EQ(limit.take(), nullptr);
  EXPECT_EQ(limit.next_or_leave(), nullptr);
  EXPECT_TRUE(limit.enter_with(&c)) << "one has left";
  EXPECT_EQ(limit.next_or_leave(), nullptr);
  EXPECT_EQ(limit.next_or_leave(), nullptr);
}

TEST(call_limit, is_found_by_its_region) {
  call_limit limit(1);
  for (const bool isolated : {false, true}) {
    const filch::detail::region where = limit.where(isolated);
    EXPECT_EQ(call_limit::of(where), &limit);
    EXPECT_EQ(filch::detail::is_isolated(where), isolated);
    EXPECT_EQ(filch::detail::region_of(where | filch::detail::from_outside), where);
  }
  EXPECT_EQ(call_limit::of(filch::detail::no_region), nullptr);
  EXPECT_EQ(call_limit::of(filch::detail::new_region()), nullptr);
  EXPECT_EQ(call_limit::of(filch::detail::new_call()), nullptr);
}

}  // namespace
