// The k-th thread of a pool cannot be started, for every k.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

#include "filch/filch.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/thread_failures.hpp"

using filch::test::fail_thread_creation;
using filch::test::gate;
using filch::test::until;

namespace {

constexpr std::size_t threads = 5;

/// How many threads this process has.
std::size_t threads_now() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "Threads:") {
      std::size_t count = 0;
      status >> count;
      return count;
    }
  return 0;
}

/// Waits for threads that have been joined but are still ending.
bool threads_become(std::size_t count) {
  for (int n = 0; n < 2000 && threads_now() != count; ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return threads_now() == count;
}

}  // namespace

TEST(thread_creation_faults, no_pool_is_left_half_made) {
  { filch::pool warm_up(1); }
  const std::size_t before = threads_now();
  for (std::size_t k = 1; k <= threads; ++k) {
    std::atomic<int> started = 0, stopped = 0;
    const fail_thread_creation kth(k);
    try {
      filch::pool p({.threads = threads,
                     .on_start = [&](std::size_t) { ++started; },
                     .on_stop = [&](std::size_t) { ++stopped; }});
      ADD_FAILURE() << "thread " << k << " was started";
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code().value(), EAGAIN);
      EXPECT_NE(std::string(error.what()).find(std::to_string(threads)), std::string::npos)
          << error.what();
    }
    EXPECT_EQ(kth.seen(), 1u);
    EXPECT_EQ(started.load(), static_cast<int>(k) - 1) << "the hooks of those that were started";
    EXPECT_EQ(stopped.load(), started.load());
    EXPECT_TRUE(threads_become(before)) << threads_now() << " threads, " << before << " before";
  }
}

// A worker that is blocked in on_start has a spare, which must not be taken for a worker. The
// worker may ask for a spare when the pool is already being given up.
TEST(thread_creation_faults, a_pool_that_is_given_up_ends_its_spares_too) {
  { filch::pool warm_up(1); }
  const std::size_t before = threads_now();
  for (const bool late : {false, true})
    for (std::size_t k = 2; k <= 2 * threads; ++k) {
      const fail_thread_creation kth(k);
      std::atomic<int> started = 0;
      try {
        const filch::pool p({.threads = threads, .on_start = [&](std::size_t) {
                               ++started;
                               const std::chrono::milliseconds a_while(1);
                               if (late) std::this_thread::sleep_for(a_while);
                               filch::blocking([&] { std::this_thread::sleep_for(a_while); });
                             }});
        EXPECT_EQ(p.size(), threads) << "the one that was not started was a spare";
      } catch (const std::system_error& error) {
        EXPECT_EQ(error.code().value(), EAGAIN);
      }
      EXPECT_GT(started.load(), 0);
      EXPECT_TRUE(threads_become(before)) << threads_now() << " threads, " << before << " before";
    }
}

TEST(thread_creation_faults, the_next_pool_works) {
  {
    const fail_thread_creation third(3, fail_thread_creation::for_ever);
    EXPECT_THROW(filch::pool p(threads), std::system_error);
  }
  filch::pool p(threads);
  EXPECT_EQ(p.submit([] { return 7; }).get(), 7);
}

TEST(thread_creation_faults, a_default_pool_that_cannot_be_made_is_made_by_the_next_use) {
  filch::configure_default_pool({.threads = threads});
  {
    const fail_thread_creation second(2);
    EXPECT_THROW(filch::detach([] {}), std::system_error);
  }
  EXPECT_EQ(filch::submit([] { return 7; }).get(), 7);
  EXPECT_EQ(filch::default_pool().size(), threads);
  filch::shutdown_default_pool();
}

// A spare that cannot be made is just missing. The remaining threads go on, and the next worker
// that blocks tries again.
TEST(thread_creation_faults, without_spares_the_pool_goes_on_and_the_next_that_is_needed_is_made) {
  gate open, second_open;
  std::atomic<int> blocked = 0;
  const auto block = [&](const gate& until_open) {
    ++blocked;
    filch::blocking([&] { until_open.pass(); });
  };
  filch::pool p(2);
  filch::test::watch(p);
  {
    const fail_thread_creation all(1, fail_thread_creation::for_ever);
    p.detach([&] { block(open); });
    until([&] { return blocked == 1 && all.seen() > 0; });
    EXPECT_EQ(p.submit([] { return 7; }).get(), 7);  // by the other worker
  }
  p.detach([&] { block(second_open); });
  until([&] { return blocked == 2; });
  EXPECT_EQ(p.submit([] { return 8; }).get(), 8);  // by a spare
  open.open();
  second_open.open();
  p.wait_idle();
}

// Then a thread with a full stack goes on helping.
TEST(thread_creation_faults, without_spares_waits_nest_further) {
  filch::pool other(1);
  filch::pool p({.threads = 1, .max_help_depth = 2});
  filch::test::watch(p);
  const fail_thread_creation all(1, fail_thread_creation::for_ever);
  std::atomic<int> ran = 0;
  p.install([&] {
    filch::scope s;
    gate last;
    s.spawn([&] { last.open(); });
    for (int i = 0; i < 20; ++i)
      s.spawn([&] {
        other.submit([&] { last.pass(); }).get();
        ++ran;
      });
    s.wait();
  });
  EXPECT_EQ(ran, 20);
  EXPECT_GT(all.seen(), 0u);
}
