#include "filch/detail/base/affinity.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

using filch::detail::process_cpus;
using filch::detail::set_this_thread_cpus;
using filch::detail::this_thread_cpus;
using cpu_list = std::vector<std::size_t>;

TEST(affinity, the_cpus_of_the_process_are_those_of_the_main_thread) {
  const cpu_list main = this_thread_cpus();
  EXPECT_FALSE(main.empty());
  EXPECT_TRUE(std::is_sorted(main.begin(), main.end()));
  std::thread([&] {
    EXPECT_EQ(process_cpus(), main);
    const cpu_list last{main.back()};
    EXPECT_TRUE(set_this_thread_cpus(last));
    EXPECT_EQ(this_thread_cpus(), last);
    EXPECT_EQ(process_cpus(), main);
  }).join();
  EXPECT_EQ(this_thread_cpus(), main);
}

TEST(affinity, a_thread_runs_where_it_was_confined_to) {
  for (const std::size_t cpu : process_cpus()) {
    std::thread([cpu] {
      ASSERT_TRUE(set_this_thread_cpus(cpu_list{cpu}));
      EXPECT_EQ(static_cast<std::size_t>(sched_getcpu()), cpu);
    }).join();
  }
}

TEST(affinity, cpus_that_do_not_exist_change_nothing) {
  const cpu_list before = this_thread_cpus();
  EXPECT_FALSE(set_this_thread_cpus(cpu_list{}));
  EXPECT_FALSE(set_this_thread_cpus(cpu_list{100'000}));
  EXPECT_FALSE(set_this_thread_cpus(cpu_list{static_cast<std::size_t>(-1)}));
  EXPECT_EQ(this_thread_cpus(), before);
}

TEST(affinity, cpus_that_do_not_exist_are_ignored_beside_one_that_does) {
  std::thread([] {
    const std::size_t cpu = process_cpus().front();
    EXPECT_TRUE(set_this_thread_cpus(cpu_list{100'000, cpu}));
    EXPECT_EQ(this_thread_cpus(), cpu_list{cpu});
  }).join();
}
