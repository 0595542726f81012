// The pool that exists if the program makes none, and what it does at the end of the program.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/join.hpp"
#include "filch/per_worker.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "filch/timers.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::configure_default_pool;
using filch::default_pool;
using filch::pool;
using filch::pool_options;
using filch::shutdown_default_pool;
using filch::usage_error;
using filch::test::gate;

namespace {

/// Calls a function when it is destroyed. Static objects are destroyed in reverse order of their
/// construction, and handlers of std::atexit() count as constructed when they are registered. So an
/// object made before the first use of the default pool is destroyed after that pool was drained.
struct at_end {
  explicit at_end(std::function<void()> f) : call(std::move(f)) {}
  at_end(const at_end&) = delete;
  at_end& operator=(const at_end&) = delete;
  ~at_end() { call(); }
  std::function<void()> call;
};

void say(const char* what, long number) {
  std::fprintf(stderr, "%s=%ld ", what, number);
  std::fflush(stderr);
}

bool on_this_thread(std::thread::id id) { return id == std::this_thread::get_id(); }

/// Each of these runs its test in a new program.
class default_pool_exit_test : public testing::Test {
 protected:
  default_pool_exit_test() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

}  // namespace

// ---- while the program runs ---------------------------------------------------------------------

TEST(default_pool, is_made_on_first_use_and_stays) {
  pool& p = default_pool();
  EXPECT_GE(p.size(), 1u);
  EXPECT_EQ(&default_pool(), &p);
}

TEST(default_pool, is_made_as_configured) {
  shutdown_default_pool();
  configure_default_pool({.threads = 3, .name = "mine"});
  EXPECT_EQ(default_pool().size(), 3u);
  shutdown_default_pool();
  EXPECT_EQ(default_pool().size(), 3u) << "made again as it was";
}

TEST(default_pool, the_last_configuration_before_the_first_use_counts) {
  shutdown_default_pool();
  configure_default_pool({.threads = 3});
  configure_default_pool({.threads = 2});
  EXPECT_EQ(default_pool().size(), 2u);
}

TEST(default_pool, cannot_be_configured_while_it_exists) {
  (void)default_pool();
  EXPECT_THROW(configure_default_pool({.threads = 1}), usage_error);
  shutdown_default_pool();
  configure_default_pool({.threads = 1});
  EXPECT_EQ(default_pool().size(), 1u);
}

TEST(default_pool, a_configuration_that_cannot_be_met_is_an_error_and_can_be_corrected) {
  shutdown_default_pool();
  EXPECT_THROW(
      {
        configure_default_pool({.threads = 1'000'000});
        default_pool();
      },
      usage_error);
  configure_default_pool({.threads = 2});
  EXPECT_EQ(default_pool().size(), 2u);
}

TEST(default_pool, shutdown_runs_what_was_accepted_and_the_next_use_makes_it_again) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ran = 0;
    for (int i = 0; i < 100; ++i) filch::detach([&] { ++ran; });
    shutdown_default_pool();
    ASSERT_EQ(ran, 100);
    ASSERT_EQ(filch::submit([] { return 1; }).get(), 1);
  }
}

TEST(default_pool, shutdown_without_a_pool_is_nothing) {
  shutdown_default_pool();
  shutdown_default_pool();
}

TEST(default_pool, many_threads_may_be_the_first_to_use_it) {
  for (int round = 0; round < 20; ++round) {
    shutdown_default_pool();
    std::atomic<int> sum = 0;
    std::vector<std::thread> users;
    for (int i = 0; i < 4; ++i)
      users.emplace_back([&] { sum += filch::submit([] { return 1; }).get(); });
    for (auto& u : users) u.join();
    ASSERT_EQ(sum, 4);
  }
}

TEST_F(default_pool_exit_test, shutdown_on_one_of_its_workers_is_an_error) {
  EXPECT_DEATH(default_pool().install([] { shutdown_default_pool(); }), "takes part in it");
}

// ---- at its end ---------------------------------------------------------------------------------

TEST_F(default_pool_exit_test, at_exit_everything_accepted_runs) {
  EXPECT_EXIT(
      {
        static std::atomic<int> ran = 0;
        static const at_end report([] { say("ran", ran); });
        for (int i = 0; i < 1000; ++i)
          filch::detach([] {
            ++ran;
            filch::detach([] { ++ran; });
          });
        std::exit(0);
      },
      testing::ExitedWithCode(0), "ran=2000");
}

TEST_F(default_pool_exit_test, at_exit_it_does_not_wait_for_timers_but_says_so) {
  EXPECT_EXIT(
      {
        static std::optional<filch::future<int>> later;
        static std::optional<filch::periodic_task> beat;
        static const at_end report([] {
          bool closed = false;
          try {
            later->get();
          } catch (const filch::pool_closed&) {
            closed = true;
          }
          say("closed", closed);
          say("active", beat->active());
          beat.reset();
          try {
            (void)filch::submit_after(std::chrono::hours(1), [] {});
          } catch (const filch::pool_closed&) {
            say("refused", 1);
          }
        });
        later = filch::submit_after(std::chrono::hours(1), [] { return 1; });
        beat = filch::submit_every(std::chrono::microseconds(1), [] {});
        std::exit(0);
      },
      testing::ExitedWithCode(0), "closed=1.active=0.refused=1");
}

// Nested tasks would need more stack than there is.
TEST_F(default_pool_exit_test, at_exit_a_long_chain_of_tasks_does_not_nest) {
  EXPECT_EXIT(
      {
        static std::atomic<int> left = 200'000;
        static const at_end report([] { say("left", left); });
        struct link {
          void operator()() const {
            if (--left > 0) filch::detach(link{});
          }
        };
        filch::detach(link{});
        std::exit(0);
      },
      testing::ExitedWithCode(0), "left=0");
}

TEST_F(default_pool_exit_test, static_objects_made_after_the_pool_still_use_its_workers) {
  EXPECT_EXIT(
      {
        configure_default_pool({.threads = 2});
        (void)default_pool();
        static const at_end user([] {
          const auto id = filch::submit([] { return std::this_thread::get_id(); }).get();
          say("here", on_this_thread(id));
        });
        std::exit(0);
      },
      testing::ExitedWithCode(0), "here=0");
}

TEST_F(default_pool_exit_test, calls_after_that_run_on_their_caller) {
  EXPECT_EXIT(
      {
        static const at_end user([] {
          const auto id = [] { return std::this_thread::get_id(); };
          say("submit", on_this_thread(filch::submit(id).get()));
          bool detached = false;
          filch::detach([&] { detached = true; });
          say("detach", detached);
          say("install", on_this_thread(default_pool().install(id)));
          const auto [a, b, c] = filch::join([] { return 1; }, id, [] { return 2; });
          say("join", a + c + 10 * on_this_thread(b));
          int spawned = 0;
          filch::scoped([&](filch::scope& s) {
            s.spawn([&] {
              ++spawned;
              s.spawn([&] { ++spawned; });
            });
            spawned += s.async([] { return 5; }).get();
          });
          say("scope", spawned);
          int batch = 0;
          default_pool().submit_batch(std::vector<std::function<void()>>(3, [&] { ++batch; }));
          say("batch", batch);
          int broadcast = 0;
          default_pool().broadcast([&] { ++broadcast; });
          default_pool().broadcast([&](std::size_t index) { broadcast += index == 1 ? 10 : 0; });
          say("broadcast", broadcast);
          filch::wait_idle();
          filch::per_worker<int> each([] { return 6; });
          say("per_worker", each.local());
          shutdown_default_pool();
          say("again", filch::submit([] { return 7; }).get());
        });
        configure_default_pool({.threads = 2});
        say("before", filch::submit([] { return 1; }).get());
        std::exit(3);
      },
      testing::ExitedWithCode(3),
      "before=1 submit=1 detach=1 install=1 join=13 scope=7 batch=3 broadcast=12 per_worker=6 "
      "again=7");
}

TEST_F(default_pool_exit_test, after_main_exceptions_still_reach_the_waiter) {
  EXPECT_EXIT(
      {
        static const at_end user([] {
          try {
            filch::submit([] { throw 4; }).get();
          } catch (int n) {
            say("future", n);
          }
          try {
            filch::join([] { throw 5; }, [] {});
          } catch (int n) {
            say("join", n);
          }
          try {
            filch::scoped([](filch::scope& s) { s.spawn([] { throw 6; }); });
          } catch (int n) {
            say("scope", n);
          }
        });
        (void)default_pool();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "future=4 join=5 scope=6");
}

TEST_F(default_pool_exit_test, the_first_use_may_be_in_a_static_destructor) {
  EXPECT_EXIT(
      {
        static const at_end user([] { say("got", filch::submit([] { return 8; }).get()); });
        std::exit(0);
      },
      testing::ExitedWithCode(0), "got=8");
}

TEST_F(default_pool_exit_test, a_task_may_call_exit) {
  EXPECT_EXIT(
      {
        gate never;
        filch::detach([] { std::exit(9); });
        never.pass();
      },
      testing::ExitedWithCode(9), "");
}

// The main thread's thread_local objects are destroyed before the static ones.
TEST_F(default_pool_exit_test, thread_local_objects_of_the_main_thread_may_use_it) {
  EXPECT_EXIT(
      {
        static thread_local const at_end user(
            [] { say("got", filch::submit([] { return 5; }).get()); });
        say("before", filch::submit([] { return 4; }).get());
        std::exit(0);
      },
      testing::ExitedWithCode(0), "before=4 got=5");
}

// They outlive all thread_local objects of the main thread, also filch's own.
TEST_F(default_pool_exit_test, static_objects_may_use_and_destroy_a_pool_of_their_own) {
  EXPECT_EXIT(
      {
        static pool own(2);
        static const at_end user([] {
          say("got", own.submit([] {
                          std::this_thread::sleep_for(std::chrono::milliseconds(5));
                          return 6;
                        })
                         .get());
          try {
            own.submit([] { filch::join([] { throw 1; }, [] { throw 2; }); }).get();
          } catch (int n) {
            say("thrown", n);
          }
        });
        (void)own.submit([] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }).get();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "got=6 thrown=1");
}

TEST_F(default_pool_exit_test, returning_from_quick_exit_does_not_wait) {
  EXPECT_EXIT(
      {
        filch::detach([] { std::this_thread::sleep_for(std::chrono::hours(1)); });
        std::quick_exit(2);
      },
      testing::ExitedWithCode(2), "");
}
