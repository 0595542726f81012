#include "filch/detail/sched/thread_team.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/detail/base/affinity.hpp"
#include "filch/detail/base/thread.hpp"
#include "filch/errors.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/stage.hpp"

namespace {

using filch::test::stage;
using filch::test::until;

/// Counts in `ended` when the calling thread ends.
void count_at_the_end_of_this_thread(std::atomic<int>& ended) {
  struct at_the_end {
    std::atomic<int>* count = nullptr;
    ~at_the_end() {
      if (count != nullptr) ++*count;
    }
  };
  thread_local at_the_end of_this_thread;
  of_this_thread.count = &ended;
}

TEST(thread_team, starts_a_thread_for_every_worker_and_names_it) {
  std::mutex mutex;
  std::set<std::pair<std::size_t, std::string>> begun;
  stage s({.threads = 3, .name = "team", .on_start = [&](std::size_t i) {
             const std::scoped_lock lock(mutex);
             begun.emplace(i, filch::detail::name_of_this_thread().data());
           }});
  EXPECT_EQ(s.home().threads.started(), 0u);
  s.home().threads.start_workers();
  EXPECT_EQ(s.home().threads.started(), 3u);
  s.home().stop();
  EXPECT_EQ(begun, (std::set<std::pair<std::size_t, std::string>>{
                       {0, "team-0"}, {1, "team-1"}, {2, "team-2"}}));
}

TEST(thread_team, a_pinned_worker_runs_on_its_cpu_only) {
  const std::vector<std::size_t> cpus = filch::detail::process_cpus();
  std::mutex mutex;
  std::set<std::size_t> right;
  const std::size_t count = cpus.size() + 1;
  stage s({.threads = count, .pin = true, .on_start = [&](std::size_t i) {
             cpu_set_t mine;
             CPU_ZERO(&mine);
             sched_getaffinity(0, sizeof mine, &mine);
             const std::scoped_lock lock(mutex);
             if (CPU_COUNT(&mine) == 1 && CPU_ISSET(cpus[i % cpus.size()], &mine)) right.insert(i);
           }});
  s.home().threads.start_workers();
  s.home().stop();
  EXPECT_EQ(right.size(), count);
}

TEST(thread_team, started_says_how_many_workers_have_a_thread_if_one_cannot_be_started) {
  stage s({.threads = 2, .stack_size = 1});  // less than any thread needs
  EXPECT_THROW(s.home().threads.start_workers(), filch::usage_error);
  EXPECT_EQ(s.home().threads.started(), 0u);
  s.home().threads.join();  // there is none
}

TEST(thread_team, join_returns_when_every_thread_has_ended) {
  std::atomic<int> ended = 0;
  stage s({.threads = 3, .on_stop = [&](std::size_t) { count_at_the_end_of_this_thread(ended); }});
  s.home().threads.start_workers();
  s.home().close();
  s.home().threads.join();
  EXPECT_EQ(ended, 3);
}

// A thread's stack of branches ends with it, and another thread may look at it until all leave.
TEST(thread_team, no_thread_leaves_before_all_leave) {
  std::atomic<bool> about_to_leave = false;
  std::atomic<int> left = 0;
  int too_early = 0;
  stage s({.threads = 2, .on_stop = [&](std::size_t i) {
             if (i == 0) {
               count_at_the_end_of_this_thread(left);
               about_to_leave = true;
               return;
             }
             until([&] { return about_to_leave.load(); });
             for (int tries = 0; tries < 1000 && left == 0; ++tries) std::this_thread::yield();
             too_early = left;
           }});
  s.home().threads.start_workers();
  s.home().stop();
  EXPECT_EQ(too_early, 0);
  EXPECT_EQ(left, 1);
}

}  // namespace
