#include "filch/per_worker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "filch/errors.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/hang_guard.hpp"

using filch::per_worker;
using filch::pool;

TEST(per_worker, makes_nothing_before_it_is_asked) {
  pool p(2);
  int made = 0;
  per_worker<int> each([&] { return ++made; }, {.on = &p});
  EXPECT_EQ(each.combine(0, std::plus{}), 0);
  EXPECT_EQ(made, 0);
}

TEST(per_worker, gives_a_worker_its_own_object_each_time) {
  pool p(3);
  per_worker<int> each([] { return 100; }, {.on = &p});
  std::mutex mutex;
  std::set<int*> objects;
  for (int round = 0; round < 5; ++round) {
    p.broadcast([&] {
      int& mine = each.local();
      EXPECT_EQ(&mine, &each.local());
      ++mine;
      const std::scoped_lock lock(mutex);
      objects.insert(&mine);
    });
    p.wait_idle();
  }
  EXPECT_EQ(objects.size(), 3u);
  EXPECT_EQ(each.combine(0, std::plus{}), 315);
}

// Plain longs: TSan notices two threads in one.
TEST(per_worker, sums_without_sharing) {
  pool p(4);
  per_worker<long> sums([] { return 0L; }, {.on = &p});
  filch::scoped(
      [&](filch::scope& s) {
        for (int i = 1; i <= 1000; ++i) s.spawn([&sums, i] { sums.local() += i; });
      },
      {.on = &p});
  EXPECT_EQ(sums.combine(0L, std::plus{}), 500'500);
}

TEST(per_worker, covers_outside_threads) {
  pool p(1);
  per_worker<int> each([] { return 0; }, {.on = &p});
  ++each.local();
  EXPECT_EQ(each.local(), 1);
  std::thread([&] {
    EXPECT_EQ(each.local(), 0);
    each.local() = 10;
  }).join();
  p.install([&] { each.local() = 100; });
  EXPECT_EQ(each.combine(0, std::plus{}), 111);
}

TEST(per_worker, covers_guests_and_workers_of_other_pools) {
  pool other(2);
  per_worker<long> sums;  // of the default pool
  std::function<void(int)> go = [&](int n) {
    ++sums.local();
    if (n > 0) filch::join([&] { go(n - 1); }, [&] { go(n - 1); });
  };
  go(8);
  other.broadcast([&] { ++sums.local(); });
  other.wait_idle();
  EXPECT_EQ(sums.combine(0L, std::plus{}), 511 + 2);
}

TEST(per_worker, inside_a_task_is_of_the_current_pool) {
  pool p(2);
  EXPECT_EQ(p.install([] {
    per_worker<int> each([] { return 1; });
    filch::scoped([&](filch::scope& s) {
      for (int i = 0; i < 10; ++i) s.spawn([&] { ++each.local(); });
    });
    int objects = 0;
    each.for_each([&](int&) { ++objects; });
    return each.combine(0, std::plus{}) - objects;
  }),
            10);
}

TEST(per_worker, clear_destroys_all_objects) {
  pool p(2);
  per_worker<std::vector<int>> each([] { return std::vector<int>(3); }, {.on = &p});
  p.broadcast([&] { each.local().push_back(1); });
  p.wait_idle();
  each.local();
  each.clear();
  int left = 0;
  each.for_each([&](auto&) { ++left; });
  EXPECT_EQ(left, 0);
  EXPECT_EQ(each.local().size(), 3u) << "made anew";
}

TEST(per_worker, a_maker_that_throws_leaves_none_and_is_asked_again) {
  pool p(1);
  int asked = 0;
  per_worker<int> each(
      [&] {
        if (++asked == 1) throw std::runtime_error("not yet");
        return 7;
      },
      {.on = &p});
  p.install([&] {
    EXPECT_THROW(each.local(), std::runtime_error);
    EXPECT_EQ(each.local(), 7);
  });
  EXPECT_EQ(asked, 2);
}

TEST(per_worker, refuses_an_empty_maker) {
  pool p(1);
  EXPECT_THROW(per_worker<int>(std::function<int()>(), {.on = &p}), filch::usage_error);
}
