#include "filch/detail/sched/newest_first.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::worker;
using filch::test::playing;
using filch::test::stage;
using filch::test::test_job;

TEST(newest_first, runs_what_was_pushed_since_while_some_are_left) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  const playing as(w);
  std::int64_t left = 3;
  test_job before, a, b([&] { left = 0; }), c, urgent([&] { EXPECT_EQ(c.runs, 0); });
  w.push(&before);
  const std::uint64_t first = w.deque.next_index();
  for (test_job* const j : {&a, &b, &c}) w.push(j);
  s.home().accepts.inject(&urgent, filch::priority::high);
  w.own_tasks.run(first, left);
  EXPECT_EQ(urgent.runs, 1) << "it goes first";
  EXPECT_EQ(c.runs, 1);
  EXPECT_EQ(b.runs, 1);
  EXPECT_EQ(a.runs, 0) << "none was left to wait for";
  left = 1;
  w.own_tasks.run(first, left);
  EXPECT_EQ(a.runs, 1);
  EXPECT_EQ(before.runs, 0) << "it was there before";
}

}  // namespace
