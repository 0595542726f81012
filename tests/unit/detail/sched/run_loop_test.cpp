#include "filch/detail/sched/run_loop.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "filch/detail/observe/watchdog.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/participant_state.hpp"
#include "filch/detail/sched/pool_report.hpp"
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

/// Worker 0 of two waits, finds two jobs when it has searched or slept, and takes one of them.
/// Worker 1 sleeps, and there is no seat for it. Returns whether worker 0 has left a note.
bool leaves_a_note(activity at_first) {
  stage s({.threads = 2, .spin = std::chrono::hours(at_first == activity::searching ? 1 : 0)});
  auto& sleeping = s.home().wakes.sleeping();
  s.put_to_sleep(s.worker(1));
  sleeping.take_seats(static_cast<std::uint32_t>(sleeping.free_seats()));
  const playing as(s.worker(0));
  latch one, two;
  const auto sets_a_latch = [&] { latch::set(one.probe() ? two : one); };
  test_job first(sets_a_latch), second(sets_a_latch);
  std::thread publisher([&] {
    until([&] { return s.worker(0).state.doing() == at_first; });
    for (test_job* const j : {&first, &second}) s.worker(1).deque.push({j, no_region});
    if (at_first == activity::sleeping) (void)sleeping.wake(s.worker(0).loop.idle_parker());
  });
  (void)s.worker(0).loop.wait(one);
  publisher.join();
  (void)s.worker(0).loop.wait(two);
  EXPECT_EQ(first.runs + second.runs, 2);
  EXPECT_TRUE(s.is_asleep(s.worker(1)));
  return sleeping.give_seats_back(1) == filch::detail::sleepers::freed::noted_seat;
}

// The note would make a guest look for work each time it leaves: longer than a short loop takes.
TEST(run_loop, a_waiter_that_only_searched_leaves_no_note_for_the_jobs_that_it_does_not_take) {
  EXPECT_FALSE(leaves_a_note(activity::searching));
}

TEST(run_loop, a_waiter_that_was_woken_leaves_a_note_for_the_jobs_that_it_does_not_take) {
  EXPECT_TRUE(leaves_a_note(activity::sleeping));
}

/// Worker 0 of two waits for a seat, in a thread of its own, while worker 1 runs a job of its call.
/// There is one thread too many.
class without_seat {
 public:
  explicit without_seat(stage& s, filch::detail::region call = filch::detail::new_call())
      : s_(s), call_(call) {
    s.home().wakes.sleeping().take_seats(3);
    (void)s.worker(1).regions.enter(call_);
    s.worker(1).state.set_doing(activity::running);
    waiter_ = std::thread([this] {
      worker& w = s_.worker(0);
      const playing as(w);
      w.thread.begin();
      (void)w.regions.enter(call_);
      EXPECT_TRUE(w.loop.wait_for_seat());
      w.state.set_doing(activity::running);
    });
    until([&] { return s_.worker(0).state.doing() == activity::awaiting_seat; });
  }
  void until_it_goes_on() {
    waiter_.join();
    EXPECT_EQ(s_.worker(0).state.doing(), activity::running);
  }

 private:
  stage& s_;
  const filch::detail::region call_;
  std::thread waiter_;
};

TEST(run_loop, a_thread_without_a_seat_goes_on_when_one_is_free) {
  stage s({.threads = 2});
  without_seat waiter(s);
  (void)s.home().wakes.sleeping().give_seats_back(1);
  waiter.until_it_goes_on();
}

TEST(run_loop, a_thread_without_a_seat_waits_in_an_isolated_call_too) {
  stage s({.threads = 2});
  without_seat waiter(s, filch::detail::new_region());
  (void)s.home().wakes.sleeping().give_seats_back(1);
  waiter.until_it_goes_on();
}

// It waits before it runs the job that it has, which no other thread can then take.
TEST(run_loop, a_worker_that_has_taken_a_job_of_a_call_waits_for_a_seat_before_it_runs_it) {
  for (const auto call : {filch::detail::new_call(), filch::detail::new_region()}) {
    stage s({.threads = 2, .on_start = [](std::size_t) {}});
    s.end_starts();
    s.home().wakes.sleeping().take_seats(3);
    (void)s.worker(1).regions.enter(call);
    s.worker(1).state.set_doing(activity::running);
    std::atomic<bool> has_seat = false;
    test_job mine([&] {
      EXPECT_TRUE(has_seat);
      s.home().close();
    });
    const playing as(s.worker(0));
    s.worker(0).push(&mine, call);
    std::thread other([&] {
      until([&] { return s.worker(0).state.doing() == activity::awaiting_seat; });
      has_seat = true;
      (void)s.home().wakes.sleeping().give_seats_back(1);
    });
    s.worker(0).loop.run_until_stopped();
    other.join();
    EXPECT_EQ(mine.runs, 1);
    EXPECT_EQ(s.worker(0).regions.current(), no_region);
  }
}

TEST(run_loop, two_threads_without_a_seat_do_not_both_wait_if_one_is_too_many) {
  stage s({.threads = 3});
  const auto call = filch::detail::new_call();
  s.home().wakes.sleeping().take_seats(4);
  std::atomic<int> went_on = 0;
  std::vector<std::thread> both;
  for (std::size_t i = 0; i < 2; ++i)
    both.emplace_back([&, i] {
      const playing as(s.worker(i));
      (void)s.worker(i).regions.enter(call);
      s.worker(i).state.set_doing(activity::running);
      EXPECT_TRUE(s.worker(i).loop.wait_for_seat());
      ++went_on;
      s.worker(i).state.set_doing(activity::sleeping);
      (void)s.home().wakes.sleeping().give_seats_back(1);
    });
  for (std::thread& t : both) t.join();
  EXPECT_EQ(went_on, 2);
}

TEST(run_loop, a_thread_without_a_seat_does_not_wait_for_a_job_of_another_call) {
  stage s({.threads = 2});
  without_seat waiter(s);
  (void)s.worker(1).regions.enter(filch::detail::new_call());
  waiter.until_it_goes_on();
}

TEST(run_loop, a_thread_without_a_seat_does_not_wait_for_a_thread_that_runs_nothing) {
  stage s({.threads = 2});
  without_seat waiter(s);
  s.worker(1).state.set_doing(activity::blocked);
  waiter.until_it_goes_on();
}

// A job that it had taken would be out of reach for a worker that polls for it.
TEST(run_loop, a_guest_that_comes_without_a_seat_waits_for_one_before_it_takes_a_job) {
  for (const bool timed : {false, true}) {
    stage s({.threads = 1});
    s.end_starts();
    worker& guest = s.home().participants.take_guest_slot(s.home());
    const auto call = filch::detail::new_call();
    s.home().wakes.sleeping().take_seats(2);
    (void)s.worker(0).regions.enter(call);
    s.worker(0).state.set_doing(activity::running);
    latch done;
    std::atomic<bool> has_seat = false;
    test_job stolen([&] {
      EXPECT_TRUE(has_seat);
      latch::set(done);
    });
    s.worker(0).deque.push({&stolen, call});
    std::thread outside([&] {
      const playing as(guest);
      const auto outer = guest.regions.enter(call);
      using clock = run_loop::clock;
      EXPECT_TRUE(guest.loop.wait(
          done, timed ? clock::now() + std::chrono::hours(1) : clock::time_point::max()));
      guest.regions.leave(outer);
    });
    until([&] { return guest.state.doing() == activity::awaiting_seat; });
    EXPECT_NE(s.worker(0).size_hint(), 0u);
    has_seat = true;
    s.worker(0).state.set_doing(activity::searching);
    outside.join();
    EXPECT_EQ(stolen.runs, 1);
    s.home().participants.return_guest_slot(guest);
  }
}

TEST(run_loop, a_guest_that_polls_without_a_seat_runs_nothing) {
  stage s({.threads = 1});
  s.end_starts();
  worker& guest = s.home().participants.take_guest_slot(s.home());
  const auto call = filch::detail::new_call();
  s.home().wakes.sleeping().take_seats(2);
  (void)s.worker(0).regions.enter(call);
  s.worker(0).state.set_doing(activity::running);
  latch done;
  test_job other;
  s.worker(0).deque.push({&other, call});
  {
    const playing as(guest);
    const auto outer = guest.regions.enter(call);
    EXPECT_FALSE(guest.loop.wait(done, run_loop::clock::now()));
    EXPECT_EQ(other.runs, 0);
    s.worker(0).state.set_doing(activity::blocked);
    EXPECT_FALSE(guest.loop.wait(done, run_loop::clock::now()));
    EXPECT_EQ(other.runs, 1);
    guest.regions.leave(outer);
  }
  s.home().participants.return_guest_slot(guest);
}

TEST(run_loop, a_thread_without_a_seat_says_so_and_its_naps_are_no_progress) {
  stage s({.threads = 2});
  without_seat waiter(s);
  const auto look = [&] { return filch::detail::look_at(s.worker(0), run_loop::clock::now()); };
  EXPECT_EQ(look().status.state, filch::worker_state::awaiting_seat);
  const auto before = look().cpu_ns;
  const std::uint64_t progress = filch::detail::progress_of(s.home()).progress;
  if (before) until([&] { return look().cpu_ns > before; });
  const filch::detail::pool_look now = filch::detail::progress_of(s.home());
  EXPECT_EQ(now.progress, progress);
  EXPECT_TRUE(now.unfinished);
  std::ostringstream dump;
  filch::detail::dump(s.home(), dump);
  EXPECT_NE(dump.str().find("worker 0: no seat, "), std::string::npos) << dump.str();
  s.worker(1).state.set_doing(activity::blocked);
  waiter.until_it_goes_on();
}

}  // namespace
