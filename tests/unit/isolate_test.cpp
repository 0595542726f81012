// filch::isolate: a wait runs only jobs of its region.
#include "filch/isolate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

#include "filch/detail/sched/registry.hpp"
#include "filch/future.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/guest.hpp"
#include "support/hang_guard.hpp"
#include "support/locks.hpp"
#include "support/occupied.hpp"
#include "support/sanitizers.hpp"

using filch::pool;
using filch::test::gate;
using filch::test::plain_lock;
using filch::test::sleeps;
using filch::test::until;

namespace {

/// Calls `f`, isolated or not.
template <class F>
void call(bool isolated, F f) {
  if (isolated)
    filch::isolate(f);
  else
    f();
}

/// A join that waits: another worker runs its second branch, which lasts until `end`.
template <class End>
void join_with_a_thief(End end) {
  gate stolen;
  filch::join([&] { stolen.pass(); },
              [&] {
                stolen.open();
                end();
              });
}

int tree(int depth) {
  if (depth == 0) return 1;
  const auto [a, b] = filch::join([=] { return tree(depth - 1); }, [=] { return tree(depth - 1); });
  if (depth % 2 == 0) return a + b;
  int more = 0;
  filch::scoped([&](filch::scope& s) { s.spawn([&] { more = 0; }); });
  return a + b + more;
}

}  // namespace

TEST(isolate, gives_what_the_function_gives) {
  EXPECT_EQ(filch::isolate([] { return 7; }), 7);
  int x = 0;
  int& same = filch::isolate([&]() -> int& { return x; });
  EXPECT_EQ(&same, &x);
  pool p(2);
  EXPECT_EQ(p.install([] { return filch::isolate([] { return tree(6); }); }), 64);
  EXPECT_THROW(p.install([] { filch::isolate([] { throw std::runtime_error("no"); }); }),
               std::runtime_error);
}

// The worker waits for a branch that a thief has. There is a task that it could run meanwhile.
TEST(isolate, a_wait_leaves_other_tasks_alone) {
  std::atomic<bool> waits = true, ran_while_waiting = false;
  pool p(2);
  filch::test::watch(p);
  p.install([&] {
    const std::size_t me = *filch::this_worker::index();
    p.detach([&, me] {
      if (waits && filch::this_worker::index() == me) ran_while_waiting = true;
    });
    filch::isolate([&] {
      join_with_a_thief([&] {  // until the waiting worker has looked at everything, and sleeps
        until([&] { return sleeps(p, me); });
      });
    });
    waits = false;
  });
  p.wait_idle();
  EXPECT_FALSE(ran_while_waiting);
}

TEST(isolate, a_wait_runs_what_was_spawned_inside) {
  for (const std::size_t threads : {1u, 2u}) {
    std::atomic<int> ran = 0;
    pool p(threads);
    filch::test::watch(p);
    p.install([&] {
      filch::isolate([&] {
        filch::scope s;
        for (int i = 0; i < 100; ++i)
          s.spawn([&] { ran += filch::submit([] { return 1; }).get(); });
        s.wait();
      });
    });
    EXPECT_EQ(ran, 100);
  }
}

// A thief that waits inside a stolen job of the region is in the region too.
TEST(isolate, holds_for_thieves) {
  gate over;
  std::atomic<bool> outside_ran = false, ran_too_early = false;
  pool p({.threads = 2, .max_spares = 0}), other(1);  // a spare might run what is outside
  filch::test::watch(p);
  filch::test::watch(other);
  p.install([&] {
    filch::isolate([&] {
      filch::join([&] { over.pass(); },
                  [&] {
                    const std::size_t thief = *filch::this_worker::index();
                    other
                        .submit([&] {
                          p.detach([&, thief] {
                            if (!over.is_open() && filch::this_worker::index() == thief)
                              ran_too_early = true;
                            outside_ran = true;
                          });
                          until([&] { return ran_too_early || sleeps(p, thief); });
                        })
                        .get();
                    over.open();
                  });
    });
  });
  p.wait_idle();
  EXPECT_FALSE(ran_too_early);
  EXPECT_TRUE(outside_ran);
}

// Also if the job that spawned it has ended, and the thief is outside of the region again.
TEST(isolate, what_a_thief_spawned_stays_in_the_region) {
  std::atomic<bool> outside_ran = false, ran_too_early = false;
  pool p({.threads = 2, .max_spares = 0}), other(1);  // a spare might run what is outside
  filch::test::watch(p);
  filch::test::watch(other);
  p.install([&] {
    gate over;
    filch::isolate([&] {
      filch::scope s;
      s.spawn([&] {
        s.spawn([&] {
          const std::size_t thief = *filch::this_worker::index();
          other
              .submit([&] {
                p.detach([&] { outside_ran = true; });
                until([&] { return outside_ran || sleeps(p, thief); });
              })
              .get();
          ran_too_early = outside_ran.load();
          over.open();
        });
      });
      over.pass();  // blocks this worker, so that the thief does everything
    });
  });
  p.wait_idle();
  EXPECT_FALSE(ran_too_early);
  EXPECT_TRUE(outside_ran);
}

// What a stolen job has spawned still belongs to the region. Otherwise a thief would run it, and
// wait in it, outside of the region.
TEST(isolate, what_a_stolen_job_has_spawned_stays_in_the_region) {
  pool p(2);
  filch::test::watch(p);
  std::vector<filch::detail::region> regions(2);
  p.install([&] {
    filch::isolate([&] {
      filch::scope s;
      gate ran;
      s.spawn([&] {  // on the other worker, which then finds the next one in its deque
        regions[0] = filch::detail::worker::current()->regions.current();
        s.spawn([&] {
          regions[1] = filch::detail::worker::current()->regions.current();
          ran.open();
        });
      });
      ran.pass();
      s.wait();
    });
  });
  EXPECT_NE(regions[0], filch::detail::no_region);
  EXPECT_EQ(regions[0], regions[1]);
}

namespace {

/// Pushed into a deque by hand. It records where and in which region it ran.
struct noted_job : filch::detail::listed_job {
  noted_job() : listed_job(&noted_job::entry) {}
  static void entry(filch::detail::job& self) noexcept {
    auto& me = static_cast<noted_job&>(self);
    me.by = std::this_thread::get_id();
    me.where = filch::detail::worker::current()->regions.current();
  }
  std::thread::id by;
  filch::detail::region where = filch::detail::no_region;
};

}  // namespace

// A thread that waits in a region could not take jobs of that region from the injector.
TEST(isolate, a_guest_that_leaves_runs_what_it_has_of_a_region) {
  filch::shutdown_default_pool();
  filch::configure_default_pool({.threads = 1});
  pool& p = filch::default_pool();
  filch::test::watch(p);
  const filch::detail::region r = filch::detail::new_region();
  noted_job after_scope, after_join;
  {
    const filch::test::occupied busy(p);
    {
      const filch::test::guest here(p);
      filch::detail::worker::current()->push(&after_scope, r);
    }
    filch::join([] {}, [&] { filch::detail::worker::current()->push(&after_join, r); });
  }
  for (const noted_job* j : {&after_scope, &after_join}) {
    EXPECT_EQ(j->by, std::this_thread::get_id());
    EXPECT_EQ(j->where, r);
  }
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
}

// They run only their own jobs. A spare does the rest, also what the region has put outside.
TEST(isolate, a_pool_whose_workers_all_wait_in_regions_goes_on) {
  for (const std::size_t threads : {1u, 3u}) {
    std::atomic<std::size_t> waiting = 0;
    pool p(threads);
    filch::test::watch(p);
    p.broadcast([&] {
      filch::isolate(
          [&] { filch::submit([&] { ++waiting; }, {.priority = filch::priority::high}).get(); });
    });
    EXPECT_EQ(p.submit([] { return 42; }).get(), 42);
    p.wait_idle();
    EXPECT_EQ(waiting, threads);
  }
}

// The task that was submitted before the region is the only job in the waiter's deque. The waiter
// must not run it, so a thief has to take it, though the deque is below the threshold.
TEST(isolate, a_wait_leaves_its_last_job_to_thieves_whatever_the_threshold) {
  for (const std::size_t threads : {1u, 2u, 4u})
    for (const std::size_t threshold : {2u, 8u}) {
      pool p({.threads = threads, .steal_threshold = threshold});
      filch::test::watch(p);
      for (int round = 0; round < 20; ++round)
        EXPECT_EQ(p.install([] {
          auto before = filch::submit([] { return 7; });
          return filch::isolate([&] { return before.get(); });
        }),
                  7);
    }
}

// A guest in a region may not run it either, and has no spare.
TEST(isolate, a_guest_leaves_its_last_job_to_thieves_whatever_the_threshold) {
  for (const bool polls : {false, true}) {
    pool p({.threads = 1, .steal_threshold = 4});
    filch::test::watch(p);
    const filch::test::guest here(p);
    auto before = filch::submit([] { return 7; });
    EXPECT_EQ(filch::isolate([&] {
                while (polls && !before.wait_for(std::chrono::seconds(0))) continue;
                return before.get();
              }),
              7);
  }
}

// The only worker waits in a region for what a guest does in the same region. The worker does not
// leave the region for a task that the guest installs.
TEST(isolate, install_by_a_guest_does_not_wait_for_a_worker_that_waits_for_the_guest) {
  gate guest_is_done;
  pool other(1);
  pool p({.threads = 1, .max_spares = 0});
  filch::test::watch(p);
  std::atomic<filch::detail::region> r = filch::detail::no_region;
  auto guests_part = other.submit([&] { guest_is_done.pass(); });
  p.detach([&] {
    filch::isolate([&] {
      r = filch::detail::worker::current()->regions.current();
      guests_part.get();
    });
  });
  until([&] { return r != filch::detail::no_region && sleeps(p, 0); });
  bool installed = false;
  {
    const filch::test::guest me(p);
    const filch::detail::in_region here(r);
    p.install([&] { installed = true; });
  }
  EXPECT_TRUE(installed);
  guest_is_done.open();
  p.wait_idle();
}

// The task has another priority, and so is outside of the region.
TEST(isolate, a_loop_that_polls_for_what_lies_outside_gets_on) {
  pool p(1);
  filch::test::watch(p);
  EXPECT_EQ(p.install([&] {
    return filch::isolate([&] {
      auto f = p.submit([] { return 1; }, {.priority = filch::priority::high});
      while (!f.wait_for(std::chrono::seconds(0))) continue;
      return f.get();
    });
  }),
            1);
}

TEST(isolate, nests) {
  std::atomic<bool> waits = false, ran_while_waiting = false;
  pool p(2);
  filch::test::watch(p);
  p.install([&] {
    const std::size_t me = *filch::this_worker::index();
    filch::isolate([&] {
      filch::scope s;
      s.spawn([&, me] {
        if (waits && filch::this_worker::index() == me) ran_while_waiting = true;
      });
      waits = true;
      filch::isolate([&] { join_with_a_thief([&] { until([&] { return sleeps(p, me); }); }); });
      waits = false;
      s.wait();
    });
  });
  EXPECT_FALSE(ran_while_waiting);
}

// It belongs to no region when the region has ended.
TEST(isolate, a_task_that_is_left_behind_is_run_by_any_thread) {
  for (const std::size_t threads : {1u, 2u}) {
    std::atomic<int> ran = 0;
    pool p(threads);
    filch::test::watch(p);
    p.install([&] {
      filch::scope s;
      for (int i = 0; i < 10; ++i)
        filch::isolate([&] {
          s.spawn([&] { ++ran; });
          p.detach([&] { ++ran; });
        });
      filch::isolate([&] { EXPECT_EQ(tree(4), 16); });
      s.wait();
    });
    p.wait_idle();
    EXPECT_EQ(ran, 20);
  }
}

TEST(isolate, from_outside_gives_what_the_function_gives_and_joins_work_in_it) {
  EXPECT_EQ(filch::isolate([] { return tree(8); }), 256);
  const auto [a, b] = filch::join([] { return filch::isolate([] { return tree(5); }); },
                                  [] { return filch::isolate([] { return tree(6); }); });
  EXPECT_EQ(a, 32);
  EXPECT_EQ(b, 64);
}

// The worker finds its own branch, though an older one of another region lies below it: a spare
// takes that one away.
TEST(isolate, a_branch_may_wait_for_the_other_on_one_worker) {
  bool ran = false;
  pool p(1), other(1);
  filch::test::watch(p);
  p.install([&] {
    filch::join(
        [&] {
          filch::isolate([&] {
            gate second;
            filch::join([&] { other.submit([&] { second.pass(); }).get(); },
                        [&] { second.open(); });
            ran = true;
          });
        },
        [] {});
  });
  EXPECT_TRUE(ran);
}

// Deeper than the stack of branches, and back: the slots have no tags of the region left.
TEST(isolate, leaves_no_tags_behind) {
  pool p(2);
  filch::test::watch(p);
  p.install([] {
    filch::isolate([] { EXPECT_EQ(tree(10), 1024); });
    for (std::size_t i = 0; i < 64; ++i)
      EXPECT_EQ((filch::detail::my_branches.next() + i)->where(), filch::detail::no_region) << i;
  });
}

// ---- what it is for -----------------------------------------------------------------------------

namespace {

/// A task holds a lock while it waits for a part of its own that a thief has. Another task that
/// wants the lock arrives meanwhile. If a thread that waits for the first runs the second, both
/// wait for ever.
void a_lock_is_wanted_while_its_holder_waits(bool isolated) {
  pool p(2), other(1);
  plain_lock lock;
  std::atomic<bool> wanted = false;
  p.install([&] {
    const std::size_t holder = *filch::this_worker::index();
    lock.lock();
    call(isolated, [&] {
      join_with_a_thief([&] {
        other
            .submit([&] {
              p.detach([&] {
                wanted = true;
                lock.lock();
                lock.unlock();
              });
              until([&] { return wanted || (isolated && sleeps(p, holder)); });
            })
            .get();
      });
    });
    lock.unlock();
  });
  p.wait_idle();
}

}  // namespace

TEST(isolate, a_lock_may_be_held_over_a_wait) { a_lock_is_wanted_while_its_holder_waits(true); }

// Otherwise the test above would prove nothing.
TEST(isolate_death_test, without_it_the_same_hangs) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(filch::test::expect_hang([] { a_lock_is_wanted_while_its_holder_waits(false); }),
              testing::ExitedWithCode(3), "it hangs");
}

namespace {

void work(int amount) {
  for (int i = 0; i < amount; ++i) filch::detail::cpu_relax();
}

constexpr int rounds = filch::test::size_for_build(100'000, 15'000);

struct rounds_result {
  std::array<long, 2> sums{};           // of leaves, each counted under its lock
  std::atomic<long> begun = 0;          // iterations
  std::atomic<long> run_elsewhere = 0;  // parts not run by the thread that holds the lock
};

/// Outer iterations with a lock that wait, and inner ones that split, are stolen, and wait again.
/// The outer ones are in the injector, where a thief looks last, so a thief takes inner ones.
class outer_iterations {
 public:
  outer_iterations(bool isolated, bool thieves, rounds_result& result)
      : isolated_(isolated), thieves_(thieves), result_(result) {}

  void one(std::size_t which) {
    const auto holder = std::this_thread::get_id();
    if (who_waits_ == holder && which == waits_with_) wants_its_own_.open();
    ++wanted_[which];
    locks_[which].lock();
    --wanted_[which];
    ++result_.begun;
    // Until a thief has come, one iteration at a time waits for one.
    const bool waits = thieves_ && result_.run_elsewhere == 0 && !one_waits_.exchange(true);
    if (waits) {
      waits_with_ = which;
      who_waits_ = holder;
    }
    call(isolated_, [&] {
      gate stolen;
      const auto [a, b] = filch::join(
          [&] {
            if (waits) until([&] { return stolen.is_open() || wanted_[which] > 0; });
            work(20);
            return tree(2);
          },
          [&] {
            work(40);  // longer: a thread that has lost it to a thief waits, and so does the thief
            if (std::this_thread::get_id() != holder) {
              ++result_.run_elsewhere;
              stolen.open();
              // A waiting thread takes the next ones, if it may, until it wants its own lock.
              if (waits && !isolated_)
                until([&] { return wants_its_own_.is_open() || result_.begun == rounds; });
            }
            return tree(2);
          });
      result_.sums[which] += a + b;  // under the lock
    });
    if (waits) {
      who_waits_ = std::thread::id();
      one_waits_ = false;
    }
    locks_[which].unlock();
  }

 private:
  bool isolated_;
  bool thieves_;
  rounds_result& result_;
  std::array<plain_lock, 2> locks_;
  std::array<std::atomic<int>, 2> wanted_{};
  std::atomic<bool> one_waits_ = false;
  std::atomic<std::thread::id> who_waits_{};
  std::atomic<std::size_t> waits_with_ = 0;
  gate wants_its_own_;
};

void outer_iterations_with_a_lock(std::size_t threads, bool isolated, rounds_result& result) {
  outer_iterations all(isolated, threads > 1, result);
  pool p(threads);
  if (isolated) filch::test::watch(p);
  for (std::size_t i = 0; i < rounds; ++i)
    p.detach([&, i] { all.one(i % 2); }, {.priority = filch::priority::low});
  p.wait_idle();
  EXPECT_EQ(result.sums[0] + result.sums[1], 8L * rounds);
}

}  // namespace

class isolate_rounds : public testing::TestWithParam<std::size_t> {};

TEST_P(isolate_rounds, of_outer_iterations_with_a_lock) {
  rounds_result result;
  outer_iterations_with_a_lock(GetParam(), true, result);
  if (GetParam() > 1) {
    EXPECT_GT(result.run_elsewhere, 0) << "nothing was stolen, so this shows little";
  }
}
INSTANTIATE_TEST_SUITE_P(workers, isolate_rounds, testing::Values(1, 2, 8));

// With one worker nothing is stolen, and no iteration waits.
class isolate_rounds_death_test : public testing::TestWithParam<std::size_t> {};

TEST_P(isolate_rounds_death_test, without_it_the_same_hangs) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  rounds_result result;
  EXPECT_EXIT(
      filch::test::expect_hang([&] { outer_iterations_with_a_lock(GetParam(), false, result); },
                               [&] { return result.begun.load(); }),
      testing::ExitedWithCode(3), "it hangs");
}
INSTANTIATE_TEST_SUITE_P(workers, isolate_rounds_death_test, testing::Values(2, 8));
