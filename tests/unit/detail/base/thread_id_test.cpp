#include "filch/detail/base/thread_id.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#if defined(__linux__)
#include <pthread.h>
#include <unistd.h>
#endif

using filch::detail::this_thread_id;
using filch::detail::thread_name;

TEST(thread_id, is_never_0_and_does_not_change) {
  const std::uint64_t id = this_thread_id();
  EXPECT_NE(id, 0u);
  EXPECT_EQ(this_thread_id(), id);
}

TEST(thread_id, differs_between_threads_that_run_at_the_same_time) {
  std::uint64_t other = 0;
  std::thread([&] { other = this_thread_id(); }).join();
  EXPECT_NE(other, 0u);
  EXPECT_NE(other, this_thread_id());
}

TEST(thread_name, of_a_number_that_no_thread_has_is_empty) {
  EXPECT_STREQ(thread_name(0).data(), "");
  EXPECT_STREQ(thread_name(UINT64_MAX).data(), "");
}

#if defined(__linux__)

TEST(thread_id, of_the_main_thread_is_the_process_number) {
  EXPECT_EQ(this_thread_id(), static_cast<std::uint64_t>(getpid()));
}

TEST(thread_name, is_the_one_that_was_set) {
  std::string name;
  std::thread([&] {
    pthread_setname_np(pthread_self(), "fifteen letters");  // the longest that Linux keeps
    name = thread_name(this_thread_id()).data();
  }).join();
  EXPECT_EQ(name, "fifteen letters");
}

TEST(thread_name, of_another_running_thread_is_found) {
  std::atomic<std::uint64_t> id{0};
  std::atomic<bool> leave{false};
  std::thread other([&] {
    pthread_setname_np(pthread_self(), "worker-1");
    id.store(this_thread_id());
    while (!leave.load()) std::this_thread::yield();
  });
  while (id.load() == 0) std::this_thread::yield();
  EXPECT_STREQ(thread_name(id.load()).data(), "worker-1");
  leave.store(true);
  other.join();
}

#endif
