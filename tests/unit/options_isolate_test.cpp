// options::isolate: tasks and scopes whose waits run only jobs of their region.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "filch/filch.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/locks.hpp"
#include "support/occupied.hpp"

using filch::options;
using filch::pool;
using filch::scope;
using filch::test::gate;
using filch::test::occupied;
using filch::test::plain_lock;
using filch::test::sleeps;
using filch::test::until;

namespace {

/// An unrelated task, which wants a lock.
void detach_one_that_wants(plain_lock& lock, pool& p, std::atomic<bool>& wanted) {
  p.detach([&] {
    wanted = true;
    lock.lock();
    lock.unlock();
  });
}

/// Holds a lock while it waits for a part of its own that a thief has, and that waits too. Another
/// task that wants the lock arrives meanwhile.
void hold_a_lock_over_a_join(pool& p, pool& other, plain_lock& lock, std::atomic<bool>& wanted,
                             bool isolated) {
  const std::size_t holder = *filch::this_worker::index();
  lock.lock();
  gate stolen;
  filch::join([&] { stolen.pass(); },
              [&] {
                stolen.open();
                other
                    .submit([&] {
                      detach_one_that_wants(lock, p, wanted);
                      until([&] { return wanted || (isolated && sleeps(p, holder)); });
                    })
                    .get();
              });
  lock.unlock();
}

using body = std::function<void()>;
using starter = void (*)(pool&, body, const options&);

/// Each way to submit a task. They wait for it outside of the pool.
constexpr starter all_starters[] = {
    [](pool& p, body f, const options& o) { p.submit(f, o).get(); },
    [](pool& p, body f, const options& o) {
      p.detach(f, o);
      p.wait_idle();
    },
    [](pool& p, body f, const options& o) { p.try_submit(f, o)->get(); },
    [](pool& p, body f, const options& o) {
      EXPECT_TRUE(p.try_detach(f, o));
      p.wait_idle();
    },
    [](pool& p, body f, const options& o) {
      options there = o;
      there.on = &p;
      filch::submit(f, there).get();
    },
    [](pool& p, body f, const options& o) {
      options there = o;
      there.on = &p;
      filch::detach(f, there);
      p.wait_idle();
    },
    // From a worker: into its deque, or into the injector with a priority.
    [](pool& p, body f, const options& o) { p.install([&] { p.submit(f, o).get(); }); },
};

void a_task_holds_a_lock(starter start, const options& o) {
  pool p(2), other(1);
  filch::test::watch(p);
  filch::test::watch(other);
  plain_lock lock;
  std::atomic<bool> wanted = false;
  start(
      p, [&] { hold_a_lock_over_a_join(p, other, lock, wanted, o.isolate); }, o);
  p.wait_idle();
  EXPECT_TRUE(wanted);
}

}  // namespace

// ---- submitted tasks ----------------------------------------------------------------------------

TEST(options_isolate, a_submitted_task_may_hold_a_lock_over_a_wait) {
  for (const starter start : all_starters) a_task_holds_a_lock(start, {.isolate = true});
}

TEST(options_isolate, goes_with_any_priority) {
  for (const filch::priority level : {filch::priority::high, filch::priority::low})
    for (const starter start : {all_starters[0], all_starters[6]})
      a_task_holds_a_lock(start, {.priority = level, .isolate = true});
}

// Otherwise the tests above would prove nothing.
TEST(options_isolate_death_test, without_it_a_task_that_holds_a_lock_hangs) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(filch::test::expect_hang([] { a_task_holds_a_lock(all_starters[0], {}); }),
              testing::ExitedWithCode(3), "it hangs");
}

TEST(options_isolate, a_task_gives_what_it_gives_and_is_skipped_as_ever) {
  pool p(2);
  filch::test::watch(p);
  EXPECT_EQ(p.submit([] { return 7; }, {.isolate = true}).get(), 7);
  EXPECT_THROW(p.submit([] { throw std::runtime_error("no"); }, {.isolate = true}).get(),
               std::runtime_error);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_THROW(p.submit([] {}, {.stop = stopped.get_token(), .isolate = true}).get(),
               filch::cancelled);
}

// The region belongs to the task, and ends with it.
TEST(options_isolate, what_comes_after_a_task_is_in_no_region) {
  pool p(1);
  filch::test::watch(p);
  const auto here = [] { return filch::detail::worker::current()->regions.current(); };
  const auto inside = p.submit(here, {.isolate = true}).get();
  EXPECT_NE(inside, filch::detail::no_region);
  EXPECT_NE(p.submit(here, {.isolate = true}).get(), inside) << "each has its own";
  EXPECT_EQ(p.submit([] {}, {.isolate = true}).then(here).get(), filch::detail::no_region);
  std::atomic<bool> left_ran = false;
  p.submit([&] { p.detach([&] { left_ran = here() == filch::detail::no_region; }); },
           {.isolate = true})
      .get();
  p.wait_idle();
  EXPECT_TRUE(left_ran);
}

// ---- loops --------------------------------------------------------------------------------------

TEST(options_isolate, a_worker_whose_loop_runs_on_another_pool_runs_nothing_meanwhile) {
  for (const filch::priority level : {filch::priority::normal, filch::priority::high}) {
    std::atomic<bool> waits = true, ran_while_waiting = false;
    pool p({.threads = 1, .max_spares = 0}), other(1);  // a spare might run what is outside
    filch::test::watch(p);
    filch::test::watch(other);
    p.install([&] {
      p.detach([&] { ran_while_waiting = waits.load(); });
      filch::parallel_for(0, 1,
                          [&](int) { until([&] { return ran_while_waiting || sleeps(p, 0); }); },
                          {.priority = level, .on = &other, .isolate = true});
      waits = false;
    });
    p.wait_idle();
    EXPECT_FALSE(ran_while_waiting);
  }
}

TEST(options_isolate, a_loop_with_a_priority_on_the_callers_own_pool_runs_in_place) {
  pool p({.threads = 1, .max_spares = 0});
  filch::test::watch(p);
  for (const filch::priority level : {filch::priority::low, filch::priority::high})
    for (pool* const on : {static_cast<pool*>(nullptr), &p}) {
      std::atomic<bool> waits = true, ran_while_waiting = false;
      std::atomic<int> sum = 0;
      p.install([&] {
        p.detach([&] { ran_while_waiting = waits.load(); });
        filch::parallel_for(0, 100, [&](int i) { sum += i; },
                            {.grain = 1, .priority = level, .on = on, .isolate = true});
        waits = false;
      });
      p.wait_idle();
      EXPECT_FALSE(ran_while_waiting);
      EXPECT_EQ(sum, 4950);
    }
}

// ---- scopes -------------------------------------------------------------------------------------

namespace {

bool in_no_region() {
  return filch::detail::worker::current()->regions.current() == filch::detail::no_region;
}

/// How a scope ends.
using ender = void (*)(const options&, const std::function<void(scope&)>&);
constexpr ender all_enders[] = {
    [](const options& o, const std::function<void(scope&)>& f) {
      scope s(o);
      f(s);
      s.wait();
    },
    [](const options& o, const std::function<void(scope&)>& f) {
      scope s(o);
      f(s);
    },
    [](const options& o, const std::function<void(scope&)>& f) { filch::scoped(f, o); },
};

/// One worker holds a lock around a scope. Between the scope's tasks in its deque there are others,
/// which want the lock.
void a_scope_under_a_lock_on_one_worker(ender end, const options& o) {
  pool p(1);
  filch::test::watch(p);
  plain_lock lock;
  std::atomic<bool> wanted = false;
  int ran = 0;
  p.install([&] {
    lock.lock();
    detach_one_that_wants(lock, p, wanted);
    end(o, [&](scope& s) {
      for (int i = 0; i < 3; ++i) {
        s.spawn([&] {
          ++ran;
          s.spawn([&] { ran += filch::submit([] { return 1; }).get(); });
        });
        if (i == 1 && in_no_region()) detach_one_that_wants(lock, p, wanted);  // else its own
      }
    });
    EXPECT_FALSE(wanted);
    lock.unlock();
  });
  p.wait_idle();
  EXPECT_TRUE(wanted);
  EXPECT_EQ(ran, 6);
}

/// A thief runs a task of the scope, and waits.
void a_scope_under_a_lock_with_a_thief(ender end, const options& o) {
  pool p(2), other(1);
  filch::test::watch(p);
  filch::test::watch(other);
  plain_lock lock;
  std::atomic<bool> wanted = false;
  p.install([&] {
    const std::size_t holder = *filch::this_worker::index();
    lock.lock();
    gate stolen;
    end(o, [&](scope& s) {
      s.spawn([&] {
        stolen.open();
        other
            .submit([&] {
              detach_one_that_wants(lock, p, wanted);
              until([&] { return wanted || (o.isolate && sleeps(p, holder)); });
            })
            .get();
      });
      stolen.pass();
    });
    lock.unlock();
  });
  p.wait_idle();
  EXPECT_TRUE(wanted);
}

}  // namespace

TEST(isolated_scope, runs_only_its_own_tasks_wherever_they_lie) {
  for (const ender end : all_enders) a_scope_under_a_lock_on_one_worker(end, {.isolate = true});
}

TEST(isolated_scope, leaves_other_tasks_alone_while_a_thief_has_its_own) {
  for (const ender end : all_enders) a_scope_under_a_lock_with_a_thief(end, {.isolate = true});
}

// Otherwise the tests above would prove nothing.
TEST(isolated_scope_death_test, without_isolation_the_same_hangs) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      filch::test::expect_hang([] { a_scope_under_a_lock_on_one_worker(all_enders[0], {}); }),
      testing::ExitedWithCode(3), "it hangs");
  EXPECT_EXIT(
      filch::test::expect_hang([] { a_scope_under_a_lock_with_a_thief(all_enders[0], {}); }),
      testing::ExitedWithCode(3), "it hangs");
}

TEST(isolated_scope, has_results_and_exceptions_as_ever) {
  for (const std::size_t threads : {1u, 2u}) {
    pool p(threads);
    filch::test::watch(p);
    p.install([] {
      scope s({.isolate = true});
      auto seven = s.async([] { return 7; });
      auto broken = s.async([]() -> int { throw std::logic_error("mine"); });
      s.spawn([] { throw std::runtime_error("no"); });
      EXPECT_THROW(s.wait(), std::runtime_error);
      EXPECT_EQ(seven.get(), 7);
      EXPECT_THROW((void)broken.get(), std::logic_error);
      int again = 0;
      s.spawn([&] { ++again; });
      s.wait();
      EXPECT_EQ(again, 1) << "it can be used again";
    });
  }
}

// A priority is for tasks from outside of the pool. Those of its own worker stay in the region,
// where the worker finds them.
TEST(isolated_scope, a_priority_does_not_put_own_tasks_out_of_reach) {
  pool p({.threads = 1, .max_spares = 0});
  filch::test::watch(p);
  EXPECT_EQ(p.install([] {
    return filch::scoped([](filch::scope& s) { return s.async([] { return 7; }).get(); },
                         {.priority = filch::priority::high, .isolate = true});
  }),
            7);
}

// The task of the region lies below an entry of the isolated scope.
TEST(isolated_scope, hides_no_task_of_the_region_around_it) {
  pool p({.threads = 1, .max_spares = 0});
  filch::test::watch(p);
  EXPECT_EQ(p.install([] {
    return filch::isolate([] {
      auto a = filch::submit([] { return 7; });
      filch::scope s({.isolate = true});
      s.spawn([] {});
      return a.get();
    });
  }),
            7);
}

TEST(isolated_scope, is_cancelled_as_ever) {
  pool p(1);
  filch::test::watch(p);
  std::stop_source stop;
  p.install([&] {
    scope s({.stop = stop.get_token(), .isolate = true});
    auto skipped = s.async([] { return 7; });
    stop.request_stop();
    s.wait();
    EXPECT_THROW((void)skipped.get(), filch::cancelled);
  });
  p.install([&] {
    scope s({.isolate = true});
    int ran = 0;
    s.spawn([&] { ++ran; });  // the newest goes first
    s.spawn([&] {
      ++ran;
      s.cancel();
    });
    s.wait();
    EXPECT_EQ(ran, 1);
  });
}

TEST(isolated_scope, nests) {
  for (const std::size_t threads : {1u, 2u}) {
    std::atomic<int> ran = 0;
    pool p(threads);
    filch::test::watch(p);
    p.install([&] {
      scope outer({.isolate = true});
      for (int i = 0; i < 10; ++i)
        outer.spawn([&] {
          scope inner({.isolate = true});
          for (int k = 0; k < 10; ++k)
            inner.spawn([&] {
              outer.spawn([&] { ++ran; });
              ++ran;
            });
        });
      filch::isolate([&] { outer.wait(); });
    });
    EXPECT_EQ(ran, 200);
  }
}

// The waiter is in the region. The jobs there belong to another scope, whose waiter is further down
// the stack.
TEST(isolated_scope, a_plain_scope_in_a_region_is_not_held_up_by_its_tasks) {
  pool p(1);
  filch::test::watch(p);
  int ran = 0;
  p.install([&] {
    filch::isolate([&] {
      scope plain;
      scope isolated({.isolate = true});
      plain.spawn([&] { ++ran; });
      isolated.spawn([&] { ++ran; });
      plain.wait();
    });
  });
  EXPECT_EQ(ran, 2);
}

// ---- who is not a worker of the pool ------------------------------------------------------------

TEST(isolated_scope, an_outside_thread_takes_part_with_its_tasks_only) {
  pool p(1);
  filch::test::watch(p);
  const auto me = std::this_thread::get_id();
  occupied busy(p);
  std::atomic<bool> other_ran_here = false;
  p.detach([&] { other_ran_here = std::this_thread::get_id() == me; });
  int ran_here = 0;
  {
    scope s({.on = &p, .isolate = true});
    for (int i = 0; i < 10; ++i)
      s.spawn([&] {
        ran_here += std::this_thread::get_id() == me ? 1 : 0;
        s.spawn([&] { ran_here += filch::join([] { return 1; }, [] {}).first; });
      });
    s.wait();
    EXPECT_EQ(ran_here, 20);
  }
  busy.leave();
  p.wait_idle();
  EXPECT_FALSE(other_ran_here);
}

// A ticket that is found too late is not the task, which is still running.
TEST(isolated_scope, the_pool_is_not_idle_while_an_outside_thread_runs_a_task) {
  gate inside, leave;
  pool p(2);  // a seat for the outside thread, and one for the task behind the ticket
  filch::test::watch(p);
  std::thread outside;
  {
    const occupied busy(p);
    outside = std::thread([&] {
      scope s({.on = &p, .isolate = true});
      s.spawn([&] {
        inside.open();
        leave.pass();
      });
    });
    inside.pass();
  }
  p.submit([] {}).get();  // behind the ticket
  EXPECT_FALSE(p.wait_idle_for(std::chrono::seconds(0)));
  leave.open();
  p.wait_idle();
  outside.join();
}

// When the waiter finds a task in the list, it leaves nothing behind in its deque.
TEST(isolated_scope, leaves_no_tickets_behind) {
  pool p(1);
  filch::test::watch(p);
  p.install([&] {
    for (int round = 0; round < 10; ++round) {
      scope s({.isolate = true});
      for (int i = 0; i < 10; ++i) s.spawn([] {});
      s.wait();
      EXPECT_EQ(filch::detail::worker::current()->size_hint(), 0u) << round;
    }
  });
}

// Not even with a full stack, and in the scope's region.
TEST(isolated_scope, its_futures_are_not_claimed_by_a_worker_of_another_pool) {
  pool p({.threads = 1, .max_help_depth = 0}), other(1);
  filch::test::watch(p);
  filch::test::watch(other);
  std::atomic<bool> elsewhere = false;
  p.install([&] {
    filch::scoped(
        [&](scope& s) {
          gate there;
          filch::future<void> inner;
          s.spawn([&] {
            inner = other.submit([&] { elsewhere = filch::this_worker::pool() != &other; });
            there.open();
          });
          there.pass();
          inner.get();
        },
        {.on = &other, .isolate = true});
  });
  EXPECT_FALSE(elsewhere);
  other.wait_idle();
  p.wait_idle();
}

TEST(isolated_scope, a_worker_of_another_pool_runs_nothing_meanwhile) {
  std::atomic<bool> waits = true, ran_while_waiting = false, ran_elsewhere = false;
  pool p({.threads = 1, .max_spares = 0}), other(2);  // a spare might run what is outside
  filch::test::watch(p);
  filch::test::watch(other);
  p.install([&] {
    p.detach([&] { ran_while_waiting = waits.load(); });
    scope s({.on = &other, .isolate = true});
    for (int i = 0; i < 10; ++i)
      s.spawn([&] {
        if (filch::this_worker::pool() != &other) ran_elsewhere = true;
        until([&] { return ran_while_waiting || sleeps(p, 0); });
      });
    s.wait();
    waits = false;
  });
  p.wait_idle();
  EXPECT_FALSE(ran_while_waiting);
  EXPECT_FALSE(ran_elsewhere);
}

TEST(isolated_scope, of_a_closed_pool_refuses_tasks_and_destroys_them) {
  pool p(1);
  filch::test::watch(p);
  auto held = std::make_shared<int>(0);
  scope s({.on = &p, .isolate = true});
  p.close();
  EXPECT_THROW(s.spawn([held] { ++*held; }), filch::pool_closed);
  EXPECT_THROW((void)s.async([held] { ++*held; }), filch::pool_closed);
  EXPECT_EQ(held.use_count(), 1);
  s.wait();
}

TEST(isolated_scope, its_tasks_wait_to_be_admitted_like_others) {
  std::atomic<int> ran = 0;
  pool p({.threads = 1, .queue_limit = 1});
  filch::test::watch(p);
  scope s({.on = &p, .isolate = true});
  for (int i = 0; i < 100; ++i) s.spawn([&] { ++ran; });
  s.wait();
  EXPECT_EQ(ran, 100);
}

// ---- repeated -----------------------------------------------------------------------------------

class isolated_rounds : public testing::TestWithParam<std::size_t> {};

// Outer tasks with a lock: half of them are isolated themselves, half have isolated scopes. Inner
// tasks are stolen, spawn more, and wait again.
TEST_P(isolated_rounds, of_outer_tasks_with_a_lock) {
  pool p(GetParam());
  filch::test::watch(p);
  constexpr int rounds = 200;
  constexpr int at_once = 50;
  std::vector<plain_lock> locks(4);
  std::vector<long> sums(4);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < at_once; ++i) {
      const auto which = static_cast<std::size_t>(i % 4);
      const auto body = [&, which](const options& inside) {
        locks[which].lock();
        std::atomic<long> ran = 0;
        {
          scope s(inside);
          for (int k = 0; k < 4; ++k)
            s.spawn([&] {
              s.spawn([&] { filch::join([&] { ++ran; }, [&] { ++ran; }); });
              ran += filch::submit([] { return 1; }).get();
            });
        }
        sums[which] += ran;  // under the lock
        locks[which].unlock();
      };
      if (i % 2 == 0)
        p.detach([=] { body({.isolate = true}); });
      else
        p.detach([=] { body({}); }, {.isolate = true});
    }
    if (round % 10 == 9) p.wait_idle();
  }
  p.wait_idle();
  long all = 0;
  for (const long sum : sums) all += sum;
  EXPECT_EQ(all, 12L * rounds * at_once);
}
INSTANTIATE_TEST_SUITE_P(workers, isolated_rounds, testing::Values(1, 2, 8));
