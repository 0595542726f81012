#include "filch/detail/sched/region_stack.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/branch_share.hpp"
#include "support/jobs.hpp"

namespace {

using filch::detail::branch_share;
using filch::detail::branch_slot;
using filch::detail::from_outside;
using filch::detail::my_branches;
using filch::detail::no_region;
using filch::detail::queued;
using filch::detail::region;
using filch::detail::submitted;
using filch::test::open_branches;
using filch::test::pushed_branch;
using filch::test::test_job;

struct regions_of_a_worker {
  filch::detail::job_deque deque{16};
  filch::detail::region_stack regions{deque};
  test_job some;

  void push(region tag) { deque.push({&some, tag}); }
  region pop() {
    queued newest{};
    EXPECT_TRUE(deque.pop(newest));
    return newest.tag;
  }
};

TEST(region_stack, the_innermost_region_is_the_current_one) {
  regions_of_a_worker w;
  EXPECT_EQ(w.regions.current(), no_region);
  EXPECT_EQ(w.regions.enter(5), no_region);
  EXPECT_EQ(w.regions.enter(7), 5u);
  EXPECT_EQ(w.regions.current(), 7u);
  w.regions.leave(5);
  EXPECT_EQ(w.regions.current(), 5u);
  w.regions.end(no_region);
  EXPECT_EQ(w.regions.current(), no_region);
}

TEST(region_stack, jobs_that_are_left_when_a_region_ends_become_jobs_of_the_outer_region) {
  regions_of_a_worker w;
  w.push(5);  // of an outer call in the same region as what follows, but below a job of another one
  w.push(3);
  const region outer = w.regions.enter(5);
  w.push(5);
  w.push(5 | submitted);
  w.push(5 | from_outside);
  w.regions.end(outer);
  EXPECT_EQ(w.pop(), from_outside) << "its mark stays";
  EXPECT_EQ(w.pop(), submitted) << "its mark stays";
  EXPECT_EQ(w.pop(), no_region);
  EXPECT_EQ(w.pop(), 3u) << "it belongs to another region";
  EXPECT_EQ(w.pop(), 5u) << "it lies below";
}

TEST(region_stack, jobs_that_are_left_in_a_region_that_goes_on_stay_in_it) {
  regions_of_a_worker w;
  const region outer = w.regions.enter(5);
  w.push(5);
  w.regions.leave(outer);
  EXPECT_EQ(w.pop(), 5u);
}

TEST(region_stack, a_branch_has_its_region_before_it_is_pushed) {
  regions_of_a_worker w;
  branch_share share(false);
  const open_branches open(share);
  const region outer = w.regions.enter(5);
  branch_slot* const first = my_branches.next();
  EXPECT_EQ(first->where(), 5u);
  {
    const pushed_branch p;
    w.regions.tag_next_branches();
    EXPECT_EQ(my_branches.next()->where(), 5u);
    const pushed_branch q;
    w.regions.tag_next_branches();
    EXPECT_EQ(my_branches.next()->where(), 5u);
  }
  w.regions.leave(outer);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(first[i].where(), no_region) << i;
}

TEST(region_stack, branches_below_an_inner_region_keep_the_outer_one) {
  regions_of_a_worker w;
  branch_share share(false);
  const open_branches open(share);
  (void)w.regions.enter(5);
  {
    const pushed_branch outer;
    w.regions.tag_next_branches();
    (void)w.regions.enter(7);
    EXPECT_EQ(outer.slot()->where(), 5u);
    EXPECT_EQ(my_branches.next()->where(), 7u);
    w.regions.end(5);
    EXPECT_EQ(my_branches.next()->where(), 5u);
  }
  w.regions.end(no_region);
}

TEST(region_stack, in_a_region_every_branch_has_it_however_deep) {
  regions_of_a_worker w;
  branch_share share(false);
  const open_branches open(share);
  for (const region r : {region{5}, no_region, region{7}}) {
    const region outer = w.regions.enter(r);
    std::deque<pushed_branch> all;
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(my_branches.next()->where(), r) << i;
      if (!all.emplace_back().is_silent()) w.regions.tag_next_branches();
    }
    while (!all.empty()) all.pop_back();
    w.regions.leave(outer);
    EXPECT_EQ(my_branches.next()->where(), no_region);
  }
}

TEST(region_stack, in_a_region_most_pushes_of_branches_are_silent) {
  if (!filch::detail::asymmetric_fences_available()) GTEST_SKIP() << "every push is heard";
  regions_of_a_worker w;
  branch_share share(false);
  const open_branches open(share);
  const region outer = w.regions.enter(5);
  int heard = 0;
  for (int i = 0; i < 20; ++i) {
    const pushed_branch p;
    if (!p.is_silent()) {
      ++heard;
      w.regions.tag_next_branches();
    }
  }
  EXPECT_LE(heard, 3);
  w.regions.leave(outer);
}

}  // namespace
