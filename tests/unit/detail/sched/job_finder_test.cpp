#include "filch/detail/sched/job_finder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "filch/detail/sched/call_limit.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::priority;
using filch::detail::call_limit;
using filch::detail::found_job;
using filch::detail::job;
using filch::detail::no_region;
using filch::detail::region;
using filch::detail::worker;
using filch::test::open_branches;
using filch::test::pushed_branch;
using filch::test::stage;
using filch::test::test_job;

TEST(job_finder, looks_into_inbox_deque_branches_other_deques_and_queues_in_this_order) {
  stage s({.threads = 2});
  test_job broadcast, urgent, own, of_other, outside;
  s.home().accepts.inject(&outside);
  s.worker(1).push(&of_other);
  const open_branches open(s.worker(0).branches);
  const pushed_branch branch;
  s.worker(0).push(&own);
  s.home().accepts.inject(&urgent, priority::high);
  s.worker(0).inbox.put(&broadcast);
  std::vector<job*> found;
  while (const found_job j = s.worker(0).finder.find()) found.push_back(j.what);
  EXPECT_EQ(found,
            (std::vector<job*>{&broadcast, &urgent, &own, branch.slot(), &of_other, &outside}));
}

TEST(job_finder, the_whole_inbox_comes_before_other_jobs) {
  stage s({.threads = 1});
  std::array<test_job, 3> broadcasts;
  test_job own;
  s.worker(0).push(&own);
  for (test_job& j : broadcasts) s.worker(0).inbox.put(&j);
  for (test_job& j : broadcasts) EXPECT_EQ(s.worker(0).find_here().what, &j);
  EXPECT_EQ(s.worker(0).find_here().what, &own);
}

TEST(job_finder, in_a_region_finds_only_jobs_of_that_region) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  test_job of_none, older, of_inner, newer, outside, broadcast;
  w.push(&older, 5);
  w.push(&of_inner, 7);  // left by a job of an inner region
  w.push(&newer, 5);
  s.home().accepts.inject(&outside, priority::high);
  w.inbox.put(&broadcast);
  EXPECT_EQ(w.finder.find(5).what, &newer);
  EXPECT_EQ(w.finder.find(5).what, &older) << "from below the job of another region";
  EXPECT_FALSE(w.finder.find(5));
  EXPECT_FALSE(w.finder.has_work_anywhere(5));
  EXPECT_TRUE(w.finder.has_work_anywhere(no_region));
}

TEST(job_finder, in_a_limited_region_finds_jobs_of_the_region_around_it_too) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  const call_limit::call call(1, 5);
  const region limited = call.where(true);
  test_job a, b;
  w.push(&a, 5);
  w.push(&b, 5);
  EXPECT_TRUE(w.finder.has_work_anywhere(limited));
  EXPECT_TRUE(w.finder.has_own_work(limited));
  EXPECT_EQ(w.finder.find(limited).what, &b);
  EXPECT_EQ(w.finder.find_own(limited).what, &a);
  EXPECT_FALSE(w.finder.has_own_work(limited));
}

TEST(job_finder, find_own_looks_at_no_other_participant_and_at_no_queue) {
  stage s({.threads = 2});
  test_job of_other, outside, own, broadcast;
  s.worker(1).push(&of_other);
  s.home().accepts.inject(&outside);
  EXPECT_FALSE(s.worker(0).finder.find_own(no_region));
  s.worker(0).push(&own);
  s.worker(0).inbox.put(&broadcast);
  EXPECT_EQ(s.worker(0).finder.find_own(no_region).what, &broadcast);
  EXPECT_EQ(s.worker(0).finder.find_own(no_region).what, &own);
  EXPECT_FALSE(s.worker(0).finder.find_own(no_region));
}

TEST(job_finder, has_work_anywhere_looks_at_every_source) {
  const auto is_seen = [](const std::function<void(stage&, test_job&)>& put) {
    stage s({.threads = 2});
    EXPECT_FALSE(s.worker(0).finder.has_work_anywhere(no_region));
    test_job j;
    put(s, j);
    return s.worker(0).finder.has_work_anywhere(no_region);
  };
  for (const priority level : {priority::high, priority::normal, priority::low})
    EXPECT_TRUE(is_seen([&](stage& s, auto& j) { s.home().accepts.inject(&j, level); }));
  EXPECT_TRUE(is_seen([](stage& s, auto& j) { s.worker(0).push(&j); }));
  EXPECT_TRUE(is_seen([](stage& s, auto& j) { s.worker(1).push(&j); }));
  EXPECT_TRUE(is_seen([](stage& s, auto& j) { s.worker(0).inbox.put(&j); }));
  EXPECT_FALSE(is_seen([](stage& s, auto& j) { s.worker(1).inbox.put(&j); }));
  EXPECT_TRUE(is_seen([](stage& s, auto& j) { s.home().queues.put_installed(&j); }));
}

TEST(job_finder, a_worker_takes_a_batch_of_submitted_jobs) {
  stage s({.threads = 1});
  std::array<test_job, 40> jobs;
  for (test_job& j : jobs) s.home().accepts.inject(&j);
  EXPECT_EQ(s.worker(0).finder.find().what, &jobs[0]);
  EXPECT_EQ(s.worker(0).deque.size_hint(), 15u);
  EXPECT_EQ(s.worker(0).finder.find().what, &jobs[1]);
  EXPECT_EQ(s.home().accepts.waiting_hint(), 24u);

  stage with_threshold({.threads = 1, .steal_threshold = 2});
  test_job a, b;
  with_threshold.home().accepts.inject(&a);
  with_threshold.home().accepts.inject(&b);
  EXPECT_EQ(with_threshold.worker(0).finder.find().what, &a);
  EXPECT_EQ(with_threshold.worker(0).deque.size_hint(), 0u) << "thieves would not take it there";
}

TEST(job_finder, submitted_and_installed_jobs_take_turns) {
  stage s({.threads = 1, .steal_threshold = 2});
  std::array<test_job, 2> submitted, installed;
  for (test_job& j : submitted) s.home().accepts.inject(&j);
  for (test_job& j : installed) s.home().queues.put_installed(&j);
  std::vector<job*> found;
  while (const found_job j = s.worker(0).finder.find()) found.push_back(j.what);
  EXPECT_EQ(found, (std::vector<job*>{&submitted[0], &installed[0], &submitted[1], &installed[1]}));
}

TEST(job_finder, wakes_a_sleeper_for_the_work_that_it_leaves) {
  stage s({.threads = 2, .steal_threshold = 2});
  test_job a, b;
  s.home().accepts.inject(&a);
  s.home().accepts.inject(&b);
  s.put_to_sleep(s.worker(1));
  EXPECT_EQ(s.worker(0).finder.find().what, &a);
  EXPECT_FALSE(s.is_asleep(s.worker(1)));
  s.put_to_sleep(s.worker(1));
  EXPECT_EQ(s.worker(0).finder.find().what, &b);
  EXPECT_TRUE(s.is_asleep(s.worker(1))) << "nothing is left";
}

TEST(job_finder, outside_work_below_the_deque_has_its_turn_after_61_jobs) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  std::array<test_job, 62> own;
  test_job outside;
  for (test_job& j : own) w.push(&j);
  s.home().accepts.inject(&outside);
  for (int ran = 0; ran < 61; ++ran) w.run(w.finder.find());
  EXPECT_EQ(outside.runs, 0);
  w.run(w.finder.find());
  EXPECT_EQ(outside.runs, 1);
}

}  // namespace
