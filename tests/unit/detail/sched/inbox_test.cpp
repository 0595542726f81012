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
  inbox mail;
  test_job a, b, c;
  mail.put(&a);
  mail.put(&b);
  EXPECT_EQ(mail.take(), &a);
  mail.put(&c);
  EXPECT_EQ(mail.take(), &b);
  EXPECT_EQ(mail.take(), &c);
  EXPECT_EQ(mail.take(), nullptr);
}

TEST(inbox, is_empty_when_no_job_has_arrived_and_none_is_left) {
  inbox mail;
  test_job a, b;
  EXPECT_TRUE(mail.empty());
  mail.put(&a);
  mail.put(&b);
  EXPECT_FALSE(mail.empty());
  EXPECT_FALSE(mail.has_rest());
  EXPECT_NE(mail.arrived_hint(), 0u);
  (void)mail.take();
  EXPECT_FALSE(mail.empty());
  EXPECT_TRUE(mail.has_rest());
  EXPECT_EQ(mail.arrived_hint(), 0u);
  (void)mail.take();
  EXPECT_TRUE(mail.empty());
  EXPECT_FALSE(mail.has_rest());
}

TEST(inbox, the_child_of_a_fork_finds_the_replacement_first) {
  inbox mail;
  test_job a, b, c, in_the_way;
  mail.put(&a);
  mail.put(&b);
  (void)mail.take();
  mail.put(&c);
  mail.replace_by(in_the_way);
  EXPECT_EQ(mail.take(), &in_the_way);
}

// What the producer writes is plain: TSan notices a missing edge.
TEST(inbox, loses_and_doubles_no_job_of_several_threads) {
  constexpr std::size_t producers = 2, each = 500;
  std::array<std::array<test_job, each>, producers> jobs;
  inbox mail;
  filch::test::team all(producers, [&](std::size_t n) {
    for (test_job& j : jobs[n]) {
      j.runs = 41;
      mail.put(&j);
    }
  });
  all.start();
  for (std::size_t taken = 0; taken < producers * each;)
    if (listed_job* const j = mail.take()) {
      j->run();
      ++taken;
    }
  all.join();
  EXPECT_TRUE(mail.empty());
  for (const auto& of_one : jobs)
    for (const test_job& j : of_one) EXPECT_EQ(j.runs, 42);
}
