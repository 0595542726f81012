#include "filch/detail/sched/run_loop.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <thread>

#include "filch/detail/sched/claim.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::activity;
using filch::detail::awaited_task;
using filch::detail::latch;
using filch::detail::no_region;
using filch::detail::run_loop;
using filch::detail::worker;
using filch::test::playing;
using filch::test::stage;
using filch::test::test_job;
using filch::test::until;

TEST(run_loop, a_wait_runs_jobs_until_its_latch_is_set_and_no_further) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  const playing as(w);
  latch done;
  test_job left, last([&] { latch::set(done); }), first([&] { EXPECT_EQ(w.loop.waits(), 1u); });
  for (test_job* const j : {&left, &last, &first}) w.push(j);
  (void)w.loop.wait(done);
  EXPECT_EQ(first.runs, 1);
  EXPECT_EQ(last.runs, 1);
  EXPECT_EQ(left.runs, 0);
  EXPECT_EQ(w.loop.waits(), 0u);
  (void)w.loop.wait(done);
  EXPECT_EQ(left.runs, 0) << "a wait that is over runs nothing";
}

TEST(run_loop, a_wait_whose_time_is_over_runs_one_job) {
  stage s({.threads = 1});
  const playing as(s.worker(0));
  std::array<test_job, 2> jobs;
  for (test_job& j : jobs) s.worker(0).push(&j);
  latch done;
  EXPECT_FALSE(s.worker(0).loop.wait(done, run_loop::clock::now()));
  EXPECT_EQ(jobs[1].runs, 1);
  EXPECT_EQ(jobs[0].runs, 0);
  EXPECT_FALSE(s.worker(0).loop.wait(done, run_loop::clock::now()));
  EXPECT_FALSE(s.worker(0).loop.wait(done, run_loop::clock::now()));
  EXPECT_EQ(jobs[0].runs, 1);
  EXPECT_EQ(s.home().participants.size(), 1u) << "without a job it needs no spare";
}

/// A task that only its waiter can run. It sets the waiter's latch.
struct task_of_a_waiter final : awaited_task {
  explicit task_of_a_waiter(latch& waited_for) : done(waited_for) {}
  bool run_unless_begun(wait_key here) noexcept override {
    ran_in = here;
    latch::set(done);
    return true;
  }
  latch& done;
  wait_key ran_in = nowhere;
};

TEST(run_loop, with_a_full_stack_a_waiter_runs_what_it_waits_for_and_helps_if_there_is_no_spare) {
  stage s({.threads = 1, .max_spares = 0, .max_help_depth = 0});
  run_loop& loop = s.worker(0).loop;
  const playing as(s.worker(0));
  latch one, two;
  test_job other([&] { latch::set(one.probe() ? two : one); });
  s.worker(0).push(&other);
  task_of_a_waiter task(one);
  EXPECT_TRUE(loop.wait(one, run_loop::clock::time_point::max(), &task));
  EXPECT_EQ(task.ran_in, awaited_task::wait_key_of(&s.home(), no_region));
  EXPECT_EQ(other.runs, 0);
  loop.wait(two);
  EXPECT_EQ(other.runs, 1);
}

// The wake-up that brought it here may have been meant for two jobs.
TEST(run_loop, a_worker_that_finds_a_job_wakes_the_next_before_it_runs_it_and_stops_with_the_pool) {
  stage s({.threads = 2, .on_start = [](std::size_t) {}});
  s.end_starts();
  const playing as(s.worker(0));
  test_job first([&] { EXPECT_FALSE(s.is_asleep(s.worker(1))); });
  test_job second([&] { s.home().close(); });
  s.worker(0).push(&second);
  s.worker(0).push(&first);
  s.put_to_sleep(s.worker(1));
  s.worker(0).loop.run_until_stopped();
  EXPECT_EQ(first.runs + second.runs, 2);
  EXPECT_EQ(s.worker(0).state.doing(), activity::absent);
}

// It has used up no wake-up: the publisher of the job has seen the sleeper, or the sleeper the job.
TEST(run_loop, a_waiter_that_only_searched_wakes_no_thread_when_its_latch_is_set) {
  stage s({.threads = 2, .spin = std::chrono::hours(1)});
  s.inject(1);
  s.put_to_sleep(s.worker(1));
  const playing as(s.worker(0));
  (void)s.worker(0).regions.enter(5);  // so it does not take the job
  latch done;
  std::thread setter([&] {
    until([&] { return s.worker(0).state.doing() == activity::searching; });
    latch::set(done);
  });
  (void)s.worker(0).loop.wait(done);
  setter.join();
  EXPECT_TRUE(s.is_asleep(s.worker(1)));
}

}  // namespace
