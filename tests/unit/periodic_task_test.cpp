// submit_every(): functions that are called at intervals.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <ratio>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/promise.hpp"
#include "filch/this_worker.hpp"
#include "filch/timers.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::periodic_task;
using filch::pool;
using filch::submit_every;
using filch::usage_error;
using filch::test::gate;
using filch::test::occupied;
using filch::test::until;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(submit_every, calls_its_function_again_and_again_until_it_is_stopped) {
  const auto token = std::make_shared<int>(0);
  pool p(2);
  std::atomic<int> calls = 0;
  const auto start = steady_clock::now();
  periodic_task beat = submit_every(1ms, [&, token] { return ++calls; }, {.on = &p});
  EXPECT_TRUE(beat.active());
  until([&] { return calls >= 5; });
  EXPECT_GE(steady_clock::now() - start, 5ms);
  beat.stop();
  beat.wait();
  EXPECT_FALSE(beat.active());
  EXPECT_EQ(token.use_count(), 1) << "the function is gone, so it is not called any more";
  beat.stop();
}

TEST(submit_every, runs_in_the_chosen_pool) {
  pool p(1);
  std::atomic<const pool*> where = nullptr;
  const periodic_task beat =
      submit_every(1us, [&] { where = filch::this_worker::pool(); }, {.on = &p});
  until([&] { return where.load() != nullptr; });
  EXPECT_EQ(where, &p);
}

TEST(submit_every, a_period_of_any_unit_is_no_longer_and_no_shorter_than_it_says) {
  pool p(1);
  filch::test::watch(p);
  std::atomic<int> calls = 0, years = 0;
  const periodic_task soon = submit_every(std::chrono::duration<std::int64_t, std::pico>(1'000'000),
                                          [&] { ++calls; }, {.on = &p});
  const periodic_task never = submit_every(std::chrono::years::max(), [&] { ++years; }, {.on = &p});
  until([&] { return calls >= 3; });
  EXPECT_EQ(years, 0);
}

TEST(submit_every, calls_do_not_overlap) {
  pool p(4);
  std::atomic<int> inside = 0, calls = 0, overlaps = 0;
  periodic_task beat = submit_every(1us,
                                    [&] {
                                      if (++inside > 1) ++overlaps;
                                      std::this_thread::yield();
                                      --inside;
                                      ++calls;
                                    },
                                    {.on = &p});
  until([&] { return calls > 200; });
  beat = periodic_task();
  EXPECT_EQ(overlaps, 0);
}

TEST(submit_every, its_destructor_waits_for_a_call_that_runs) {
  pool p(1);
  gate inside;
  std::atomic<bool> ended = false;
  {
    const periodic_task beat = submit_every(1us,
                                            [&] {
                                              inside.open();
                                              std::this_thread::sleep_for(1ms);
                                              ended = true;
                                            },
                                            {.on = &p});
    inside.pass();
  }
  EXPECT_TRUE(ended);
}

TEST(submit_every, its_destructor_on_the_only_worker_helps) {
  pool p(1);
  filch::test::watch(p);
  std::atomic<int> calls = 0;
  p.install([&] {
    const periodic_task beat = submit_every(1us, [&] { ++calls; });
    std::this_thread::sleep_for(1ms);  // a call is due, and lies in the queue
  });
  p.wait_idle();
  EXPECT_EQ(calls, 0);
}

TEST(submit_every, the_function_may_stop_itself_and_even_drop_its_handle) {
  pool p(1);
  filch::test::watch(p);
  std::atomic<int> calls = 0;
  gate made;
  std::optional<periodic_task> beat;
  beat = submit_every(1us,
                      [&] {
                        made.pass();
                        ++calls;
                        beat->stop();
                        beat.reset();
                      },
                      {.on = &p});
  made.open();
  until([&] { return calls == 1; });
  p.wait_idle();
  EXPECT_EQ(calls, 1);
}

// The function may use what the handle's owner frees next.
TEST(submit_every, a_call_that_waits_does_not_run_a_job_that_drops_the_handle) {
  pool p(1);
  filch::test::watch(p);
  filch::promise<void> over;
  gate inside, dropping;
  std::atomic<bool> dropped = false, dropped_inside = false;
  std::optional<periodic_task> beat = submit_every(1us,
                                                   [&, end = over.get_future()]() mutable {
                                                     inside.open();
                                                     end.get();
                                                     dropped_inside = dropped.load();
                                                   },
                                                   {.on = &p});
  inside.pass();
  p.detach([&] {
    dropping.open();
    beat.reset();
    dropped = true;
  });
  dropping.pass();
  over.set_value();
  p.wait_idle();
  EXPECT_TRUE(dropped);
  EXPECT_FALSE(dropped_inside);
}

TEST(submit_every, an_exception_goes_to_on_exception_and_the_next_call_comes) {
  std::atomic<int> reported = 0;
  pool p({.threads = 1, .on_exception = [&](const std::exception_ptr&) { ++reported; }});
  const periodic_task beat =
      submit_every(1us, [] { throw std::runtime_error("again"); }, {.on = &p});
  until([&] { return reported >= 3; });
  EXPECT_TRUE(beat.active());
}

TEST(submit_every, ends_with_its_pool) {
  std::atomic<int> calls = 0;
  periodic_task waits, runs;
  {
    pool p(1), q(1);
    waits = submit_every(1h, [&] { ++calls; }, {.on = &p});
    p.wait_idle();  // does not wait for a time
    p.close();
    EXPECT_FALSE(waits.active());
    runs = submit_every(1us, [&] { ++calls; }, {.on = &q});
    until([&] { return calls >= 3; });
  }
  EXPECT_FALSE(runs.active());
  waits.wait();
  runs.wait();
}

TEST(submit_every, ends_when_its_options_are_asked_to_stop) {
  pool p(1);
  std::stop_source stop;
  periodic_task beat = submit_every(1h, [] {}, {.stop = stop.get_token(), .on = &p});
  stop.request_stop();
  beat.wait();
  EXPECT_FALSE(beat.active());
  EXPECT_FALSE(submit_every(1h, [] {}, {.stop = stop.get_token(), .on = &p}).active());
}

TEST(submit_every, a_call_that_was_stopped_in_the_queue_is_left_out) {
  pool p(1);
  std::atomic<int> calls = 0;
  std::optional<occupied> busy(std::in_place, p);
  periodic_task beat = submit_every(1us, [&] { ++calls; }, {.on = &p});
  std::this_thread::sleep_for(1ms);  // it is due, and lies in the queue
  beat.stop();
  busy.reset();
  beat.wait();
  EXPECT_EQ(calls, 0);
}

TEST(submit_every, refuses_what_it_cannot_do) {
  pool p(1);
  EXPECT_THROW((void)submit_every(1s, std::function<void()>(), {.on = &p}), usage_error);
  EXPECT_THROW((void)submit_every(-1s, [] {}, {.on = &p}), usage_error);
  try {
    (void)submit_every(0ms, [] {}, {.on = &p});
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_NE(std::string(e.what()).find("is 0.000000 s"), std::string::npos) << e.what();
  }
  EXPECT_TRUE(submit_every(std::chrono::hours::max(), [] {}, {.on = &p}).active());
  p.close();
  EXPECT_THROW((void)submit_every(1s, [] {}, {.on = &p}), filch::pool_closed);
}

TEST(submit_every, against_stops_and_ends_of_pools_nothing_hangs) {
  for (int round = 0; round < 100; ++round) {
    std::optional<pool> p(std::in_place, 2);
    std::atomic<int> calls = 0;
    std::stop_source stop;
    periodic_task a = submit_every(1us, [&] { ++calls; }, {.on = &*p});
    periodic_task b = submit_every(20us, [&] { ++calls; }, {.stop = stop.get_token(), .on = &*p});
    std::thread other([&] {
      stop.request_stop();
      a.stop();
    });
    if (round % 2 == 0) p.reset();
    b.wait();
    a.wait();
    other.join();
    EXPECT_FALSE(a.active() || b.active());
  }
}
