#include "filch/detail/sched/run_loop.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "filch/detail/sched/claim.hpp"
#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::activity;
using filch::detail::awaited_task;
using filch::detail::latch;
using filch::detail::no_region;
using filch::detail::run_loop;
using filch::detail::spare_threads;
using filch::detail::without_spare;
using filch::detail::worker;
using filch::test::playing;
using filch::test::stage;
using filch::test::test_job;

TEST(run_loop, a_wait_runs_jobs_until_its_latch_is_set_and_no_further) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  const playing as(w);
  latch done;
  test_job left, last([&] { latch::set(done); }), first([&] { EXPECT_EQ(w.loop.waits(), 1u); });
  for (test_job* const j : {&left, &last, &first}) w.push(j);
  w.loop.wait_in_join(done);
  EXPECT_EQ(first.runs, 1);
  EXPECT_EQ(last.runs, 1);
  EXPECT_EQ(left.runs, 0);
  EXPECT_EQ(w.loop.waits(), 0u);
  w.loop.wait_in_join(done);
  EXPECT_EQ(left.runs, 0) << "a wait that is over runs nothing";
}

TEST(run_loop, a_wait_whose_time_is_over_runs_one_job) {
  stage s({.threads = 1});
  const playing as(s.worker(0));
  std::array<test_job, 2> jobs;
  for (test_job& j : jobs) s.worker(0).push(&j);
  latch done;
  EXPECT_FALSE(s.worker(0).loop.wait_until(done, run_loop::clock::now()));
  EXPECT_EQ(jobs[1].runs, 1);
  EXPECT_EQ(jobs[0].runs, 0);
  EXPECT_FALSE(s.worker(0).loop.wait_until(done, run_loop::clock::now()));
  EXPECT_FALSE(s.worker(0).loop.wait_until(done, run_loop::clock::now()));
  EXPECT_EQ(jobs[0].runs, 1);
  EXPECT_EQ(s.home().participants.size(), 1u) << "without a job it needs no spare";
}

TEST(run_loop, run_newest_runs_what_was_pushed_since_while_some_are_left) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  const playing as(w);
  std::int64_t left = 3;
  test_job before, a, b([&] { left = 0; }), c, urgent([&] { EXPECT_EQ(c.runs, 0); });
  w.push(&before);
  const std::uint64_t first = w.deque.next_index();
  for (test_job* const j : {&a, &b, &c}) w.push(j);
  s.home().accepts.inject(&urgent, filch::priority::high);
  w.loop.run_newest(first, left);
  EXPECT_EQ(urgent.runs, 1) << "it goes first";
  EXPECT_EQ(c.runs, 1);
  EXPECT_EQ(b.runs, 1);
  EXPECT_EQ(a.runs, 0) << "none was left to wait for";
  left = 1;
  w.loop.run_newest(first, left);
  EXPECT_EQ(a.runs, 1);
  EXPECT_EQ(before.runs, 0) << "it was there before";
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
  EXPECT_TRUE(loop.wait_until(one, run_loop::clock::time_point::max(), &task));
  EXPECT_EQ(task.ran_in, awaited_task::wait_key_of(&s.home(), no_region));
  EXPECT_EQ(other.runs, 0);
  loop.wait_in_join(two);
  EXPECT_EQ(other.runs, 1);
}

/// Does any worker count as blocked? There are no spares.
bool any_is_blocked(stage& s) {
  spare_threads::standby probe{.who = s.worker(0), .counts = 0};
  if (!s.home().spares.begin_standby(probe)) return true;
  (void)s.home().spares.end_standby(probe);
  return false;
}

TEST(run_loop, absences_inside_of_each_other_count_once_and_those_of_guests_do_not) {
  stage s({.threads = 1, .max_spares = 0});
  run_loop& own = s.worker(0).loop;
  EXPECT_FALSE(own.begin_absence(without_spare::go_on));
  EXPECT_FALSE(s.worker(0).state.am_absent()) << "nothing has begun";
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(own.begin_absence(without_spare::block));
  own.end_absence();
  EXPECT_TRUE(s.worker(0).state.am_absent());
  EXPECT_TRUE(any_is_blocked(s));
  own.end_absence();
  EXPECT_FALSE(any_is_blocked(s));

  worker& guest = s.home().participants.take_guest_slot(s.home());
  EXPECT_FALSE(guest.loop.begin_absence(without_spare::go_on));
  EXPECT_TRUE(guest.loop.begin_absence(without_spare::block));
  EXPECT_TRUE(guest.state.am_absent());
  EXPECT_FALSE(any_is_blocked(s));
  guest.loop.end_absence();
  EXPECT_FALSE(any_is_blocked(s));
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

}  // namespace
