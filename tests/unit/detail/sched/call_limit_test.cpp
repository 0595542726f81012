#include "filch/detail/sched/call_limit.hpp"

#include <gtest/gtest.h>

#include "filch/detail/sched/isolation.hpp"
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
  EXPECT_EQ(limit.take(r).what, &d) << "a thread of the call may run it";
  EXPECT_EQ(limit.next_or_leave(r).what, &c) << "before a thread leaves, it runs what waits";
  EXPECT_FALSE(limit.has_jobs(r));
  EXPECT_FALSE(limit.take(r));
  EXPECT_FALSE(limit.next_or_leave(r));
  EXPECT_EQ(limit.enter_with(r, &c, home), entry::enters) << "one has left";
}

TEST(call_limit, of_a_scope_has_no_thread_in_it_and_jobs_of_the_region_around_it) {
  const call_limit::call call(1, region{7});
  const region r = call.where(true);
  EXPECT_EQ(call_limit::around(r), region{7});
  EXPECT_EQ(call_limit::around(region{7}), filch::detail::no_region);
  stage s({.threads = 1});
  test_job a;
  EXPECT_EQ(call_limit::of(r)->enter_with(r, &a, s.home()), entry::enters);
  EXPECT_FALSE(call_limit::of(r)->next_or_leave(r));
}

TEST(call_limit, threads_of_the_region_around_are_in_the_same_call) {
  const call_limit::call outer(1, region{7});
  const region r = outer.where(false);
  const call_limit::call inner(1, r);
  EXPECT_EQ(call_limit::outermost(inner.where(false)), region{7});
  EXPECT_EQ(call_limit::outermost(r), region{7});
  EXPECT_EQ(call_limit::outermost(region{7}), region{7});
  EXPECT_EQ(call_limit::outermost(filch::detail::no_region), filch::detail::no_region);
  const call_limit::call loop(1);
  EXPECT_EQ(call_limit::outermost(loop.where(false)), loop.where(false));
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
  EXPECT_FALSE(call_limit::of(r)->take(r));
  EXPECT_FALSE(call_limit::of(r)->next_or_leave(r));
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

TEST(call_limit, an_isolate_inside_is_of_the_same_call) {
  const call_limit::call call(1);
  const region r = call.where(false);
  const filch::detail::in_region here(r);
  const region a = filch::detail::new_region(), b = filch::detail::new_region();
  EXPECT_NE(a, b);
  EXPECT_TRUE(filch::detail::is_isolated(a));
  EXPECT_TRUE(call_limit::is_within(a, r));
  EXPECT_TRUE(call_limit::is_within(r, b));
  stage s({.threads = 1});
  test_job of_a, of_b;
  call_limit& limit = *call_limit::of(a);
  EXPECT_EQ(limit.enter_with(a, &of_a, s.home()), entry::waits);
  EXPECT_EQ(limit.enter_with(b, &of_b, s.home()), entry::waits);
  EXPECT_EQ(limit.take(a).what, &of_a) << "a thread in an isolate() takes only jobs of that";
  EXPECT_FALSE(limit.has_jobs(a));
  const filch::detail::found_job rest = limit.take(r);
  EXPECT_EQ(rest.what, &of_b);
  EXPECT_EQ(rest.where, b);
}

TEST(call_limit, a_limited_call_inside_is_within_the_one_around_it) {
  const call_limit::call outer(2);
  const filch::detail::in_region here(outer.where(false));
  const call_limit::call inner(2);
  const region r = inner.where(false);
  EXPECT_EQ(call_limit::limited_around(r), outer.where(false));
  EXPECT_TRUE(call_limit::is_within(r, outer.where(false)));
  EXPECT_FALSE(call_limit::is_within(outer.where(false), r));
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
