#include "filch/detail/sched/call_limit.hpp"

#include <gtest/gtest.h>

#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::call_limit;
using filch::detail::region;
using filch::detail::registry;
using filch::test::stage;
using filch::test::test_job;
using entry = call_limit::entry;

TEST(call_limit, lets_so_many_threads_in_and_keeps_the_jobs_of_the_others) {
  const call_limit::call call(3);  // the caller is one of them
  const region r = call.where(false);
  call_limit& limit = *call_limit::of(r);
  stage s({.threads = 1});
  registry& home = s.home();
  test_job a, b, c, d;
  EXPECT_EQ(limit.enter_with(r, &a, home), entry::enters);
  EXPECT_EQ(limit.enter_with(r, &b, home), entry::enters);
  EXPECT_EQ(limit.enter_with(r, &c, home), entry::waits);
  EXPECT_EQ(limit.enter_with(r, &d, home), entry::waits);
  EXPECT_TRUE(limit.has_jobs(r));
  EXPECT_EQ(limit.take(r), &d) << "a thread of the call may run it";
  EXPECT_EQ(limit.next_or_leave(r), &c) << "before a thread leaves, it runs what waits";
  EXPECT_FALSE(limit.has_jobs(r));
  EXPECT_EQ(limit.take(r), nullptr);
  EXPECT_EQ(limit.next_or_leave(r), nullptr);
  EXPECT_EQ(limit.enter_with(r, &c, home), entry::enters) << "one has left";
}

TEST(call_limit, knows_that_a_call_has_ended) {
  region r = filch::detail::no_region;
  {
    const call_limit::call call(2);
    r = call.where(true);
  }
  test_job a;
  stage s({.threads = 1});
  registry& home = s.home();
  EXPECT_EQ(call_limit::of(r)->enter_with(r, &a, home), entry::ended);
  const call_limit::call next(1);
  EXPECT_NE(next.where(true), r);
  EXPECT_EQ(call_limit::of(r)->enter_with(r, &a, home), entry::ended);
  EXPECT_EQ(call_limit::of(r)->take(r), nullptr);
  EXPECT_EQ(call_limit::of(r)->next_or_leave(r), nullptr);
}

TEST(call_limit, gives_the_jobs_that_are_left_to_the_pool_when_the_call_ends) {
  stage s({.threads = 1});
  test_job left;
  {
    const call_limit::call call(1);
    const region r = call.where(false);
    EXPECT_EQ(call_limit::of(r)->enter_with(r, &left, s.home()), entry::waits);
  }
  const filch::test::playing as(s.worker(0));
  const filch::detail::found_job found = s.worker(0).finder.find();
  ASSERT_TRUE(found);
  s.worker(0).run(found);
  EXPECT_EQ(left.runs, 1);
}

TEST(call_limit, is_found_by_its_region) {
  const call_limit::call call(1);
  for (const bool isolated : {false, true}) {
    const region where = call.where(isolated);
    EXPECT_NE(call_limit::of(where), nullptr);
    EXPECT_EQ(filch::detail::is_isolated(where), isolated);
    EXPECT_EQ(filch::detail::region_of(where | filch::detail::from_outside), where);
  }
  EXPECT_EQ(call_limit::of(filch::detail::no_region), nullptr);
  EXPECT_EQ(call_limit::of(filch::detail::new_region()), nullptr);
  EXPECT_EQ(call_limit::of(filch::detail::new_call()), nullptr);
}

}  // namespace
