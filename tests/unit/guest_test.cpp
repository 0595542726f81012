// An outside thread that waits in its own call takes part in it, and in nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/isolate.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::parallel_for;
using filch::pool;
using filch::scope;
using filch::test::gate;
using filch::test::occupied;
using filch::test::until;

namespace {

/// A default pool of so many workers, for as long as this lives.
class default_pool_of {
 public:
  explicit default_pool_of(std::size_t threads, std::size_t max_spares = 256) {
    filch::configure_default_pool({.threads = threads, .max_spares = max_spares});
    filch::test::watch(filch::default_pool());
  }
  default_pool_of(const default_pool_of&) = delete;
  default_pool_of& operator=(const default_pool_of&) = delete;
  ~default_pool_of() {
    filch::shutdown_default_pool();
    filch::configure_default_pool({});
  }
};

/// The most bodies that were inside of it at once.
class bodies {
 public:
  void run(int steps) {
    const int now = ++inside_;
    for (int seen = most_; seen < now && !most_.compare_exchange_weak(seen, now);) {
    }
    for (int i = 0; i < steps; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
    --inside_;
  }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_ = 0, most_ = 0;
};

long long tree(int depth) {
  if (depth == 0) return 1;
  const auto [a, b] = filch::join([=] { return tree(depth - 1); }, [=] { return tree(depth - 1); });
  return a + b;
}

}  // namespace

// ---- strangers' jobs ----------------------------------------------------------------------------

TEST(guest, a_scope_from_outside_runs_no_strangers_task_while_it_waits) {
  std::atomic<int> own = 0, strangers = 0;
  pool p(2);
  occupied busy(p);
  for (int i = 0; i < 20; ++i) p.detach([&] { ++strangers; });
  scope s({.on = &p});
  for (int i = 0; i < 4; ++i) s.spawn([&] { ++own; });
  s.wait();
  EXPECT_EQ(own, 4);
  EXPECT_EQ(strangers, 0);
}

TEST(guest, a_loop_from_outside_runs_no_strangers_task) {
  const default_pool_of two(2);
  const auto here = std::this_thread::get_id();
  std::atomic<int> strangers_here = 0;
  std::atomic<bool> over = false;
  // Strangers that spawn strangers: there are always some to take.
  for (int i = 0; i < 4; ++i)
    filch::detach([&] {
      while (!over)
        filch::scoped([&](scope& s) {
          for (int k = 0; k < 8; ++k)
            s.spawn([&] { strangers_here += std::this_thread::get_id() == here ? 1 : 0; });
        });
    });
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> sum = 0;
    parallel_for(0, 64, [&](int i) { sum += i; }, {.grain = 1});
    ASSERT_EQ(sum, 2016);
    ASSERT_EQ(tree(6), 64);
  }
  over = true;
  filch::default_pool().wait_idle();
  EXPECT_EQ(strangers_here, 0);
}

TEST(guest, a_scope_from_outside_runs_no_task_of_another_scope_of_the_same_thread) {
  std::atomic<int> first = 0, second = 0;
  pool p(1);
  occupied busy(p);
  scope a({.on = &p});
  for (int i = 0; i < 4; ++i) a.spawn([&] { ++first; });
  scope b({.on = &p});
  for (int i = 0; i < 4; ++i) b.spawn([&] { ++second; });
  b.wait();
  EXPECT_EQ(second, 4);
  EXPECT_EQ(first, 0);
  a.wait();
  EXPECT_EQ(first, 4);
}

TEST(guest, workers_steal_from_it_and_it_takes_part_of_its_call_back) {
  const default_pool_of two(2);
  std::atomic<int> by_workers = 0;
  // One body at least runs on a worker: the caller waits in a body until another one has begun.
  gate other_began;
  parallel_for(0, 2,
               [&](int) {
                 if (filch::this_worker::index()) {
                   ++by_workers;
                   other_began.open();
                 } else {
                   other_began.pass();
                 }
               },
               {.grain = 1});
  EXPECT_EQ(by_workers, 1);
}

TEST(guest, submits_from_its_bodies_are_for_the_workers_and_can_be_waited_for) {
  const default_pool_of one(1, 0);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> sum = 0;
    parallel_for(0, 8, [&](int i) { sum += filch::submit([=] { return i; }).get(); }, {.grain = 1});
    ASSERT_EQ(sum, 28);
  }
}

// ---- seats --------------------------------------------------------------------------------------

TEST(guest, with_one_worker_a_loop_from_outside_never_runs_two_bodies_at_once) {
  const default_pool_of one(1);
  for (int round = 0; round < 400; ++round) {
    bodies here;
    if (round % 2 == 0) filch::submit([] {}).get();  // the worker still looks for work
    parallel_for(0, 64, [&](int) { here.run(200); }, {.grain = 1});
    ASSERT_EQ(here.most(), 1) << "round " << round;
  }
}

TEST(guest, one_caller_never_has_more_bodies_at_once_than_there_are_workers) {
  for (const std::size_t threads : {2u, 3u}) {
    const default_pool_of some(threads);
    for (int round = 0; round < 300; ++round) {
      bodies here;
      if (round % 2 == 0) filch::default_pool().broadcast([](std::size_t) {});  // all wake
      parallel_for(0, 256, [&](int) { here.run(200); }, {.grain = 1});
      ASSERT_LE(here.most(), static_cast<int>(threads)) << "round " << round;
      bodies tasks;
      {
        scope s;
        for (int i = 0; i < 64; ++i) s.spawn([&] { tasks.run(200); });
        s.wait();
      }
      ASSERT_LE(tasks.most(), static_cast<int>(threads)) << "round " << round;
    }
  }
}

TEST(guest, that_sleeps_or_blocks_leaves_its_seat_to_a_worker) {
  const default_pool_of one(1);
  std::atomic<bool> ran = false;
  filch::join(
      [&] {
        filch::detach([&] { ran = true; });
        filch::blocking([&] { until([&] { return ran.load(); }); });
      },
      [] {});
  EXPECT_TRUE(ran);
}

TEST(guest, a_task_that_waits_for_a_seat_runs_when_the_guest_has_left) {
  const default_pool_of one(1);
  for (int round = 0; round < 300; ++round) {
    std::atomic<bool> ran = false;
    filch::join([&] { filch::default_pool().detach([&] { ran = true; }); }, [] {});
    until([&] { return ran.load(); });
  }
}

TEST(guest, many_outside_threads_come_and_go) {
  const default_pool_of two(2);
  std::atomic<long long> sum = 0;
  std::vector<std::thread> outside;
  for (int t = 0; t < 8; ++t)
    outside.emplace_back([&, t] {
      for (int round = 0; round < 100; ++round) {
        if ((round + t) % 3 == 0) {
          sum += tree(7);
        } else if ((round + t) % 3 == 1) {
          std::atomic<int> n = 0;
          scope s;
          for (int i = 0; i < 128; ++i) s.spawn([&] { ++n; });
          s.wait();
          sum += n;
        } else {
          std::atomic<int> n = 0;
          parallel_for(0, 128, [&](int) { ++n; }, {.grain = 4});
          sum += n;
        }
      }
    });
  for (std::thread& t : outside) t.join();
  EXPECT_EQ(sum, 8 * 100 * 128);
}

// ---- locks --------------------------------------------------------------------------------------

TEST(guest, that_holds_a_lock_may_call_an_isolated_loop_while_every_worker_waits_for_the_lock) {
  const default_pool_of two(2);
  std::mutex lock;
  std::atomic<int> waiting = 0, sum = 0;
  {
    const std::scoped_lock held(lock);
    for (int i = 0; i < 2; ++i)
      filch::detach([&] {
        ++waiting;
        const std::scoped_lock mine(lock);
      });
    until([&] { return waiting == 2; });
    filch::isolate([&] { parallel_for(0, 100, [&](int i) { sum += i; }, {.grain = 1}); });
    parallel_for(0, 100, [&](int i) { sum += i; }, {.grain = 1, .isolate = true});
    filch::scoped([&](scope& s) { s.spawn([&] { sum += 100; }); }, {.isolate = true});
  }
  filch::default_pool().wait_idle();
  EXPECT_EQ(sum, 10000);
}

TEST(guest, that_holds_a_lock_may_call_a_loop_whose_bodies_do_not_wait) {
  const default_pool_of two(2);
  std::mutex lock;
  std::atomic<bool> over = false;
  for (int i = 0; i < 2; ++i)
    filch::detach([&] {
      while (!over)
        filch::scoped([&](scope& s) {
          for (int k = 0; k < 8; ++k) s.spawn([&] { const std::scoped_lock mine(lock); });
        });
    });
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> sum = 0;
    const std::scoped_lock held(lock);
    parallel_for(0, 64, [&](int i) { sum += i; }, {.grain = 1});
    ASSERT_EQ(sum, 2016);
  }
  over = true;
  filch::default_pool().wait_idle();
}
