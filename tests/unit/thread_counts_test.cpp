// How many threads work at once, and what bounds them.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/errors.hpp"
#include "filch/join.hpp"
#include "filch/participation.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/default_pool_of.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::parallel_for;
using filch::pool;
using filch::scope;
using filch::test::bodies;
using filch::test::default_pool_of;
using filch::test::gate;
using filch::test::tree;
using filch::test::until;

TEST(limit, changes_how_many_threads_work_at_once) {
  const default_pool_of four(4);
  pool& p = filch::default_pool();
  for (const std::size_t most : {1u, 2u, 4u, 3u, 1u, 0u}) {
    p.limit(most);
    for (int round = 0; round < 50; ++round) {
      bodies here;
      parallel_for(0, 128, [&](int) { here.run(100); }, {.grain = 1});
      if (round > 0) {
        ASSERT_LE(here.most(), static_cast<int>(most == 0 ? 4 : most));
      }
    }
  }
  EXPECT_THROW(p.limit(5), filch::usage_error);
}

TEST(limit, that_is_raised_lets_work_begin_that_waits) {
  gate both;
  std::atomic<int> began = 0;
  pool p(2);
  filch::test::watch(p);
  p.limit(1);
  for (int i = 0; i < 2; ++i)
    p.detach([&] {
      if (++began == 2) both.open();
      both.pass();  // needs two threads
    });
  until([&] { return began == 1; });
  p.limit(2);
  p.wait_idle();
  EXPECT_EQ(began, 2);
}

TEST(limit, may_be_changed_while_the_threads_of_the_pool_end) {
  for (int round = 0; round < 100; ++round) {
    std::atomic<bool> ended = false;
    pool p(2);
    for (int i = 0; i < 4; ++i) p.detach([] { EXPECT_EQ(tree(4), 16); });
    std::thread other([&] {
      for (std::size_t i = 0; !ended || i < 10; ++i) p.limit(1 + i % 2);
    });
    p.close();
    p.wait_idle();
    ended = true;
    other.join();
  }
}

TEST(slot, an_outside_thread_has_one_in_loops_of_every_length) {
  const default_pool_of two(2);
  const std::size_t most = filch::default_pool().max_slots();
  std::vector<std::atomic<int>> inside(most);
  std::atomic<int> wrong = 0;
  const auto body = [&](int) {
    const std::optional<std::size_t> slot = filch::this_worker::slot();
    if (!slot || *slot >= most || !filch::this_worker::takes_part()) {
      ++wrong;
      return;
    }
    if (++inside[*slot] != 1) ++wrong;
    --inside[*slot];
  };
  const auto loops = [&] {
    for (const int n : {1, 2, 10, 64, 1000})
      for (int times = 0; times < 20; ++times) {
        parallel_for(0, n, body);
        parallel_for(0, n, body, {.isolate = true});
        parallel_for(0, n, body, {.max_workers = 2});
      }
  };
  std::thread other(loops);
  loops();
  other.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_FALSE(filch::this_worker::slot());
  EXPECT_FALSE(filch::this_worker::takes_part());
}

TEST(slot, no_two_threads_have_the_same_at_once) {
  const default_pool_of two(2);
  const std::size_t most = filch::default_pool().max_slots();
  std::vector<std::atomic<int>> inside(most);
  const auto body = [&](int) {
    const auto slot = filch::this_worker::slot();
    ASSERT_TRUE(slot && *slot < most && filch::this_worker::takes_part());
    ASSERT_EQ(++inside[*slot], 1);
    --inside[*slot];
  };
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) parallel_for(0, 64, body, {.grain = 1});
    });
  for (std::thread& t : callers) t.join();
  EXPECT_FALSE(filch::this_worker::slot());
  EXPECT_FALSE(filch::this_worker::takes_part());
}

TEST(max_guests, an_outside_thread_beyond_it_works_alone) {
  filch::shutdown_default_pool();
  filch::configure_default_pool({.threads = 1, .max_guests = 0});
  std::atomic<int> sum = 0;
  parallel_for(0, 64, [&](int i) { sum += filch::this_worker::takes_part() ? 0 : i; });
  EXPECT_EQ(sum, 2016);
  // Nor does it need a worker for its scopes: those may all want a lock that it holds.
  std::mutex wanted;
  std::unique_lock lock(wanted);
  std::atomic<bool> inside = false;
  filch::detach([&] {
    inside = true;
    const std::scoped_lock here(wanted);
  });
  until([&] { return inside.load(); });
  const auto me = std::this_thread::get_id();
  const auto add = [&] { sum += me == std::this_thread::get_id() ? 1 : 0; };
  for (const filch::options& o :
       {filch::options{}, filch::options{.isolate = true}, filch::options{.max_workers = 1}})
    filch::scoped(
        [&](scope& s) {
          for (int i = 0; i < 8; ++i)
            s.spawn([&] {
              add();
              s.spawn(add);
            });
          if (!o.isolate) {
            EXPECT_EQ(s.async([&] { return s.async([] { return 6; }).get() + 1; }).get(), 7);
          }
        },
        o);
  EXPECT_EQ(sum, 2016 + 3 * 16);
  lock.unlock();
  filch::default_pool().wait_idle();
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
}

TEST(max_guests, a_thread_without_a_slot_uses_the_pool_that_it_runs_work_of) {
  pool p({.threads = filch::none, .max_guests = 0});
  const auto me = std::this_thread::get_id();
  const auto runs_here = [&] {
    int elsewhere = 0;
    parallel_for(0, 1000, [&](int) { elsewhere += std::this_thread::get_id() == me ? 0 : 1; },
                 {.grain = 1});
    EXPECT_EQ(filch::submit([] { return std::this_thread::get_id(); }).get(), me);
    return elsewhere == 0;
  };
  EXPECT_TRUE(p.install(runs_here));
  EXPECT_TRUE(p.submit(runs_here).get());
  scope s({.on = &p});
  EXPECT_TRUE(s.async(runs_here).get());
  s.wait();
}

TEST(participation, keeps_a_thread_a_guest_with_one_slot) {
  pool p(2);
  {
    const filch::participation here(p);
    ASSERT_TRUE(filch::this_worker::takes_part());
    const auto slot = filch::this_worker::slot();
    EXPECT_EQ(tree(8), 256);
    std::atomic<int> sum = 0;
    parallel_for(0, 100, [&](int i) { sum += i; }, {.grain = 1});
    EXPECT_EQ(sum, 4950);
    EXPECT_EQ(p.install([] { return filch::this_worker::index().has_value(); }), false)
        << "a guest installs in place";
    EXPECT_EQ(filch::this_worker::slot(), slot);
    const filch::participation again(p);  // does nothing
    pool other(1);
    EXPECT_THROW(filch::participation{other}, filch::usage_error);
  }
  EXPECT_FALSE(filch::this_worker::takes_part());
}
