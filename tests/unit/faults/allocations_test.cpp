// The k-th allocation fails, for every k: nothing leaks, no accepted task is lost, no refused task
// runs, and the pool works afterwards.
#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "filch/filch.hpp"

using filch::pool;
using filch::test::allocations;
using filch::test::fail_allocation;

namespace {

constexpr std::size_t most_allocations = 300;

/// Calls `step` with the k-th allocation of this thread failing, for k = 1, 2, ... until it meets
/// no failure. `step` returns whether it was refused; filch may also have worked around the
/// failure. `check(refused)` checks the result.
template <class Step, class Check>
void with_every_allocation_failing(Step step, Check check) {
  for (std::size_t k = 1; k < most_allocations; ++k) {
    bool refused = false;
    std::size_t failures = 0;
    {
      const fail_allocation nth(k);
      try {
        step();
      } catch (const std::bad_alloc&) {
        refused = true;
      }
      failures = fail_allocation::seen();
    }
    check(refused);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "with allocation number " << k << " failing";
      return;
    }
    if (failures == 0) {
      EXPECT_FALSE(refused);
      return;
    }
  }
  ADD_FAILURE() << "more than " << most_allocations << " allocations";
}

/// Checks that everything allocated while it lives has been freed when it ends.
class no_leak {
 public:
  no_leak() = default;
  no_leak(const no_leak&) = delete;
  no_leak& operator=(const no_leak&) = delete;
  ~no_leak() { EXPECT_EQ(allocations().live_blocks, before_) << "blocks that were not freed"; }

 private:
  std::size_t before_ = allocations().live_blocks;
};

/// Allocates what is kept for ever, such as parkers and the exceptions' buffers, before the test
/// counts.
void warm_up() {
  pool first(4);
  first.broadcast([] {});
  first.wait_idle();
  filch::scope s({.on = &first});
  s.spawn([] {});
  s.wait();
  EXPECT_EQ(first.install([] { return 1; }), 1);
}

/// A closure whose copies are counted, so that a lost one is noticed.
class counted {
 public:
  explicit counted(std::atomic<int>& live) : live_(&live) { ++*live_; }
  counted(const counted& other) : live_(other.live_) { ++*live_; }
  counted& operator=(const counted&) = delete;
  ~counted() { --*live_; }

 private:
  std::atomic<int>* live_;
};

class allocation_faults : public testing::Test {
 protected:
  allocation_faults() { warm_up(); }

  /// Runs `step(pool)` under every failure. Each time exactly `runs` tasks ran, or none if refused.
  template <class Step>
  void all_or_nothing(int runs, Step step) {
    {
      pool p(2);
      p.wait_idle();
      std::atomic<int> ran = 0;
      with_every_allocation_failing([&] { step(p, ran); },
                                    [&](bool refused) {
                                      p.wait_idle();
                                      EXPECT_EQ(ran.exchange(0), refused ? 0 : runs);
                                      EXPECT_EQ(live.load(), 0) << "a closure was lost";
                                      EXPECT_EQ(p.submit([] { return 7; }).get(), 7);
                                    });
    }
  }

  std::atomic<int> live = 0;
};

}  // namespace

TEST_F(allocation_faults, a_pool_that_cannot_be_made_leaves_nothing_behind) {
  const no_leak none;
  with_every_allocation_failing(
      [] {
        pool p({.threads = 3, .name = "a name that is too long to be kept in place"});
        EXPECT_EQ(p.size(), 3u);
      },
      [](bool) {});
}

TEST_F(allocation_faults, a_submission_is_accepted_or_leaves_nothing_behind) {
  const no_leak none;
  all_or_nothing(1, [this](pool& p, std::atomic<int>& ran) {
    p.submit([&ran, mine = counted(live)] { ++ran; }).wait();
  });
}

TEST_F(allocation_faults, a_detached_task_is_accepted_or_leaves_nothing_behind) {
  const no_leak none;
  all_or_nothing(1, [this](pool& p, std::atomic<int>& ran) {
    p.detach([&ran, mine = counted(live)] { ++ran; });
  });
}

TEST_F(allocation_faults, a_batch_is_accepted_whole_or_not_at_all) {
  const no_leak none;
  all_or_nothing(9, [this](pool& p, std::atomic<int>& ran) {
    p.submit_batch(std::vector<std::function<void()>>(9, [&ran, mine = counted(live)] { ++ran; }));
  });
}

TEST_F(allocation_faults, a_broadcast_is_accepted_whole_or_not_at_all) {
  const no_leak none;
  all_or_nothing(2, [this](pool& p, std::atomic<int>& ran) {
    p.broadcast([&ran, mine = counted(live)] { ++ran; });
  });
}

TEST_F(allocation_faults, an_installed_call_happens_or_does_not) {
  const no_leak none;
  all_or_nothing(1, [](pool& p, std::atomic<int>& ran) { p.install([&] { ++ran; }); });
}

TEST_F(allocation_faults, tasks_that_a_worker_submits_are_accepted_or_not) {
  const no_leak none;
  pool p(2);
  p.wait_idle();
  std::atomic<int> ran = 0, accepted = 0;
  p.install([&] {
    with_every_allocation_failing(
        [&] {
          for (int n = 0; n < 3; ++n) {
            filch::detach([&, mine = counted(live)] { ++ran; });
            ++accepted;
          }
          filch::submit([&, mine = counted(live)] { ++ran; }).wait();
          ++accepted;
        },
        [](bool) {});
  });
  p.wait_idle();
  EXPECT_EQ(ran.load(), accepted.load());
  EXPECT_EQ(live.load(), 0);
}

// The deque has room for 256 jobs at first: later ones need a larger ring.
TEST_F(allocation_faults, a_deque_that_cannot_grow_takes_no_more_but_loses_nothing) {
  const no_leak none;
  std::atomic<int> ran = 0;
  pool p(1);
  int accepted = 0;
  p.install([&] {
    bool refused = false;
    while (!refused && accepted < 100'000) {
      auto task = [&, mine = counted(live)] { ++ran; };
      // There is memory for the task itself, but for nothing after it.
      const fail_allocation second(2, fail_allocation::for_ever);
      try {
        filch::detach(std::move(task));
        ++accepted;
      } catch (const std::bad_alloc&) {
        refused = true;
      }
    }
    EXPECT_TRUE(refused);
  });
  p.wait_idle();
  EXPECT_GE(accepted, 64);
  EXPECT_EQ(ran.load(), accepted);
  EXPECT_EQ(live.load(), 0);
}

TEST_F(allocation_faults, a_scope_task_is_accepted_or_leaves_nothing_behind) {
  const no_leak none;
  for (const bool inside : {false, true}) {
    std::atomic<int> ran = 0, accepted = 0;
    pool p(2);
    const auto play = [&] {
      with_every_allocation_failing(
          [&] {
            filch::scope s({.on = &p});
            filch::future<int> f;
            try {
              for (int n = 0; n < 3; ++n) {
                s.spawn([&, mine = counted(live)] { ++ran; });
                ++accepted;
              }
              f = s.async([&, mine = counted(live)] { return ++ran; });
              ++accepted;
            } catch (const std::bad_alloc&) {  // it must not leave the scope: that would skip tasks
            }
            s.wait();
            if (f.valid()) {
              EXPECT_GT(f.get(), 0);
            }
          },
          [&](bool) {
            EXPECT_EQ(ran.load(), accepted.load());
            EXPECT_EQ(live.load(), 0);
          });
    };
    if (inside)
      p.install(play);
    else
      play();
    EXPECT_EQ(p.submit([] { return 7; }).get(), 7);
  }
}

// An outside thread needs memory to become a guest. Without memory it just waits.
TEST_F(allocation_faults, a_scope_waits_although_there_is_no_memory_at_all) {
  const no_leak none;
  pool p(1);
  for (int n = 0; n < 3; ++n) {
    std::atomic<bool> started = false, go = false;
    filch::scope s({.on = &p});
    s.spawn([&] {
      started = true;
      go.wait(false);
    });
    while (!started) std::this_thread::yield();
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      go = true;
      go.notify_all();
    });
    {
      const fail_allocation all(1, fail_allocation::for_ever);
      s.wait();
    }
    later.join();
  }
}

// A walk needs memory for the nodes that wait. It can do without the memory for sharing them.
TEST_F(allocation_faults, a_walk_visits_every_node_once_or_says_that_it_did_not) {
  const no_leak none;
  constexpr std::size_t nodes = 200;
  pool p(2);
  p.install([&] {
    const auto children = [&](std::size_t i, auto add) {
      if (2 * i + 1 < nodes) add(2 * i + 1);
      if (2 * i + 2 < nodes) add(2 * i + 2);
    };
    std::array<std::atomic<int>, nodes> visits{};
    std::size_t made_up_for = 0;
    with_every_allocation_failing(
        [&] { filch::walk_prefix(std::size_t{0}, children, [&](std::size_t i) { ++visits[i]; }); },
        [&](bool refused) {
          if (!refused) ++made_up_for;
          for (auto& v : visits) {
            const int times = v.exchange(0);
            if (refused)
              EXPECT_LE(times, 1);
            else
              EXPECT_EQ(times, 1);
          }
        });
    EXPECT_GT(made_up_for, 0u);

    std::size_t sum = 0;
    with_every_allocation_failing(
        [&] { sum = filch::par_walk_prefix(std::size_t{0}, children).sum(); },
        [&](bool refused) { EXPECT_TRUE(refused || sum == nodes * (nodes - 1) / 2); });
  });
}

namespace {

int depth_reached(int left) {
  if (left == 0) return 0;
  const auto [below, one] = filch::join([=] { return depth_reached(left - 1); }, [] { return 1; });
  return below + one;
}

}  // namespace

// A join never calls operator new on a worker, however deep it is nested.
TEST_F(allocation_faults, join_never_throws_for_lack_of_memory) {
  const no_leak none;
  for (int round = 0; round < 3; ++round) {
    pool p(2);
    p.install([] {
      const fail_allocation all(1, fail_allocation::for_ever);
      EXPECT_EQ(depth_reached(2000), 2000);
    });
    EXPECT_EQ(p.install([] { return depth_reached(2000); }), 2000);
  }
}

TEST_F(allocation_faults, join_from_outside_runs_both_branches_or_none) {
  filch::configure_default_pool({.threads = 2});  // a guest's slot is kept for ever
  const no_leak none;
  (void)filch::default_pool();
  std::array<std::atomic<int>, 2> ran{};
  with_every_allocation_failing([&] { (void)filch::join([&] { ++ran[0]; }, [&] { ++ran[1]; }); },
                                [&](bool refused) {
                                  EXPECT_EQ(ran[0].exchange(0), refused ? 0 : 1);
                                  EXPECT_EQ(ran[1].exchange(0), refused ? 0 : 1);
                                });
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
}

// The list of suppressed exceptions needs memory; the first exception does not.
TEST_F(allocation_faults, the_first_exception_arrives_although_there_is_no_memory_for_the_others) {
  pool p(1);
  p.install([] {
    int got = 0;
    {
      filch::scope s;
      s.spawn([] { throw 1; });
      s.spawn([] { throw 2; });
      const fail_allocation all(1, fail_allocation::for_ever);
      try {
        s.wait();
      } catch (int e) {
        got = e;
      }
    }
    EXPECT_NE(got, 0);
    got = 0;
    {
      const fail_allocation all(1, fail_allocation::for_ever);
      try {
        (void)filch::join([] { throw 1; }, [] { throw 2; });
      } catch (int e) {
        got = e;
      } catch (const std::bad_alloc&) {
        got = -1;
      }
    }
    EXPECT_EQ(got, 1);
  });
}
