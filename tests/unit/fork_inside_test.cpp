// fork(): futures of the parent with continuations, and a fork inside of isolate or blocking.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "filch/filch.hpp"
#include "support/child.hpp"
#include "support/complaint.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/sanitizers.hpp"

using filch::pool;
using filch::test::complaint;
using filch::test::end_of;
using filch::test::in_child;
using filch::test::occupied;
using filch::test::require;

namespace {

#if FILCH_ASAN
/// All tests here: see fork_test.cpp.
class skipped_by_address_sanitizer : public testing::Environment {
  void SetUp() override { GTEST_SKIP() << "AddressSanitizer's heap does not survive fork()"; }
};
[[maybe_unused]] const testing::Environment* const skip_all =
    testing::AddGlobalTestEnvironment(new skipped_by_address_sanitizer);
#endif

/// The child's thread is not a worker any more, and can use its own pool. But the ThreadSanitizer
/// of g++ 12 ends a child that starts a thread.
void require_a_new_life() {
  require(!filch::this_worker::index(), "no worker any more");
  if (FILCH_TSAN == 0) require(pool(2).submit([] { return 5; }).get() == 5, "a pool of its own");
}

}  // namespace

// ---- futures ------------------------------------------------------------------------------------

TEST(fork_inside, nothing_can_follow_a_future_of_the_parent_that_has_no_result) {
  pool p(1);
  const occupied inside(p);
  const auto says_why = [](const std::string& s, const char* who) {
    return s.find(who) != s.npos && s.find("fork()") != s.npos && s.find("index 1") != s.npos;
  };
  pool other(1);
  const auto ready_and_waiting = [&] {
    std::vector<filch::future<int>> both_kinds;
    both_kinds.push_back(other.submit([] { return 7; }));
    both_kinds.back().wait();
    both_kinds.push_back(p.submit([] { return 8; }));
    return both_kinds;
  };
  auto all = ready_and_waiting();
  auto any = ready_and_waiting();
  auto several = ready_and_waiting();
  auto followed = ready_and_waiting();
  EXPECT_EQ(
      in_child([&] {
        require(says_why(complaint([&] { (void)filch::when_all(std::move(all)); }), "when_all"),
                "when_all of a vector");
        require(says_why(complaint([&] { (void)filch::when_any(std::move(any)); }), "when_any"),
                "when_any");
        require(says_why(complaint([&] {
                           (void)filch::when_all(std::move(several[0]), std::move(several[1]));
                         }),
                         "when_all"),
                "when_all of several");
        require(!complaint([&] { (void)followed[1].then([](int) {}); }).empty(), "then");
      }),
      "");
}

TEST(fork_inside, futures_of_the_parent_that_have_results_can_be_gathered) {
  pool p(2);
  std::vector<filch::future<int>> all, any;
  for (int i = 0; i < 3; ++i) {
    all.push_back(p.submit([i] { return i; }));
    any.push_back(p.submit([i] { return i; }));
    all.back().wait();
    any.back().wait();
  }
  EXPECT_EQ(in_child([&] {
              require(filch::when_all(std::move(all)).get() == std::vector<int>{0, 1, 2}, "all");
              require(filch::when_any(std::move(any)).get() == std::pair{std::size_t{0}, 0}, "any");
            }),
            "");
}

TEST(fork_inside, a_promise_of_the_parent_stays_with_the_parent) {
  filch::promise<int> unset, set;
  filch::future<int> f = unset.get_future();
  const filch::shared_future<int> ready = set.get_future().share();
  set.set_value(7);
  EXPECT_EQ(in_child([&] {
              const auto says_why = [](const std::string& s) { return s.find("fork()") != s.npos; };
              require(says_why(complaint([&] { unset.set_value(1); })), "set_value");
              require(says_why(complaint([&] { f.wait(); })), "wait");
              require(ready.get() == 7, "a result that was there");
              { const filch::promise<int> gone = std::move(unset); }
              require(!f.ready(), "it is not broken");
              filch::promise<int> own;
              own.set_value(8);
              require(own.get_future().share().get() == 8, "a promise of its own");
            }),
            "");
  unset.set_value(1);
  EXPECT_EQ(f.get(), 1);
}

TEST(fork_inside, timers_of_the_parent_stay_with_the_parent) {
  using namespace std::chrono_literals;
  pool p(1);
  std::stop_source stop;
  std::atomic<int> calls = 0;
  filch::future<int> later =
      filch::submit_after(1h, [] { return 1; }, {.stop = stop.get_token(), .on = &p});
  filch::periodic_task beat = filch::submit_every(1us, [&] { ++calls; }, {.on = &p});
  for (int i = 0; i < 10; ++i)  // while the thread of the timers works
    EXPECT_EQ(in_child([&] {
                require(!complaint([&] { later.wait(); }).empty(), "wait");
                require(
                    !complaint([&] { (void)filch::submit_after(1s, [] {}, {.on = &p}); }).empty(),
                    "a pool of the parent");
                stop.request_stop();
                require(!beat.active(), "active");
                beat.stop();
                beat = filch::periodic_task();
                if (FILCH_TSAN != 0) return;
                pool own(1);
                require(filch::submit_after(1us, [] { return 5; }, {.on = &own}).get() == 5,
                        "a timer of its own");
              }),
              "");
  EXPECT_FALSE(later.ready());
  const int before = calls;
  filch::test::until([&] { return calls > before; });
}

// ---- isolate and blocking -----------------------------------------------------------------------

namespace {

/// Forks inside of `around`, which the child leaves too. Returns "" if all went well there.
template <class Around>
std::string fork_inside(Around around) {
  std::fflush(nullptr);
  pid_t child = -1;
  around([&] {
    child = fork();
    if (child == 0) filch::test::end_if_it_hangs();
  });
  if (child > 0) return end_of(child);
  require(child == 0, "there is one");
  require_a_new_life();
  _exit(0);
}

const auto isolated = [](auto f) { filch::isolate(f); };
const auto blocked = [](auto f) { filch::blocking(f); };
const auto both = [](auto f) { filch::isolate([&] { filch::blocking([&] { isolated(f); }); }); };

}  // namespace

// The worker that the region or the block belongs to is the parent's.
TEST(fork_inside, a_child_may_leave_isolate_and_blocking) {
  pool p(2);
  EXPECT_EQ(p.install([] { return fork_inside(isolated); }), "");
  EXPECT_EQ(p.install([] { return fork_inside(blocked); }), "");
  EXPECT_EQ(p.install([] { return fork_inside(both); }), "");
  EXPECT_EQ(fork_inside(both), "") << "outside of every pool";
  EXPECT_EQ(p.install([] { return filch::join([] { return 1; }, [] { return 2; }).second; }), 2)
      << "the worker works on";
  std::string of_guest = "did not run";
  filch::join([&] { of_guest = fork_inside(both); }, [] {});
  EXPECT_EQ(of_guest, "");
}

// A lock of the pool that another thread holds at that moment stays locked in the child.
TEST(fork_inside, a_child_may_leave_blocking_while_others_block_and_return) {
  std::atomic<bool> over = false;
  pool p(2);
  auto around = p.submit([&] {
    while (!over) filch::blocking([] {});
  });
  std::string end;
  for (int round = 0; round < 100 && end.empty(); ++round)
    end = p.install([] { return fork_inside(both); });
  EXPECT_EQ(end, "");
  over = true;
  around.get();
}
