// on_start, on_stop and on_exception: what they may do, and what happens to their exceptions.
// (pool_life_test.cpp has their other promises.)
#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "filch/detail/base/affinity.hpp"
#include "filch/filch.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::pool;
using filch::pool_closed;
using filch::usage_error;
using filch::test::until;

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

std::string this_thread_name() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

}  // namespace

// ---- where they run -----------------------------------------------------------------------------

TEST(pool_hooks, find_the_thread_as_it_will_be) {
  const auto cpus = filch::detail::process_cpus();
  std::atomic<int> seen = 0;
  const auto look = [&](std::size_t i) {
    EXPECT_EQ(filch::this_worker::index(), i);
    EXPECT_EQ(this_thread_name(), "render-" + std::to_string(i));
    EXPECT_EQ(filch::detail::this_thread_cpus(), std::vector{cpus[i % cpus.size()]});
    ++seen;
  };
  {
    const pool p({.threads = 3, .name = "render", .pin = true, .on_start = look, .on_stop = look});
  }
  EXPECT_EQ(seen, 6);
}

TEST(pool_hooks, on_start_may_wait_for_all_the_others) {
  std::atomic<int> inside = 0;
  pool p({.threads = 4, .on_start = [&](std::size_t) {
            ++inside;
            until([&] { return inside == 4; });
          }});
  EXPECT_EQ(p.submit([] { return 1; }).get(), 1);
}

TEST(pool_hooks, a_worker_whose_on_start_takes_long_keeps_no_other_from_working) {
  filch::test::gate done;
  pool p({.threads = 2, .on_start = [&](std::size_t i) {
            if (i == 0) done.pass();
          }});
  EXPECT_EQ(p.submit([] { return filch::this_worker::index(); }).get(), 1u);
  EXPECT_FALSE(p.wait_idle_for(std::chrono::seconds(0))) << "the start counts as a task";
  done.open();
  p.wait_idle();
}

// ---- what they may do with the pool -------------------------------------------------------------

TEST(pool_hooks, may_join_and_open_scopes_at_both_ends) {
  std::atomic<long> sum = 0;
  const auto work = [&](std::size_t) {
    sum += fib(10);
    filch::scoped([&](filch::scope& s) {
      for (int i = 0; i < 10; ++i) s.spawn([&] { ++sum; });
    });
  };
  for (int round = 0; round < 20; ++round) {
    sum = 0;
    { const pool p({.threads = 3, .on_start = work, .on_stop = work}); }
    ASSERT_EQ(sum, 2 * 3 * (55 + 10));
  }
}

TEST(pool_hooks, on_start_may_submit_wait_and_install) {
  std::atomic<int> sum = 0;
  std::atomic<pool*> the_pool = nullptr;
  pool p({.threads = 2, .on_start = [&](std::size_t i) {
            until([&] { return the_pool != nullptr; });
            EXPECT_EQ(filch::this_worker::pool(), the_pool.load());
            sum += the_pool.load()->submit([] { return 1; }).get();
            sum += filch::submit([] { return 1; }).get();
            EXPECT_EQ(the_pool.load()->install([] { return filch::this_worker::index(); }), i);
            the_pool.load()->broadcast([&] { ++sum; });
          }});
  the_pool = &p;
  p.wait_idle();
  EXPECT_EQ(sum, 2 * (1 + 1 + 2));
}

// It would wait for itself, as in a task.
TEST(pool_hooks, that_wait_for_the_pool_to_be_idle_get_an_error) {
  std::atomic<int> refused = 0;
  std::atomic<pool*> the_pool = nullptr;
  const auto wait = [&](std::size_t) {
    until([&] { return the_pool != nullptr; });
    EXPECT_THROW(the_pool.load()->wait_idle(), usage_error);
    EXPECT_THROW(filch::wait_idle(), usage_error);
    ++refused;
  };
  {
    pool p({.threads = 2, .on_start = wait, .on_stop = wait});
    the_pool = &p;
    p.wait_idle();
    EXPECT_EQ(refused, 2);
  }
  EXPECT_EQ(refused, 4);
}

TEST(pool_hooks, on_stop_cannot_submit_any_more) {
  std::atomic<int> refused = 0;
  pool* the_pool = nullptr;
  {
    pool p({.threads = 2, .on_stop = [&](std::size_t) {
              EXPECT_THROW((void)the_pool->submit([] {}), pool_closed);
              EXPECT_THROW(filch::detach([] {}), pool_closed);
              EXPECT_THROW(the_pool->broadcast([] {}), pool_closed);
              EXPECT_EQ(the_pool->install([] { return 5; }), 5) << "called directly";
              ++refused;
            }});
    the_pool = &p;
  }
  EXPECT_EQ(refused, 2);
}

TEST(pool_hooks, may_use_other_pools) {
  std::atomic<int> sum = 0;
  pool other(1);
  const auto ask = [&](std::size_t) { sum += other.submit([] { return 1; }).get(); };
  { const pool p({.threads = 2, .on_start = ask, .on_stop = ask}); }
  EXPECT_EQ(sum, 4);
}

// ---- what they throw ----------------------------------------------------------------------------

TEST(pool_hooks, that_throw_are_reported_on_their_own_thread_and_the_worker_works) {
  std::mutex mutex;
  std::multiset<std::string> said;
  {
    pool p(
        {.threads = 2,
         .on_start = [](std::size_t i) { throw std::runtime_error("start " + std::to_string(i)); },
         .on_stop = [](std::size_t i) { throw std::runtime_error("stop " + std::to_string(i)); },
         .on_exception =
             [&](const std::exception_ptr& e) {
               const std::string where = std::to_string(filch::this_worker::index().value());
               try {
                 std::rethrow_exception(e);
               } catch (const std::runtime_error& error) {
                 const std::scoped_lock lock(mutex);
                 said.insert(error.what() + (" on " + where));
               }
             }});
    p.wait_idle();
    std::atomic<int> ran = 0;
    p.broadcast([&] { ++ran; });
    p.wait_idle();
    EXPECT_EQ(ran, 2);
  }
  EXPECT_EQ(said, (std::multiset<std::string>{"start 0 on 0", "start 1 on 1", "stop 0 on 0",
                                              "stop 1 on 1"}));
}

TEST(pool_hooks_death_test, that_throw_without_on_exception_end_the_program_with_a_message) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        pool p({.threads = 1, .name = "render", .on_start = [](std::size_t) {
                  throw std::runtime_error("no licence");
                }});
        p.wait_idle();
      },
      "'render'.*no licence(.|\n)*on_exception");
  EXPECT_DEATH({ const pool p({.threads = 1, .on_stop = [](std::size_t) { throw 5; }}); },
               "not a std::exception");
}

TEST(on_exception_death_test, one_that_throws_ends_the_program_and_says_what) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        pool p({.threads = 1, .name = "render", .on_exception = [](const std::exception_ptr&) {
                  throw std::runtime_error("log is full");
                }});
        p.detach([] { throw 1; });
        p.wait_idle();
      },
      "'render': on_exception itself threw: log is full");
  EXPECT_DEATH(
      {
        pool p({.threads = 1, .on_exception = std::rethrow_exception});
        p.detach([] { throw 1; });
        p.wait_idle();
      },
      "on_exception itself threw something that is not a std::exception");
}
