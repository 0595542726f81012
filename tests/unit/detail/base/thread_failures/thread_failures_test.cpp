#include "support/thread_failures.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>
#include <vector>

#include "filch/detail/base/thread.hpp"
#include "filch/errors.hpp"

using filch::detail::os_thread;
using filch::test::fail_thread_creation;
using filch::test::thread_creations;

namespace {

void count(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1); }

/// The error of starting a thread; 0 if it runs.
int error_of_start() {
  std::atomic<int> runs = 0;
  try {
    os_thread::start(count, &runs).join();
    EXPECT_EQ(runs.load(), 1);
    return 0;
  } catch (const std::system_error& error) {
    EXPECT_EQ(runs.load(), 0);
    return error.code().value();
  }
}

}  // namespace

TEST(thread_failures, exactly_the_chosen_creations_fail) {
  const fail_thread_creation third_and_fourth(3, 2);
  std::vector<int> errors;
  for (int i = 0; i < 5; ++i) errors.push_back(error_of_start());
  EXPECT_EQ(errors, (std::vector<int>{0, 0, EAGAIN, EAGAIN, 0}));
  EXPECT_EQ(third_and_fourth.seen(), 2u);
}

TEST(thread_failures, end_with_the_object) {
  {
    const fail_thread_creation all(1, fail_thread_creation::for_ever);
    EXPECT_EQ(error_of_start(), EAGAIN);
    EXPECT_EQ(error_of_start(), EAGAIN);
  }
  EXPECT_EQ(error_of_start(), 0);
}

TEST(thread_failures, creations_are_counted_whether_they_succeed_or_not) {
  const std::size_t before = thread_creations();
  EXPECT_EQ(error_of_start(), 0);
  {
    const fail_thread_creation next(1);
    EXPECT_EQ(error_of_start(), EAGAIN);
  }
  EXPECT_EQ(thread_creations() - before, 2u);
}

TEST(os_thread, a_thread_that_the_system_refuses_is_a_system_error_with_the_reason) {
  const fail_thread_creation next(1, 1, EPERM);
  try {
    os_thread::start([](void*) {}, nullptr, {.stack_size = 1 << 20}).join();
    FAIL() << "started";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::operation_not_permitted);
    EXPECT_NE(std::string(error.what()).find("1048576"), std::string::npos) << error.what();
  }
}

// The thread needs more than the minimum if the program has many thread_local variables.
TEST(os_thread, a_stack_that_only_creation_finds_too_small_is_a_usage_error) {
  const fail_thread_creation next(1, 1, EINVAL);
  const std::size_t size = filch::detail::minimum_stack_size();
  EXPECT_THROW(os_thread::start([](void*) {}, nullptr, {.stack_size = size}).join(),
               filch::usage_error);
}

TEST(os_thread, a_failed_start_leaves_the_creators_signal_mask_alone) {
  sigset_t before, after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  {
    const fail_thread_creation next(1);
    EXPECT_EQ(error_of_start(), EAGAIN);
  }
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal <= SIGRTMAX; ++signal)
    EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
}
