// The end of threads and of the program: destructors of static and thread_local objects that
// submit, wait and join.
#include "filch/detail/base/config.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "filch/detail/base/thread.hpp"
#include "filch/filch.hpp"
#include "support/watchdog.hpp"

using filch::pool;
using namespace std::chrono_literals;

namespace {

/// Calls a function when it is destroyed, if it has one.
struct last_words {
  std::function<void()> what;
  last_words() = default;
  last_words(const last_words&) = delete;
  last_words& operator=(const last_words&) = delete;
  ~last_words() {
    if (what) what();
  }
};

last_words at_exit;                 // destroyed after everything that main() has made
thread_local last_words of_thread;  // destroyed after what the thread made later

/// Uses everything that free functions offer, and prints "all done" if all of it worked.
void use_everything() {
  std::atomic<int> ran = 0;
  filch::detach([&] { ++ran; });
  const int answer = filch::submit([] { return 42; }).get();
  const auto [a, b] = filch::join([] { return 1; }, [] { return 2; });
  filch::scoped([&](filch::scope& s) {
    s.spawn([&] { ++ran; });
    s.spawn([&] { filch::scoped([&](filch::scope& t) { t.spawn([&] { ++ran; }); }); });
  });
  bool thrown = false;
  try {
    (void)filch::join([] { throw std::runtime_error("1"); }, [] { throw std::runtime_error("2"); });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  filch::wait_idle();
  if (answer == 42 && a == 1 && b == 2 && ran == 3 && thrown) std::fputs("all done\n", stderr);
}

class exit_test : public testing::Test {
 protected:
  exit_test() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// The program calls exit(), and must end with `what` on stderr.
#define EXPECT_END(statement, what) \
  EXPECT_EXIT(                      \
      {                             \
        alarm(20);                  \
        statement;                  \
        std::exit(0);               \
      },                            \
      testing::ExitedWithCode(0), what)

}  // namespace

TEST_F(exit_test, a_static_destructor_may_use_the_default_pool_that_was_drained) {
  EXPECT_END(
      {
        filch::configure_default_pool({.threads = 2});
        use_everything();
        at_exit.what = use_everything;
      },
      "all done\nall done");
}

TEST_F(exit_test, a_static_destructor_may_be_the_first_to_use_the_default_pool) {
  EXPECT_END(at_exit.what = use_everything, "all done");
}

TEST_F(exit_test, a_static_destructor_may_use_the_default_pool_that_was_shut_down) {
  EXPECT_END(
      {
        filch::configure_default_pool({.threads = 2});
        use_everything();
        filch::shutdown_default_pool();
        at_exit.what = use_everything;
      },
      "all done\nall done");
}

TEST_F(exit_test, a_static_destructor_may_detach_after_a_shutdown) {
  EXPECT_END(
      {
        filch::detach([] {});
        filch::shutdown_default_pool();
        at_exit.what = [] { filch::detach([] { std::fputs("ran\n", stderr); }); };
      },
      "ran");
}

TEST_F(exit_test, a_static_destructor_may_end_a_pool_with_work) {
  EXPECT_END(
      {
        auto* p = new pool(2);
        at_exit.what = [p] {
          p->detach([] {
            std::this_thread::sleep_for(10ms);
            std::fputs("ran\n", stderr);
          });
          delete p;
        };
      },
      "ran");
}

TEST_F(exit_test, what_was_accepted_runs_although_main_has_returned) {
  EXPECT_END(
      {
        filch::configure_default_pool({.threads = 2});
        static std::atomic<int> left = 2000;
        static std::function<void()> chain = [] {
          if (--left > 0)
            filch::detach(chain);
          else
            std::fputs("the last one\n", stderr);
        };
        filch::detach(chain);
      },
      "the last one");
}

TEST_F(exit_test, a_thread_local_destructor_of_the_main_thread_may_use_everything) {
  EXPECT_END(of_thread.what = use_everything, "all done");
}

namespace {

/// A thread that first makes `of_thread`, then waits. The objects that waiting leaves behind end
/// before it.
void in_the_end_of_a_thread(const std::function<void()>& first, std::function<void()> last) {
  std::thread([&] {
    of_thread.what = std::move(last);
    first();
  }).join();
}

}  // namespace

TEST(end_of_a_thread, its_objects_may_use_everything) {
  filch::configure_default_pool({.threads = 2});
  testing::internal::CaptureStderr();
  in_the_end_of_a_thread(use_everything, use_everything);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "all done\nall done\n");
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
}

TEST(end_of_a_thread, a_workers_objects_may_use_another_pool) {
  std::atomic<int> answer = 0;
  pool other(1);
  {
    pool p(2);
    p.broadcast([&] {
      of_thread.what = [&] { answer += other.submit([] { return 1; }).get(); };
      other.submit([] {}).get();
    });
  }
  EXPECT_EQ(answer.load(), 2);
}

// The parker of a thread goes to the next thread that needs one. A thread that still waits must not
// share it.
TEST(end_of_a_thread, its_objects_wait_on_a_parker_of_their_own) {
  pool p(1), other(1);
  const filch::test::watchdog dog(
      20s, [] { return 0; }, [&p](std::ostream& out) { p.dump(out); });
  std::atomic<bool> go = false;
  in_the_end_of_a_thread([&] { p.submit([] { std::this_thread::sleep_for(2ms); }).get(); },
                         [&] {
                           auto blocked = other.submit([&] {
                             while (!go) std::this_thread::sleep_for(1ms);
                           });
                           std::thread rival([&] { blocked.wait(); });
                           std::this_thread::sleep_for(20ms);
                           p.submit([] { std::this_thread::sleep_for(20ms); }).get();
                           go = true;
                           rival.join();
                         });
}

#if !FILCH_TSAN  // it fails when 65536 calls are nested
namespace {

int deep(int levels) {
  if (levels == 0) return 0;
  const auto [a, b] = filch::join([=] { return deep(levels - 1); }, [] { return 1; });
  return a + b;
}

/// After main: the thread has no slot in a pool, so the branch of its join is in a slot of its own.
/// Then it is a guest of another pool, and joins there beyond the end of that stack.
void join_without_a_place_and_then_deep_in_a_place(pool& other) {
  constexpr int levels = 70'000;
  std::atomic<bool> may_end = false, began = false, ended = false;
  std::atomic<int> second = 0, reached = 0;
  const auto first = [&] {
    other.detach([&] {
      began = true;
      while (!may_end) std::this_thread::yield();
      ended = true;
    });
    while (!began) std::this_thread::yield();
    filch::scope s({.on = &other});  // only the waiting thread is free to run its task
    s.spawn([&] {
      reached = deep(levels);
      may_end = true;
    });
    s.wait();
    throw std::runtime_error("first");
  };
  try {
    (void)filch::join(first, [&] { second = 42; });
  } catch (const std::runtime_error&) {
    if (second == 42 && reached == levels) std::fputs("all done\n", stderr);
  }
  while (!ended) std::this_thread::yield();  // the task uses this thread's stack
}

}  // namespace

TEST_F(exit_test, branches_of_a_thread_without_a_slot_are_left_alone_by_deeper_ones) {
  EXPECT_END(
      {
        filch::default_pool().install([] {});
        static pool& other = *new pool(1);
        at_exit.what = [] {
          filch::detail::os_thread::start(
              [](void*) { join_without_a_place_and_then_deep_in_a_place(other); }, nullptr,
              {.name = {}, .stack_size = std::size_t{1} << 30, .cpu = {}})
              .join();
        };
      },
      "all done");
}
#endif
