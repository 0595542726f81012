// Work that arrives while a pool closes: each submission either runs or throws pool_closed.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "filch/filch.hpp"
#include "support/occupied.hpp"
#include "support/team.hpp"

using filch::pool;
using namespace std::chrono_literals;

namespace {

void wait_until(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::sleep_for(50us);
}

}  // namespace

TEST(shutdown, a_submission_runs_or_is_refused) {
  for (int round = 0; round < 40; ++round) {
    std::atomic<long> accepted = 0, ran = 0, refused = 0;
    {
      pool p(2);
      filch::test::team outside(3, [&](std::size_t n) {
        try {
          while (true) {
            switch (n) {
              case 0:
                (void)p.submit([&] { ++ran; });
                ++accepted;
                break;
              case 1:
                p.detach([&] { ++ran; });
                ++accepted;
                p.submit_batch(std::vector<std::function<void()>>(3, [&] { ++ran; }));
                accepted += 3;
                break;
              default:
                p.broadcast([&] { ++ran; });
                accepted += 2;
                p.install([&] { ++ran; });
                ++accepted;
            }
          }
        } catch (const filch::pool_closed&) {
          ++refused;
        }
      });
      outside.start();
      std::this_thread::sleep_for(std::chrono::microseconds(100 * (round % 20)));
      p.close();
      outside.join();
    }
    ASSERT_EQ(ran.load(), accepted.load()) << "round " << round;
    ASSERT_EQ(refused.load(), 3);
  }
}

// wait_idle() at the same time: the thread that notices the end of all work must not miss a task
// that was accepted since.
TEST(shutdown, a_submission_just_before_close_runs_while_others_wait_for_idle) {
  for (int round = 0; round < 150; ++round) {
    std::atomic<int> ran = 0;
    {
      std::atomic<bool> over = false;
      pool p(1);
      std::thread waiter([&] {
        while (!over) p.wait_idle();
      });
      std::this_thread::sleep_for(std::chrono::microseconds(round % 50));
      p.detach([&] { ++ran; });
      p.close();
      over = true;
      waiter.join();
    }
    ASSERT_EQ(ran.load(), 1) << "round " << round;
  }
}

TEST(shutdown, tasks_may_submit_to_their_own_pool_until_it_is_empty) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ran = 0, refused = 0;
    {
      std::function<void(int)> chain;  // outlives the pool
      pool p(3);
      chain = [&](int left) {
        ++ran;
        if (left == 0) return;
        try {
          switch (left % 4) {
            case 0:
              filch::detach([&, left] { chain(left - 1); });
              break;
            case 1:
              (void)p.submit([&, left] { chain(left - 1); });
              break;
            case 2:
              p.submit_batch(std::vector<std::function<void()>>{[&, left] { chain(left - 1); }});
              break;
            default:
              filch::scoped([&](filch::scope& s) { s.spawn([&, left] { chain(left - 1); }); });
          }
        } catch (const filch::pool_closed&) {
          ++refused;
        }
      };
      for (int n = 0; n < 4; ++n) p.detach([&] { chain(200); });
      p.close();
      EXPECT_THROW(p.detach([] {}), filch::pool_closed);
    }
    ASSERT_EQ(refused.load(), 0);
    ASSERT_EQ(ran.load(), 4 * 201) << "round " << round;
  }
}

TEST(shutdown, tasks_may_broadcast_and_install_while_their_pool_closes) {
  std::atomic<int> ran = 0;
  std::atomic<bool> closed = false;
  {
    pool p(3);
    p.detach([&] {
      wait_until(closed);
      p.broadcast([&] { ++ran; });
      p.install([&] { ++ran; });
    });
    p.close();
    closed = true;
  }
  EXPECT_EQ(ran.load(), 4);
}

// A task of a scope that an outside thread made is the pool's own task, wherever it runs.
TEST(shutdown, a_task_that_a_guest_runs_may_submit_to_its_pool) {
  std::atomic<int> ran = 0;
  std::atomic<bool> closed = false, began = false, on_guest = false;
  {
    pool p(1);
    std::optional<filch::test::occupied> busy(p);
    std::thread guest([&] {
      filch::scope s({.on = &p});
      s.spawn([&] {
        on_guest = !filch::this_worker::index();
        began = true;
        wait_until(closed);
        filch::detach([&] { ++ran; });
        (void)filch::submit([&] { ++ran; });
        filch::scoped([&](filch::scope& inner) { inner.spawn([&] { ++ran; }); });
      });
      s.wait();
    });
    wait_until(began);
    p.close();
    closed = true;
    busy.reset();
    guest.join();
  }
  EXPECT_TRUE(on_guest);
  EXPECT_EQ(ran.load(), 3);
}

TEST(shutdown, what_on_start_submits_runs) {
  for (const auto pause : {0ms, 20ms}) {
    std::atomic<int> ran = 0;
    {
      pool p({.threads = 2, .on_start = [&](std::size_t) {
                std::this_thread::sleep_for(pause);
                filch::detach([&] { ++ran; });
                filch::scoped([&](filch::scope& s) { s.spawn([&] { ++ran; }); });
              }});
    }
    EXPECT_EQ(ran.load(), 4);
  }
}

// Too late for a detached task. Whatever happens to it, it is not lost silently.
TEST(shutdown, what_on_stop_submits_runs_or_is_refused) {
  std::atomic<int> ran = 0, refused = 0;
  {
    pool p({.threads = 2, .on_stop = [&](std::size_t) {
              try {
                filch::detach([&] { ++ran; });
              } catch (const filch::pool_closed&) {
                ++refused;
              }
            }});
  }
  EXPECT_EQ(ran.load() + refused.load(), 2);
}

TEST(shutdown, an_outside_thread_may_still_wait_for_a_future) {
  for (int round = 0; round < 50; ++round) {
    std::optional<pool> p(std::in_place, std::size_t{2});
    auto f = p->submit([] {
      std::this_thread::sleep_for(1ms);
      return 7;
    });
    auto never_taken = p->submit([] { return std::make_unique<int>(1); });
    std::thread waiter([&] { EXPECT_EQ(f.get(), 7); });
    if (round % 2 == 0) std::this_thread::sleep_for(200us);
    p.reset();
    EXPECT_TRUE(never_taken.ready());
    waiter.join();
  }
}

TEST(shutdown, a_scope_may_outlive_its_pool) {
  std::optional<pool> p(std::in_place, std::size_t{1});
  std::atomic<int> ran = 0;
  filch::scope s({.on = &*p});
  s.spawn([&] { ++ran; });
  p.reset();
  EXPECT_THROW(s.spawn([&] { ++ran; }), filch::pool_closed);
  s.wait();
  EXPECT_EQ(ran.load(), 1);
}

TEST(shutdown, pools_that_wait_for_each_other) {
  for (const std::size_t size : {1u, 2u}) {
    pool a(size), b(size);
    std::function<int(int)> there, back;
    there = [&](int n) { return n == 0 ? 0 : 1 + b.submit([&, n] { return back(n - 1); }).get(); };
    back = [&](int n) { return n == 0 ? 0 : 1 + a.install([&, n] { return there(n - 1); }); };
    auto from_a = a.submit([&] { return there(100); });
    auto from_b = b.submit([&] { return back(101); });
    EXPECT_EQ(from_a.get(), 100);
    EXPECT_EQ(from_b.get(), 101);
  }
}

// A waits for B to be idle while B waits for a future of A.
TEST(shutdown, a_worker_may_wait_for_another_pool_to_be_idle) {
  std::atomic<bool> in_b = false;
  pool a(1), b(1);
  auto f = a.submit([&] {
    wait_until(in_b);
    b.wait_idle();
  });
  b.detach([&] {
    in_b = true;
    EXPECT_EQ(a.submit([] { return 7; }).get(), 7);
  });
  f.get();
}

TEST(shutdown, guests_may_end_at_once) {
  filch::configure_default_pool({.threads = 2});
  std::atomic<int> ran = 0;
  for (int round = 0; round < 100; ++round) {
    filch::test::team guests(3, [&](std::size_t n) {
      if (n == 0) {
        (void)filch::join([&] { ++ran; }, [&] { ++ran; });
      } else {
        filch::scope s;
        s.spawn([&] { ++ran; });
        s.spawn([&] { filch::detach([&] { ++ran; }); });
      }
    });
  }
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
  EXPECT_EQ(ran.load(), 600);
}
