#include "filch/detail/sched/participant_state.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "filch/detail/sched/worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/stage.hpp"

namespace {

using filch::worker_state;
using filch::detail::activity;
using filch::detail::look_at;
using filch::detail::participant_look;
using filch::detail::run_loop;
using filch::detail::worker;
using filch::test::stage;
using filch::test::until;
using clock_type = std::chrono::steady_clock;

TEST(participant_state, what_a_participant_says_is_a_state_that_users_see) {
  using filch::detail::state_of;
  EXPECT_EQ(state_of(activity::running), worker_state::running);
  EXPECT_EQ(state_of(activity::searching), worker_state::idle);
  EXPECT_EQ(state_of(activity::awaiting_seat), worker_state::awaiting_seat);
  EXPECT_EQ(state_of(activity::sleeping), worker_state::sleeping);
  EXPECT_EQ(state_of(activity::blocked), worker_state::blocked);
  EXPECT_EQ(state_of(activity::absent), worker_state::absent);
}

TEST(participant_state, of_a_slot_that_no_thread_has_used_says_nothing_else) {
  stage s({.threads = 1});
  const participant_look seen = look_at(s.worker(0), clock_type::now());
  EXPECT_EQ(seen.status, filch::worker_status());
  EXPECT_FALSE(seen.cpu_ns);
}

TEST(participant_state, a_worker_whose_job_waits_for_tasks_and_that_runs_another_one_helps) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  w.thread.begin();
  w.state.set_doing(activity::running);
  EXPECT_EQ(look_at(w, clock_type::now()).status.state, worker_state::running);
  {
    const run_loop::counted_wait first(w.loop), second(w.loop);
    const participant_look seen = look_at(w, clock_type::now());
    EXPECT_EQ(seen.status.state, worker_state::helping);
    EXPECT_EQ(seen.status.waits, 2u);
    w.state.set_doing(activity::searching);
    EXPECT_EQ(look_at(w, clock_type::now()).status.state, worker_state::idle);
  }
  EXPECT_EQ(look_at(w, clock_type::now()).status.waits, 0u);
}

TEST(participant_state, a_look_from_before_the_last_one_finds_no_negative_time) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  w.thread.begin();
  w.state.set_doing(activity::blocked);
  const clock_type::time_point now = clock_type::now();
  (void)look_at(w, now + std::chrono::hours(1));
  EXPECT_LE(look_at(w, now).status.still_ns, 3'600'000'000'000u);
}

TEST(participant_state, a_job_that_sleeps_in_the_kernel_waits_and_a_worker_without_a_job_does_not) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  w.state.set_doing(activity::running);
  std::atomic<bool> over = false;
  std::thread sleeper([&] {
    w.thread.begin();
    over.wait(false);
  });
  until([&] { return look_at(w, clock_type::now()).status.state == worker_state::waiting; });
  EXPECT_TRUE(look_at(w, clock_type::now()).system_tells);
  EXPECT_TRUE(look_at(w, clock_type::now()).cpu_ns);
  w.state.set_doing(activity::searching);
  EXPECT_EQ(look_at(w, clock_type::now()).status.state, worker_state::idle);
  over = true;
  over.notify_one();
  sleeper.join();
}

}  // namespace
