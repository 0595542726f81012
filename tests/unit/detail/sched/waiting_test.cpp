#include "filch/detail/sched/waiting.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::detail::borrow_parker;
using filch::detail::latch;
using filch::detail::parker;
using filch::detail::return_parker;
using filch::test::until;
using namespace std::chrono_literals;

// The parker of an outside thread comes from the store: it is the one that was returned last.
TEST(waiting, a_late_call_for_an_earlier_sleeper_does_not_end_a_wait) {
  parker& sleeper = borrow_parker();
  return_parker(sleeper);
  latch done;
  std::atomic<bool> waited = false;
  std::thread waiter([&] {
    EXPECT_TRUE(filch::detail::wait_for_until(done, std::chrono::steady_clock::now() + 1h));
    waited = true;
  });
  until([&] { return sleeper.is_asleep(); });
  sleeper.unpark();
  until([&] { return sleeper.is_asleep() || waited; });
  EXPECT_FALSE(waited);
  latch::set(done);
  waiter.join();
}

TEST(waiting, a_deadline_that_has_passed_or_never_comes_is_no_overflow) {
  latch done;
  EXPECT_FALSE(filch::detail::wait_for_until(done, filch::detail::deadline_after(0s)));
  EXPECT_FALSE(filch::detail::wait_for_until(done, filch::detail::deadline_after(-1h)));
  EXPECT_FALSE(filch::detail::wait_for_until(
      done, filch::detail::deadline_after(std::chrono::hours::min())));
  latch::set(done);
  EXPECT_TRUE(filch::detail::wait_for_until(
      done, filch::detail::deadline_after(std::chrono::hours::max())));
  EXPECT_EQ(filch::detail::deadline_after(std::chrono::nanoseconds::max()),
            std::chrono::steady_clock::time_point::max());
}

TEST(waiting, a_thread_that_looks_for_a_short_time_sees_only_a_latch_that_is_set) {
  latch done;
  EXPECT_FALSE(filch::detail::is_set_within(3, done));
  latch::set(done);
  EXPECT_TRUE(filch::detail::is_set_within(3, done));
  EXPECT_TRUE(filch::detail::is_set_within(0, done));
}
