// R1, R2 and R3: in which order a worker looks for jobs.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/stage.hpp"

using filch::pool;
using filch::priority;
using filch::test::gate;
using filch::test::stage;
using filch::test::until;

namespace {

using list = std::vector<int>;

list numbers(int first, int last) {
  list all(static_cast<std::size_t>(last - first + 1));
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// Two workers, of which one is made busy; then `play` runs on the other.
void with_one_free_worker(pool& p, const std::function<void()>& play) {
  gate busy, leave;
  p.detach([&] {
    busy.open();
    leave.pass();
  });
  busy.pass();
  play();
  leave.open();
  p.wait_idle();
}

}  // namespace

// ---- R1: own jobs newest first ------------------------------------------------------------------

TEST(R1_own_jobs_newest_first, in_its_deque) {
  stage s({.threads = 1});
  for (const int n : numbers(1, 5)) s.give(0, n);
  EXPECT_EQ(s.play(0, 5), (list{5, 4, 3, 2, 1}));
}

TEST(R1_own_jobs_newest_first, whatever_else_there_is) {
  stage s({.threads = 3});
  for (const int n : numbers(1, 3)) s.give(0, n);
  s.give(1, 10);
  s.give(2, 11);
  s.inject(20);
  const list ran = s.play(0, 6);
  EXPECT_EQ(list(ran.begin(), ran.begin() + 3), (list{3, 2, 1}));
}

TEST(R1_own_jobs_newest_first, of_a_task_on_a_pool_of_one) {
  pool p(1);
  list order;
  p.install([&] {
    for (const int n : numbers(1, 40)) p.detach([&order, n] { order.push_back(n); });
  });
  p.wait_idle();
  std::reverse(order.begin(), order.end());
  EXPECT_EQ(order, numbers(1, 40));
}

TEST(R1_own_jobs_newest_first, of_a_scope_on_a_pool_of_one) {
  pool p(1);
  list order;
  p.install([&] {
    filch::scope s;
    for (const int n : numbers(1, 40)) s.spawn([&order, n] { order.push_back(n); });
    s.wait();
  });
  std::reverse(order.begin(), order.end());
  EXPECT_EQ(order, numbers(1, 40));
}

// ---- R2: stolen jobs oldest first ---------------------------------------------------------------

TEST(R2_stolen_jobs_oldest_first, from_one_victim) {
  stage s({.threads = 2});
  for (const int n : numbers(1, 5)) s.give(1, n);
  EXPECT_EQ(s.play(0, 5), numbers(1, 5));
  EXPECT_EQ(s.worker(0).tallies.steals_taken.read(), 5u);
  EXPECT_EQ(s.worker(0).finder.theft().last_victim(), 1u);
}

TEST(R2_stolen_jobs_oldest_first, from_each_of_many_victims) {
  stage s({.threads = 8});
  for (int victim = 1; victim < 8; ++victim)
    for (int n = 0; n < 10; ++n) s.give(static_cast<std::size_t>(victim), 100 * victim + n);
  std::map<int, int> next;
  for (const int n : s.play(0, 70)) EXPECT_EQ(n % 100, next[n / 100]++);
}

TEST(R2_stolen_jobs_oldest_first, the_owner_keeps_the_newest) {
  stage s({.threads = 2});
  for (const int n : numbers(1, 6)) s.give(1, n);
  EXPECT_EQ(s.play(0, 3), (list{1, 2, 3}));
  EXPECT_EQ(s.play(1, 3), (list{6, 5, 4}));
}

TEST(R2_stolen_jobs_oldest_first, several_at_once_of_a_long_deque) {
  stage s({.threads = 2});
  for (const int n : numbers(1, 100)) s.give(1, n);
  EXPECT_EQ(s.play(0, 1), (list{1}));
  EXPECT_EQ(s.worker(0).tallies.steals_taken.read(), 16u);
  EXPECT_EQ(s.worker(0).tallies.steal_hits.read(), 1u);
  EXPECT_EQ(s.play(1, 2), (list{100, 99}));
  EXPECT_EQ(s.play(0, 40), numbers(2, 41));
}

TEST(R2_stolen_jobs_oldest_first, and_none_from_a_victim_below_the_threshold) {
  stage s({.threads = 2, .steal_threshold = 3});
  for (const int n : numbers(1, 5)) s.give(1, n);
  s.inject(9);
  EXPECT_EQ(s.play(0, 4), (list{1, 2, 3, 9}));
  EXPECT_EQ(s.play(1, 2), (list{5, 4}));
}

TEST(R2_stolen_jobs_oldest_first, by_a_free_worker) {
  for (int round = 0; round < 20; ++round) {
    pool p(2);
    list order;
    gate done;
    p.install([&] {
      for (const int n : numbers(1, 30))
        p.detach([&, n] {
          order.push_back(n);
          if (n == 30) done.open();
        });
      done.pass();  // this worker takes none of them
    });
    ASSERT_EQ(order, numbers(1, 30));
  }
}

// ---- victims ------------------------------------------------------------------------------------

// Pitfall 35: for some numbers of workers a random step visits only a part, or never ends.
TEST(R2_victims, all_are_found_whatever_their_number) {
  for (std::size_t n = 2; n <= 33; ++n) {
    stage s({.threads = n});
    for (std::size_t victim = 1; victim < n; ++victim) s.give(victim, static_cast<int>(victim));
    list ran = s.play(0, n - 1);
    std::sort(ran.begin(), ran.end());
    ASSERT_EQ(ran, numbers(1, static_cast<int>(n) - 1));
  }
}

TEST(R2_victims, are_drawn_at_random) {
  constexpr int rounds = 700;
  stage s({.threads = 8});
  std::map<int, int> first;
  for (int round = 0; round < rounds; ++round) {
    for (int victim = 1; victim < 8; ++victim) s.give(static_cast<std::size_t>(victim), victim);
    ++first[s.play(0, 7).front()];
  }
  ASSERT_EQ(first.size(), 7u);
  for (const auto& [victim, times] : first) {  // 100 expected
    EXPECT_GT(times, 40) << victim;
    EXPECT_LT(times, 200) << victim;
  }
}

TEST(R2_victims, are_drawn_differently_by_each_worker) {
  const auto choices = [](std::size_t thief) {
    stage s({.threads = 9});
    list all;
    for (int round = 0; round < 20; ++round) {
      for (std::size_t victim = 2; victim < 9; ++victim) s.give(victim, static_cast<int>(victim));
      const list ran = s.play(thief, 7);
      all.insert(all.end(), ran.begin(), ran.end());
    }
    return all;
  };
  EXPECT_NE(choices(0), choices(1));
  EXPECT_EQ(choices(0), choices(0)) << "the same seed, the same choices";
}

// ---- R3: injector and peers before deep idle, and again after announcing it ---------------------

TEST(R3_every_source, own_then_peers_then_the_injector) {
  stage s({.threads = 2});
  s.inject(3);
  s.give(1, 2);
  s.give(0, 1);
  EXPECT_EQ(s.play(0, 3), (list{1, 2, 3}));
}

TEST(R3_every_source, the_inbox_comes_first) {
  stage s({.threads = 2});
  s.give(0, 2);
  s.inject(3);
  s.put_in_inbox(0, 1);
  EXPECT_EQ(s.play(0, 3), (list{1, 2, 3}));
}

TEST(R3_every_source, a_batch_from_the_injector_keeps_its_order) {
  stage s({.threads = 1});
  for (const int n : numbers(1, 200)) s.inject(n);
  EXPECT_EQ(s.play(0, 200), numbers(1, 200));
}

// External work is not starved by local work.
TEST(R3_every_source, every_61st_job_the_injector_comes_first) {
  stage s({.threads = 1});
  for (const int n : numbers(1, 300)) s.give(0, n);
  s.inject(1000);
  const list ran = s.play(0, 301);
  const auto at = std::find(ran.begin(), ran.end(), 1000) - ran.begin();
  EXPECT_LE(at, 61);
  EXPECT_GE(at, 1) << "local work comes first otherwise";
}

// ---- priorities of outside work -----------------------------------------------------------------

TEST(R3_priorities, high_comes_before_the_own_deque_and_low_after_everything_else) {
  stage s({.threads = 2});
  s.inject(5, priority::low);
  s.inject(4);
  s.give(1, 3);
  s.give(0, 2);
  s.inject(1, priority::high);
  EXPECT_EQ(s.play(0, 5), (list{1, 2, 3, 4, 5}));
}

TEST(R3_priorities, high_lets_other_work_go_first_every_16th_time) {
  stage s({.threads = 1});
  for (const int n : numbers(1, 100)) s.inject(n, priority::high);
  for (const int n : numbers(1, 100)) s.give(0, -n);
  const list ran = s.play(0, 200);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(ran[i] < 0, i % 16 == 15) << i;
  list urgent;
  std::copy_if(ran.begin(), ran.end(), std::back_inserter(urgent), [](int n) { return n > 0; });
  EXPECT_EQ(urgent, numbers(1, 100)) << "first in, first out";
}

// What is left for other work is shared as if there were no urgent work.
TEST(R3_priorities, high_starves_neither_own_nor_outside_work) {
  stage s({.threads = 1});
  for (const int n : numbers(1, 3000)) s.inject(n, priority::high);
  for (const int n : numbers(1, 150)) s.give(0, -n);
  s.inject(10'000);
  const list ran = s.play(0, 3151);
  const auto outside = std::find(ran.begin(), ran.end(), 10'000) - ran.begin();
  EXPECT_LE(outside, 62 * 16);
  EXPECT_GT(std::count_if(ran.begin(), ran.begin() + 2000, [](int n) { return n < 0; }), 100);
}

// Each look but the 8th gives a batch of 16.
TEST(R3_priorities, low_comes_first_at_every_8th_look_outside) {
  stage s({.threads = 1});
  for (const int n : numbers(1, 400)) s.inject(n);
  for (const int n : numbers(1, 3)) s.inject(-n, priority::low);
  const list ran = s.play(0, 403);
  EXPECT_EQ(ran[7 * 16], -1);
  EXPECT_EQ(ran[14 * 16 + 1], -2);
  EXPECT_EQ(ran[21 * 16 + 2], -3);
}

TEST(R3_priorities, low_starves_behind_neither_own_nor_urgent_work) {
  stage s({.threads = 1});
  for (const int n : numbers(1, 9000)) s.inject(n, priority::high);
  for (const int n : numbers(1, 600)) s.give(0, n);
  s.inject(-1, priority::low);
  const list ran = s.play(0, 9601);
  EXPECT_LT(std::find(ran.begin(), ran.end(), -1), ran.end() - 600);
}

TEST(R3_priorities, all_are_looked_at_before_sleeping) {
  for (const priority level : {priority::high, priority::normal, priority::low}) {
    stage s({.threads = 2});
    s.inject(1, level);
    EXPECT_TRUE(s.worker(1).finder.has_work_anywhere(filch::detail::no_region));
    EXPECT_TRUE(s.home().queues.has_work());
    s.play(0, 1);
    EXPECT_FALSE(s.worker(1).finder.has_work_anywhere(filch::detail::no_region));
    EXPECT_FALSE(s.home().queues.has_urgent_work());
  }
}

// S3: what is looked at again after "sleeping" was announced.
constexpr long long_enough = 100'000;

// The scope never runs dry, and its maker does not look for anything else.
TEST(R3_every_source, is_not_starved_by_a_scope) {
  std::atomic<bool> begun = false, submitted = false, outside = false;
  pool p(1);
  auto all = p.submit([&] {
    filch::scope s;
    long after = 0;
    std::function<void()> chain = [&] {
      begun = true;
      if (submitted) ++after;
      if (!outside && after < long_enough) s.spawn([&] { chain(); });
    };
    s.spawn([&] { chain(); });
    s.wait();
    EXPECT_TRUE(outside);
  });
  filch::test::until([&] { return begun.load(); });
  p.detach([&] { outside = true; });
  submitted = true;
  all.get();
}

// Of one batch from the injector: what was popped first spawns on and on above the rest.
TEST(R3_every_source, is_not_starved_below_local_jobs_in_the_own_deque) {
  gate busy, go;
  pool p(1);
  bool outside = false;
  long jobs = 0;
  p.detach([&] {
    busy.open();
    go.pass();
  });
  busy.pass();
  std::function<void()> chain = [&] {
    if (!outside && ++jobs < long_enough) p.detach([&] { chain(); });
  };
  p.detach([] {});
  p.detach([&] { chain(); });
  p.detach([&] { outside = true; });
  go.open();
  p.wait_idle();
  EXPECT_LT(jobs, 1000);
}

TEST(R3_every_source, is_looked_at_before_sleeping) {
  stage s({.threads = 3, .steal_threshold = 2});
  const auto has_work = [&](std::size_t i) {
    return s.worker(i).finder.has_work_anywhere(filch::detail::no_region);
  };
  EXPECT_FALSE(has_work(0));

  s.inject(1);
  EXPECT_TRUE(has_work(0));
  EXPECT_TRUE(has_work(2));
  s.play(0, 1);
  EXPECT_FALSE(has_work(0));

  s.give(0, 1);
  EXPECT_TRUE(has_work(0)) << "one of its own is enough";
  EXPECT_FALSE(has_work(1)) << "below the threshold of thieves";
  s.give(0, 2);
  EXPECT_TRUE(has_work(1));
  s.play(0, 2);

  s.put_in_inbox(1, 1);
  EXPECT_TRUE(has_work(1));
  EXPECT_FALSE(has_work(0)) << "no other worker may take it";
  s.play(1, 1);
  EXPECT_FALSE(has_work(1));
}

class R3_sleepers : public testing::TestWithParam<std::size_t> {};

// The workers go to sleep after each job, at once. If one source were not looked at again after
// announcing, or not waited for, this would soon hang.
TEST_P(R3_sleepers, find_work_from_outside_at_every_moment) {
  pool p({.threads = GetParam(), .idle = filch::idle::power});
  filch::test::watch(p);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(p.submit([i] { return i; }).get(), i);
}

TEST_P(R3_sleepers, find_what_peers_spawn_at_every_moment) {
  if (GetParam() == 1) return;
  pool p({.threads = GetParam(), .idle = filch::idle::power});
  filch::test::watch(p);
  p.install([&] {
    for (int i = 0; i < 2000; ++i) {
      std::atomic<bool> ran = false;
      filch::join(
          [&] {
            while (!ran) std::this_thread::yield();
          },
          [&] { ran = true; });
    }
  });
}

TEST_P(R3_sleepers, find_broadcasts_at_every_moment) {
  std::atomic<std::size_t> ran = 0;
  pool p({.threads = GetParam(), .idle = filch::idle::power});
  filch::test::watch(p);
  for (std::size_t i = 1; i <= 1000; ++i) {
    p.broadcast([&] { ++ran; });
    until([&] { return ran == i * p.size(); });
  }
}

INSTANTIATE_TEST_SUITE_P(workers, R3_sleepers, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());

// A worker that waits looks at everything, too.
TEST(R3_waiters, take_from_the_injector_while_they_wait) {
  pool p(2), other(1);
  with_one_free_worker(p, [&] {
    p.install([&] {
      gate ran;
      auto f = other.submit([&] { ran.pass(); });
      std::thread([&] { p.detach([&] { ran.open(); }); }).join();
      f.get();
    });
  });
}
