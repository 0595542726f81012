// wait_idle() never reports that a pool is idle before everything accepted has ended, and reports
// it then, whichever thread ran the last task.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <thread>
#include <vector>

#include "filch/filch.hpp"
#include "support/occupied.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/watchdog.hpp"

using filch::pool;
using namespace std::chrono_literals;

namespace {

void wait_until(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::sleep_for(50us);
}

/// Tasks that spawn tasks: how many submissions have begun, and how many tasks have ended.
class crowd {
 public:
  void submit_tree(pool& p, unsigned depth) {
    ++submitted_;
    p.detach([this, &p, depth] {
      if (depth > 0)
        for (int n = 0; n < 2; ++n) submit_tree(p, depth - 1);
      if (depth % 2 == 1) std::this_thread::yield();
      ++ended_;
    });
  }
  void check(const char* who) const {
    const int ended = ended_;  // first: neither decreases
    EXPECT_EQ(ended, submitted_.load()) << who << " was notified too early";
  }

 private:
  std::atomic<int> submitted_ = 0, ended_ = 0;
};

}  // namespace

TEST(idle, is_never_reported_too_early) {
  for (const std::size_t size : {1u, 2u, 4u}) {
    pool p(size);
    const auto end = std::chrono::steady_clock::now() + 300ms;
    do {
      crowd tasks;
      for (int n = 0; n < 4; ++n) tasks.submit_tree(p, 5);
      filch::test::team waiting(3, [&](std::size_t n) {
        if (n == 0) p.wait_idle();
        while (n == 1 && !p.wait_idle_for(10us)) {
        }
        while (n == 2 && !p.wait_idle_for(0us)) {
        }
        tasks.check("a waiter");
      });
      waiting.join();
    } while (!HasFailure() && std::chrono::steady_clock::now() < end);
  }
}

// Waits that ended by time leave late wake-ups behind. They must not end the next wait.
TEST(idle, is_not_reported_because_of_a_wake_up_for_an_earlier_wait) {
  pool p({.threads = 2, .idle = filch::idle::power}), other({.threads = 1});
  auto random = filch::test::seeded_rng(1);
  for (int round = 0; round < 1500 && !HasFailure(); ++round) {
    std::atomic<bool> ended = false;
    const auto length = std::chrono::microseconds(random.bounded(60));
    auto brief = other.submit([length] { std::this_thread::sleep_for(length); });
    p.detach([&, length] {
      std::this_thread::sleep_for(length + 100us);
      ended = true;
    });
    while (!brief.wait_for(length + 50us)) {
    }
    p.wait_idle();
    EXPECT_TRUE(ended) << "wait_idle() returned too early in round " << round;
    p.wait_idle();
  }
}

TEST(idle, is_reported_when_a_guest_ran_the_last_task) {
  pool p(1);
  const filch::test::watchdog dog(
      20s, [] { return 0; }, [&p](std::ostream& out) { p.dump(out); });
  std::atomic<bool> began = false, may_end = false, idle = false;
  std::optional<filch::test::occupied> busy(p);
  std::thread guest([&] {
    filch::scope s({.on = &p});
    s.spawn([&] {
      began = true;
      wait_until(may_end);
    });
    s.wait();
  });
  wait_until(began);  // on the guest, since the worker is busy
  busy.reset();
  std::thread waiter([&] {
    p.wait_idle();
    idle = true;
  });
  std::this_thread::sleep_for(20ms);  // the worker has found nothing to do, and sleeps
  EXPECT_FALSE(idle);
  may_end = true;
  waiter.join();
  guest.join();
}

TEST(idle, is_waited_for_by_many_while_others_submit) {
  std::atomic<bool> over = false;
  std::atomic<int> submitted = 0, ended = 0;
  pool p(3);
  filch::test::team all(5, [&](std::size_t n) {
    if (n < 2) {
      for (int i = 0; i < 3000; ++i) {
        ++submitted;
        p.detach([&] { ++ended; });
        if (i % 64 == 0) std::this_thread::yield();
      }
      p.wait_idle();
      if (n == 0) over = true;
      return;
    }
    while (!over) {
      const int before = submitted.load() - 2;  // those that are counted but not submitted yet
      if (!p.wait_idle_for(n == 2 ? 20us : 2000us)) continue;
      EXPECT_GE(ended.load(), before);
    }
  });
  all.join();
  p.wait_idle();
  EXPECT_EQ(ended.load(), 6000);
}
