#include "filch/detail/base/cpu_relax.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

// With one CPU the relaxing loop ends with its time slice, the yielding loop at once.
TEST(cpu_relax, a_loop_of_it_sees_what_another_thread_writes) {
  std::atomic<bool> written{false};
  std::thread writer([&] { written.store(true, std::memory_order_relaxed); });
  while (!written.load(std::memory_order_relaxed)) filch::detail::cpu_relax();
  writer.join();
}

TEST(yield, a_loop_of_it_sees_what_another_thread_writes) {
  std::atomic<bool> written{false};
  std::thread writer([&] { written.store(true, std::memory_order_relaxed); });
  while (!written.load(std::memory_order_relaxed)) filch::detail::yield();
  writer.join();
}
