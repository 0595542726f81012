// What a wait inside a branch may run: also the other branch of the same join.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "filch/filch.hpp"

using filch::pool;
using namespace std::chrono_literals;

namespace {

/// What the first branch does after a wait that has run the second, and only that.
template <class Then>
void play(pool& p, pool& other, Then then) {
  std::atomic<int> inner = 0, outer = 0;
  p.install([&] {
    (void)filch::join(
        [&] {
          // `outer` stays below in the deque, so that the slot of `inner` is used again.
          filch::future<void> awaited;
          const auto first = [&] {
            awaited = other.submit([&] {
              while (inner == 0) std::this_thread::yield();
            });
            awaited.wait();
            EXPECT_EQ(inner.load(), 1);
            then();
          };
          const auto second = [&] {
            ++inner;
            while (!awaited.ready()) std::this_thread::yield();  // the wait ends after this
          };
          try {
            (void)filch::join(first, second);
          } catch (int) {
          }
        },
        [&] { ++outer; });
  });
  EXPECT_TRUE(p.wait_idle_for(5s)) << "a job was lost";
  EXPECT_EQ(inner.load(), 1);
  EXPECT_EQ(outer.load(), 1);
}

}  // namespace

// The branch leaves its slot in the deque, which the next job then takes.
TEST(reentry, a_branch_that_a_wait_has_run_does_not_run_again_nor_hide_the_job_in_its_place) {
  pool p(1), other(1);
  for (int jobs = 0; jobs < 4; ++jobs) {
    std::atomic<int> detached = 0;
    play(p, other, [&] {
      for (int n = 0; n < jobs; ++n) filch::detach([&] { ++detached; });
    });
    EXPECT_EQ(detached.load(), jobs);
  }
}

TEST(reentry, the_same_when_the_first_branch_throws) {
  std::atomic<int> detached = 0;
  pool p(1), other(1);
  play(p, other, [&] {
    filch::detach([&] { ++detached; });
    throw 1;
  });
  EXPECT_EQ(detached.load(), 1);
}

// Jobs above the other branch are not waited for, but run.
TEST(reentry, tasks_detached_by_the_first_branch_all_run) {
  pool p(2);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> detached = 0, branch = 0;
    p.install([&] {
      (void)filch::join(
          [&] {
            for (int n = 0; n < 10; ++n) filch::detach([&] { ++detached; });
            filch::scoped([&](filch::scope& s) { s.spawn([&] { ++detached; }); });
          },
          [&] { ++branch; });
    });
    p.wait_idle();
    ASSERT_EQ(detached.load(), 11);
    ASSERT_EQ(branch.load(), 1);
  }
}
