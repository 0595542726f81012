// Futexes that return for no reason: because of a late wake-up, or the system.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/filch.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::pool;

namespace {

/// Unparks every sleeper of a pool repeatedly, though nothing has happened.
class disturbance {
 public:
  explicit disturbance(pool& p)
      : thread_([this, core = p.core()] {
          while (!over_)
            for (filch::detail::worker* w : core->participants.snapshot()) {
              if (w->loop.idle_parker().is_asleep()) ++calls_;
              w->loop.idle_parker().unpark();
            }
        }) {}
  disturbance(const disturbance&) = delete;
  disturbance& operator=(const disturbance&) = delete;
  ~disturbance() {
    over_ = true;
    thread_.join();
  }
  std::size_t calls() const { return calls_; }

 private:
  std::atomic<bool> over_ = false;
  std::atomic<std::size_t> calls_ = 0;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

TEST(spurious_wakes, lose_nothing_and_end_no_wait_too_early) {
  pool p({.threads = 2, .idle = filch::idle::power});
  filch::test::watch(p);
  const disturbance around(p);
  for (int round = 0; round < 300 || around.calls() < 100; ++round) {
    EXPECT_EQ(p.submit([=] { return round; }).get(), round);
    std::atomic<int> ran = 0;
    p.install([&] {
      filch::scoped([&](filch::scope& s) {
        for (int i = 0; i < 5; ++i) s.spawn([&] { ++ran; });
      });
      EXPECT_EQ(ran, 5);
      filch::join([&] { ++ran; }, [&] { ++ran; });
      EXPECT_EQ(ran, 7);
    });
    p.detach([&] { ++ran; });
    p.wait_idle();
    ASSERT_EQ(ran, 8);
  }
}

TEST(spurious_wakes, do_not_shorten_a_timed_wait) {
  using clock = std::chrono::steady_clock;
  pool p({.threads = 2, .idle = filch::idle::power});
  const disturbance around(p);
  filch::test::gate begun, end;
  auto never = p.submit([&] {
    begun.open();
    end.pass();
  });
  begun.pass();  // otherwise the wait would help by running it
  p.install([&] {
    const auto begin = clock::now();
    EXPECT_FALSE(never.wait_for(std::chrono::milliseconds(20)));
    EXPECT_GE(clock::now() - begin, std::chrono::milliseconds(20));
  });
  end.open();
  never.get();
}
