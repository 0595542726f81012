// A pool whose threads cannot all be started.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/hang_guard.hpp"
#include "support/thread_failures.hpp"

using filch::pool;
using filch::test::fail_thread_creation;
using filch::test::thread_creations;

// E1: whichever thread fails, the ones before it are ended and joined.
TEST(pool, that_cannot_start_all_its_threads_starts_none) {
  constexpr std::size_t size = 5;
  for (std::size_t k = 1; k <= size; ++k) {
    std::atomic<std::size_t> started = 0, stopped = 0;
    const fail_thread_creation that_one(k);
    try {
      pool p({.threads = size,
              .on_start = [&](std::size_t) { ++started; },
              .on_stop = [&](std::size_t) { ++stopped; }});
      FAIL() << "thread " << k << " was not needed";
    } catch (const std::system_error& e) {
      EXPECT_EQ(e.code(), std::errc::resource_unavailable_try_again);
      const std::string expected = std::to_string(k - 1) + " of " + std::to_string(size);
      EXPECT_NE(std::string(e.what()).find(expected), std::string::npos) << e.what();
    }
    EXPECT_EQ(that_one.seen(), 1u);
    EXPECT_EQ(started, k - 1);
    EXPECT_EQ(stopped, k - 1) << "all that had started have ended";
  }
}

TEST(pool, works_again_once_threads_can_be_started) {
  {
    const fail_thread_creation second(2);
    EXPECT_THROW(pool(3), std::system_error);
  }
  pool p(3);
  EXPECT_EQ(p.submit([] { return 1; }).get(), 1);
}

TEST(pool, starts_exactly_the_threads_asked_for) {
  const std::size_t before = thread_creations();
  { const pool p(4); }
  EXPECT_EQ(thread_creations() - before, 4u);
}

TEST(pool, a_stack_that_only_creation_finds_too_small_is_a_usage_error) {
  const fail_thread_creation next(2, 1, EINVAL);
  EXPECT_THROW(pool({.threads = 3, .stack_size = 1u << 20}), filch::usage_error);
}

TEST(default_pool, that_could_not_be_started_is_made_at_the_next_use) {
  filch::shutdown_default_pool();
  filch::configure_default_pool({.threads = 2});
  {
    const fail_thread_creation first(1);
    EXPECT_THROW(filch::default_pool(), std::system_error);
  }
  EXPECT_EQ(filch::default_pool().size(), 2u);
}
