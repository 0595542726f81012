#include "filch/detail/sched/inbox.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/team.hpp"

using filch::detail::inbox;
using filch::detail::listed_job;
using filch::test::test_job;

TEST(inbox, gives_jobs_in_the_order_in_which_they_came) {
  inbox box;
  test_job a, b, c;
  box.put(&a);
  box.put(&b);
  EXPECT_EQ(box.take(), &a);
  box.put(&c);
  EXPECT_EQ(box.take(), &b);
  EXPECT_EQ(box.take(), &c);
  EXPECT_EQ(box.take(), nullptr);
}

TEST(inbox, is_empty_when_no_job_has_arrived_and_none_is_left) {
  inbox box;
  test_job a, b;
  EXPECT_TRUE(box.empty());
  box.put(&a);
  box.put(&b);
  EXPECT_FALSE(box.empty());
  EXPECT_FALSE(box.has_rest());
  EXPECT_NE(box.arrived_hint(), 0u);
  (void)box.take();
  EXPECT_FALSE(box.empty());
  EXPECT_TRUE(box.has_rest());
  EXPECT_EQ(box.arrived_hint(), 0u);
  (void)box.take();
  EXPECT_TRUE(box.empty());
  EXPECT_FALSE(box.has_rest());
}

TEST(inbox, the_child_of_a_fork_finds_the_replacement_first) {
  inbox box;
  test_job a, b, c, in_the_way;
  box.put(&a);
  box.put(&b);
  (void)box.take();
  box.put(&c);
  box.replace_by(in_the_way);
  EXPECT_EQ(box.take(), &in_the_way);
}

// What the producer writes is plain: TSan notices a missing edge.
TEST(inbox, loses_and_doubles_no_job_of_several_threads) {
  constexpr std::size_t producers = 2, each = 500;
  std::array<std::array<test_job, each>, producers> jobs;
  inbox box;
  filch::test::team all(producers, [&](std::size_t n) {
    for (test_job& j : jobs[n]) {
      j.runs = 41;
      box.put(&j);
    }
  });
  all.start();
  for (std::size_t taken = 0; taken < producers * each;)
    if (listed_job* const j = box.take()) {
      j->run();
      ++taken;
    }
  all.join();
  EXPECT_TRUE(box.empty());
  for (const auto& of_one : jobs)
    for (const test_job& j : of_one) EXPECT_EQ(j.runs, 42);
}
