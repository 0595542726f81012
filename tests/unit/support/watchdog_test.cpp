#include "support/watchdog.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ostream>
#include <thread>

using filch::test::watchdog;
using namespace std::chrono_literals;

TEST(watchdog_death_test, a_standstill_dumps_the_state_and_aborts) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        const watchdog dog(
            100ms, [] { return std::uint64_t{7}; },
            [](std::ostream& out) { out << "thief 3: stealing\n"; });
        std::this_thread::sleep_for(1h);
      },
      "no progress for.*\n.*thief 3: stealing");
}

TEST(watchdog, progress_keeps_it_quiet) {
  std::atomic<std::uint64_t> steps = 0;
  const watchdog dog(
      500ms, [&] { return ++steps; }, [](std::ostream&) { FAIL(); });
  while (steps < 20) std::this_thread::yield();
}
