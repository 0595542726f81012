// fork(): what a child can do with the pools of its parent, which is little, and with its own
// pools.
//
// Children report by their exit code whether all went well. An alarm ends them if they hang.
#include "filch/detail/base/config.hpp"

#include <gtest/gtest.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/detail/base/affinity.hpp"
#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/filch.hpp"
#include "support/child.hpp"
#include "support/complaint.hpp"
#include "support/coroutine.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/sanitizers.hpp"

using filch::default_pool;
using filch::pool;
using filch::usage_error;
using filch::test::complaint;
using filch::test::end_of;
using filch::test::gate;
using filch::test::in_child;
using filch::test::occupied;
using filch::test::require;
using filch::test::until;

namespace {

// ThreadSanitizer of g++ 12 ends a child that starts a thread ("dup thread with used id", also with
// die_after_fork=0). So its children start none, and tests that are only about threads are skipped.
constexpr bool child_may_start_threads = FILCH_TSAN == 0;

#define NEEDS_THREADS_IN_THE_CHILD \
  if (!child_may_start_threads) GTEST_SKIP() << "ThreadSanitizer ends such a child"

#if FILCH_ASAN
/// All tests here.
class skipped_by_address_sanitizer : public testing::Environment {
  void SetUp() override {
    GTEST_SKIP() << "AddressSanitizer's heap does not survive fork(): a lock of it that another "
                    "thread holds stays held in the child, which then hangs, whatever it does";
  }
};
[[maybe_unused]] const testing::Environment* const skip_all =
    testing::AddGlobalTestEnvironment(new skipped_by_address_sanitizer);
#endif

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

template <class F>
void require_refusal(F f, const char* what) {
  const std::string said = complaint(f);
  require(said.find("'render'") != std::string::npos, what);
  require(said.find("make a new pool") != std::string::npos, what);
}

/// A pool whose first branch waits until another thread has taken the second: stealing must work.
void require_thieves() {
  pool p(2);
  for (int round = 0; round < 20; ++round)
    p.install([] {
      gate taken;
      filch::join([&] { taken.pass(); }, [&] { taken.open(); });
    });
  require(p.metrics().total().steals_taken >= 20, "branches are stolen");
}

/// Everything that a child may do with its own pools.
void require_a_new_life() {
  require(!filch::this_worker::index(), "no worker any more");
  require(filch::this_worker::pool() == nullptr, "no pool any more");
  require(filch::detail::worker::current() == nullptr, "no slot any more");
  if (!child_may_start_threads) return;
  require(fib(12) == 144, "join from outside");
  require(filch::submit([] { return 5; }).get() == 5, "a task of the default pool");
  std::atomic<int> ran = 0;
  filch::scoped([&](filch::scope& s) {
    for (int i = 0; i < 10; ++i) s.spawn([&] { ++ran; });
  });
  require(ran == 10, "a scope");
  default_pool().wait_idle();
  pool own(3);
  require(own.install([] { return fib(12); }) == 144, "a pool of its own");
}

/// While it lives, threads use filch and the heap all the time.
class commotion {
 public:
  explicit commotion(pool& p) {
    for (int i = 0; i < 2; ++i)
      threads_.emplace_back([this, &p] {
        while (!over_) {
          (void)p.install([] { return fib(5); });
          use_the_heap(p);
        }
      });
  }
  commotion(const commotion&) = delete;
  commotion& operator=(const commotion&) = delete;
  ~commotion() {
    over_ = true;
    for (std::thread& t : threads_) t.join();
  }

 private:
  static void use_the_heap(pool& p) {
    std::vector<std::string> strings(10, std::string(100, 'x'));
    p.detach([] { (void)std::make_unique<std::array<char, 500>>(); });
    (void)p.submit([] { return fib(5); }).get();
    p.wait_idle();
  }

  std::atomic<bool> over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

// ---- what was inherited -------------------------------------------------------------------------

namespace {

filch::test::eager<int> go_on_in(pool& p) {
  co_await p.schedule();
  co_return 1;
}

/// Everything for which `p`, which is named 'render', would need its threads.
void require_refusals(pool& p) {
  require_refusal([&] { (void)p.submit([] {}); }, "submit");
  require_refusal([&] { (void)p.try_submit([] {}); }, "try_submit");
  require_refusal([&] { p.detach([] {}); }, "detach");
  require_refusal([&] { (void)p.try_detach([] {}); }, "try_detach");
  require_refusal([&] { p.detach([] {}, {.priority = filch::priority::high}); }, "urgent");
  require_refusal([&] { p.detach([] {}, {.isolate = true}); }, "isolated");
  std::vector<std::function<void()>> batch(3, [] {});
  require_refusal([&] { p.submit_batch(batch); }, "submit_batch");
  require_refusal([&] { p.install([] {}); }, "install");
  require_refusal([&] { p.broadcast([] {}); }, "broadcast");
  require_refusal([&] { (void)go_on_in(p).get(); }, "schedule");
  require_refusal([&] { p.wait_idle(); }, "wait_idle");
  require_refusal([&] { (void)p.wait_idle_for(std::chrono::seconds(0)); }, "_for");
  require_refusal([&] { const filch::scope s({.on = &p}); }, "scope");
  require_refusal([&] { const filch::scope s({.on = &p, .isolate = true}); }, "isolated scope");
  require_refusal([&] { filch::scoped([](filch::scope&) {}, {.on = &p}); }, "scoped");
  require_refusal([&] { (void)filch::submit([] {}, {.on = &p}); }, "filch::submit");
  require_refusal([&] { filch::detach([] {}, {.on = &p}); }, "filch::detach");
}

}  // namespace

TEST(fork, an_inherited_pool_refuses_what_needs_its_threads_and_says_what_to_do) {
  pool p({.threads = 2, .name = "render"});
  EXPECT_EQ(p.submit([] { return 1; }).get(), 1);
  EXPECT_EQ(in_child([&] { require_refusals(p); }), "");
  EXPECT_EQ(p.submit([] { return 2; }).get(), 2) << "the parent's is as it was";
}

// A call does not wait for an admission that only the parent's threads could make.
TEST(fork, an_inherited_pool_with_a_full_queue_refuses_too) {
  pool p({.threads = 1, .name = "render", .queue_limit = 1});
  EXPECT_EQ(in_child([&] { require_refusals(p); }), "");
  const occupied inside(p);
  ASSERT_TRUE(p.try_detach([] {}));
  ASSERT_FALSE(p.try_detach([] {}));
  EXPECT_EQ(in_child([&] { require_refusals(p); }), "");
}

TEST(fork, what_was_refused_is_destroyed_and_does_not_run) {
  pool p(1);
  auto held = std::make_shared<int>(0);
  EXPECT_EQ(in_child([&] {
              EXPECT_THROW(p.detach([held] { ++*held; }), usage_error);
              EXPECT_THROW((void)p.submit([held] { ++*held; }), usage_error);
              require(held.use_count() == 1 && *held == 0, "nothing is kept");
            }),
            "");
}

TEST(fork, an_inherited_pool_still_says_how_things_were) {
  pool p({.threads = 2, .name = "render"});
  for (int i = 0; i < 10; ++i) p.submit([] {}).get();
  p.wait_idle();
  EXPECT_EQ(in_child([&] {
              require(p.size() == 2, "size");
              require(p.metrics().total().jobs >= 10, "metrics");
              std::ostringstream out;
              p.dump(out);
              require(out.str().find("'render'") != std::string::npos, "dump names it");
              require(out.str().find("fork") != std::string::npos, "dump says why");
            }),
            "");
}

TEST(fork, the_destructor_of_an_inherited_pool_returns_at_once) {
  auto idle = std::make_unique<pool>(2);
  auto busy = std::make_unique<pool>(2);
  const occupied inside(*busy);
  busy->detach([] {});
  EXPECT_EQ(in_child([&] {
              idle->close();
              idle.reset();
              busy->close();
              busy->close();
              busy.reset();
            }),
            "");
}

TEST(fork, a_future_of_the_parent_has_its_result_or_never_will) {
  pool p(1);
  auto ready = p.submit([] { return 7; });
  ready.wait();
  const occupied inside(p);
  auto waiting = p.submit([] { return 8; });
  EXPECT_EQ(in_child([&] {
              require(ready.ready() && ready.get() == 7, "what was there is there");
              require(!waiting.ready(), "what was not is not");
              const auto says_why = [](const std::string& s) { return s.find("fork()") != s.npos; };
              require(says_why(complaint([&] { waiting.wait(); })), "wait");
              require(says_why(complaint([&] { (void)waiting.wait_for(std::chrono::hours(1)); })),
                      "wait_for");
              require(says_why(complaint([&] { (void)waiting.get(); })), "get");
              require(waiting.valid(), "and it was not used up");
            }),
            "");
}

TEST(fork, a_scope_of_the_parent_refuses_and_its_destructor_returns) {
  pool p({.threads = 1, .name = "render"});
  const occupied inside(p);
  std::optional<filch::scope> s(std::in_place, filch::options{.on = &p});
  std::atomic<int> ran = 0;
  s->spawn([&] { ++ran; });
  EXPECT_EQ(in_child([&] {
              require_refusal([&] { s->spawn([] {}); }, "spawn");
              require_refusal([&] { (void)s->async([] {}); }, "async");
              require_refusal([&] { s->wait(); }, "wait");
              s.reset();
              require(ran == 0, "its task is the parent's");
            }),
            "");
  s->wait();
  EXPECT_EQ(ran, 1);
}

// A thread of the parent may have held the lock of its limit at the moment of the fork.
TEST(fork, a_limited_scope_of_the_parent_is_destroyed_at_once) {
  using filch::detail::call_limit;
  pool p(1);
  std::optional<filch::scope> s(std::in_place, filch::options{.on = &p, .max_workers = 1});
  const call_limit* parents = nullptr;
  s->spawn([&] { parents = call_limit::of(filch::detail::region_here()); });
  s->wait();
  EXPECT_EQ(in_child([&] {
              s.reset();
              const call_limit::call own(1);
              require(parents != nullptr && call_limit::of(own.where(false)) != parents,
                      "what the parent's threads may have locked is not used");
            }),
            "");
}

// ---- the default pool ---------------------------------------------------------------------------

TEST(fork, the_default_pool_of_a_child_is_new_and_as_configured) {
  NEEDS_THREADS_IN_THE_CHILD;
  filch::shutdown_default_pool();
  filch::configure_default_pool({.threads = 3, .name = "mine"});
  pool& parents = default_pool();
  EXPECT_EQ(in_child([&] {
              require(&default_pool() != &parents, "it is another one");
              require(default_pool().size() == 3, "made as the parent's was");
              require(!complaint([&] { parents.detach([] {}); }).empty(), "not the parent's");
              require_a_new_life();
            }),
            "");
  EXPECT_EQ(&default_pool(), &parents);
  EXPECT_EQ(filch::submit([] { return 1; }).get(), 1);
}

TEST(fork, the_default_pool_of_a_child_can_be_configured_and_shut_down) {
  NEEDS_THREADS_IN_THE_CHILD;
  filch::shutdown_default_pool();
  filch::configure_default_pool({.threads = 2});
  (void)default_pool();
  EXPECT_EQ(in_child([] {
              filch::shutdown_default_pool();  // it does not exist yet
              filch::configure_default_pool({.threads = 4});
              require(default_pool().size() == 4, "as the child wants it");
              require(!complaint([] { filch::configure_default_pool({.threads = 1}); }).empty(),
                      "it exists now");
              std::atomic<int> ran = 0;
              for (int i = 0; i < 100; ++i) filch::detach([&] { ++ran; });
              filch::shutdown_default_pool();
              require(ran == 100, "shutdown runs what was accepted");
              require_a_new_life();
            }),
            "");
  EXPECT_EQ(default_pool().size(), 2u);
}

// In a program of its own: the other tests have a watchdog, and exit() would wait for its thread.
TEST(fork_death_test, a_child_drains_its_own_default_pool_at_exit_and_not_the_parents) {
  NEEDS_THREADS_IN_THE_CHILD;
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const int used : {0, 1}) {
    EXPECT_EXIT(
        {
          static std::atomic<int> ran = 0;
          struct report {
            report() = default;
            report(const report&) = delete;
            report& operator=(const report&) = delete;
            ~report() {
              std::fprintf(stderr, "ran %d, ", ran.load());
              _exit(5);  // a leak checker misses what only the threads of the parent can see
            }
          };
          static const report after_the_pool;  // made before the pool's handler, so it ends later
          const occupied inside(default_pool());
          filch::detach([] { ran += 1000; });
          const pid_t child = fork();
          if (child == 0) {
            filch::test::end_if_it_hangs();
            for (int i = 0; i < 100 * used; ++i) filch::detach([] { ++ran; });
            std::exit(6);
          }
          std::fprintf(stderr, "and it ended: '%s'", end_of(child, 5).c_str());
          _exit(0);
        },
        testing::ExitedWithCode(0),
        used != 0 ? "ran 100, and it ended: ''" : "ran 0, and it ended: ''");
  }
}

// ---- from where ---------------------------------------------------------------------------------

TEST(fork, of_an_outside_thread_begins_a_new_life) {
  pool p(2);
  EXPECT_EQ(p.submit([] { return 1; }).get(), 1);
  EXPECT_EQ(in_child(require_a_new_life), "");
}

// Membarrier has to be registered in the child too.
TEST(fork, a_child_has_thieves) {
  NEEDS_THREADS_IN_THE_CHILD;
  EXPECT_EQ(pool(2).submit([] { return in_child(require_thieves); }).get(), "");
  EXPECT_EQ(in_child(require_thieves), "");
}

// Confinement to one CPU, in a process that may be left in that state.
TEST(fork, a_child_that_is_confined_to_one_cpu_has_one_worker_and_works) {
  NEEDS_THREADS_IN_THE_CHILD;
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
  EXPECT_EQ(in_child([] {
              const std::array<std::size_t, 1> one{filch::detail::process_cpus().front()};
              require(filch::detail::set_this_thread_cpus(one), "confined");
              require(default_pool().size() == 1, "as many workers as CPUs");
              require_a_new_life();
              require_thieves();
            }),
            "");
}

TEST(fork, of_a_worker_gives_a_child_that_is_none) {
  pool p(2);
  const auto forked = [] { return in_child(require_a_new_life); };
  EXPECT_EQ(p.install(forked), "");
  EXPECT_EQ(p.submit(forked).get(), "");
  EXPECT_EQ(p.install([&] { return filch::join(forked, forked).first; }), "");
  EXPECT_EQ(p.install([&] { return fib(10); }), 55) << "the worker works on";
}

TEST(fork, of_a_worker_with_branches_and_tasks_waiting) {
  std::atomic<int> ran = 0;
  pool p(1);
  std::string end = "did not run";
  p.install([&] {
    for (int i = 0; i < 10; ++i) p.detach([&] { ++ran; });
    p.broadcast([&] { ++ran; });
    filch::join([&] { end = in_child(require_a_new_life); }, [&] { ++ran; });
  });
  p.wait_idle();
  EXPECT_EQ(end, "");
  EXPECT_EQ(ran, 12);
}

TEST(fork, of_a_task_of_the_default_pool) {
  NEEDS_THREADS_IN_THE_CHILD;
  pool* const parents = &default_pool();
  EXPECT_EQ(filch::submit([=] {
              return in_child([=] {
                require(&default_pool() != parents, "it is another one");
                require_a_new_life();
              });
            }).get(),
            "");
}

TEST(fork, of_a_guest_in_a_join) {
  std::string first, second;
  filch::join([&] { first = in_child(require_a_new_life); },
              [&] { second = in_child(require_a_new_life); });
  EXPECT_EQ(first, "");
  EXPECT_EQ(second, "");
  EXPECT_EQ(fib(10), 55);
}

TEST(fork, of_a_guest_that_waits_for_a_scope) {
  pool p(1);
  const occupied inside(p);  // so the guest runs the tasks itself
  filch::scope s({.on = &p});
  std::string end = "did not run";
  s.spawn([&] { end = in_child(require_a_new_life); });
  s.wait();
  EXPECT_EQ(end, "");
}

TEST(fork, of_a_hook) {
  std::string end;
  std::atomic<bool> done = false;
  pool p({.threads = 1, .on_start = [&](std::size_t) {
            end = in_child(require_a_new_life);
            done = true;
          }});
  p.wait_idle();
  EXPECT_TRUE(done);
  EXPECT_EQ(end, "");
}

TEST(fork, of_a_child_gives_a_grandchild_with_pools_of_its_own) {
  NEEDS_THREADS_IN_THE_CHILD;
  pool p({.threads = 2, .name = "render"});
  EXPECT_EQ(in_child([&] {
              require_a_new_life();
              pool childs({.threads = 2, .name = "render"});
              pool* const childs_default = &default_pool();
              const std::string end = childs.install([&] {
                return in_child([&] {
                  require_refusal([&] { p.detach([] {}); }, "the grandparent's");
                  require_refusal([&] { childs.detach([] {}); }, "the parent's");
                  require(&default_pool() != childs_default, "it is another one");
                  require_a_new_life();
                });
              });
              require(end.empty(), end.c_str());
              require(childs.install([] { return fib(10); }) == 55, "the child's is as it was");
            }),
            "");
}

// ---- in the middle of things --------------------------------------------------------------------

TEST(fork, under_load_many_times) {
  pool p(2);
  const commotion around(p);
  for (int round = 0; round < 200; ++round) {
    const std::string end = in_child([&] {
      require(!complaint([&] { p.wait_idle(); }).empty(), "refused");
      require_a_new_life();
    });
    ASSERT_EQ(end, "") << "in round " << round;
  }
}

TEST(fork, while_other_threads_make_and_end_pools) {
  filch::shutdown_default_pool();
  std::atomic<bool> over = false;
  std::thread makes_default([&] {
    while (!over) {
      filch::configure_default_pool({.threads = 2});
      (void)default_pool();
      filch::shutdown_default_pool();
    }
  });
  std::thread makes_own([&] {
    while (!over) EXPECT_EQ(pool(2).install([] { return fib(3); }), 2);
  });
  for (int round = 0; round < 100; ++round) {
    const std::string end = in_child(require_a_new_life);
    EXPECT_EQ(end, "") << "in round " << round;
    if (!end.empty()) break;
  }
  over = true;
  makes_default.join();
  makes_own.join();
}

TEST(fork, to_start_another_program_is_no_business_of_pools) {
  pool p(2);
  p.install([] {
    std::array<char, 5> name{"true"};
    std::array<char*, 2> arguments{name.data(), nullptr};
    for (int round = 0; round < 10; ++round) {
      pid_t child = 0;
      ASSERT_EQ(posix_spawnp(&child, "true", nullptr, nullptr, arguments.data(), environ), 0);
      EXPECT_EQ(end_of(child), "");
      EXPECT_TRUE(filch::this_worker::index());
    }
  });
  EXPECT_EQ(p.install([] { return fib(10); }), 55);
}

// ---- and what it must not do --------------------------------------------------------------------

namespace {

/// Calls fork() and returns in the child. In the parent it reports how the child ended.
void fork_and_go_on() {
  const pid_t child = fork();
  if (child == 0) return;
  std::fprintf(stderr, "the child %s", end_of(child).c_str());
  _exit(3);
}

constexpr const char* aborted = "went on in the child(.|\n)*the child ended by signal 6";

}  // namespace

TEST(fork_death_test, a_task_that_returns_in_the_child_ends_it_with_a_message) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(pool(1).submit(fork_and_go_on).get(), testing::ExitedWithCode(3), aborted);
  EXPECT_EXIT(pool(1).install(fork_and_go_on), testing::ExitedWithCode(3), aborted);
  EXPECT_EXIT(pool(1).submit(fork_and_go_on, {.isolate = true}).get(), testing::ExitedWithCode(3),
              aborted);
}

TEST(fork_death_test,
     a_task_at_intervals_that_returns_or_throws_in_the_child_ends_it_with_a_message) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto call_at_intervals = [](auto f) {
    pool p(1);
    const filch::periodic_task beat =
        filch::submit_every(std::chrono::microseconds(1), f, {.on = &p});
    until([] { return false; });
  };
  const auto fork_and_throw = [] {
    fork_and_go_on();
    throw 1;
  };
  EXPECT_EXIT(call_at_intervals(fork_and_go_on), testing::ExitedWithCode(3), aborted);
  EXPECT_EXIT(call_at_intervals(fork_and_throw), testing::ExitedWithCode(3), aborted);
}

// It would run what the parent runs too.
TEST(fork_death_test, a_task_of_a_scope_that_returns_in_the_child_ends_it_with_a_message) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        pool p(1);
        p.install([] {
          filch::scoped([](filch::scope& s) {
            auto last = s.async([] {});
            s.spawn(fork_and_go_on);
            last.wait();  // runs the other one first
          });
        });
      },
      testing::ExitedWithCode(3), aborted);
}

TEST(fork_death_test, a_join_that_goes_on_in_the_child_ends_it_with_a_message) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(filch::join([] { fork_and_go_on(); }, [] {}), testing::ExitedWithCode(3), aborted);
  EXPECT_EXIT(pool(1).install([] { filch::join([] { fork_and_go_on(); }, [] {}); }),
              testing::ExitedWithCode(3), aborted);
}
