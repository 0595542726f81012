// R5, R7, R9 and R10: every job once, in the right place, whatever happens.
#include "filch/detail/base/config.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/injector_held.hpp"
#include "support/sanitizers.hpp"
#include "support/team.hpp"

using filch::pool;
using filch::test::gate;
using filch::test::injector_held;
using filch::test::team;
using filch::test::until;

namespace {

class on_workers : public testing::TestWithParam<std::size_t> {
 protected:
  static std::size_t workers() { return GetParam(); }
};
class R5_local_submission : public on_workers {};
class R7_exactly_once : public on_workers {};
class R9_exceptions : public on_workers {};
class R10_shutdown : public on_workers {};

/// A million under no sanitizer.
#if FILCH_TSAN || FILCH_ASAN
constexpr int many = 100'000;
#else
constexpr int many = 1'000'000;
#endif

/// How often each of `count` things happened.
class ledger {
 public:
  explicit ledger(std::size_t count) : times_(count) {}
  void note(std::size_t i) { times_[i].fetch_add(1, std::memory_order_relaxed); }
  std::size_t wrong() const {
    std::size_t sum = 0;
    for (const auto& t : times_) sum += t != 1;
    return sum;
  }

 private:
  std::vector<std::atomic<std::uint8_t>> times_;
};

void visit(ledger& book, std::size_t first, std::size_t last) {
  if (last - first == 1) return book.note(first);
  const std::size_t middle = first + (last - first) / 2;
  filch::join([&] { visit(book, first, middle); }, [&] { visit(book, middle, last); });
}

}  // namespace

// ---- R5: local submission never touches the injector --------------------------------------------

// The test holds the injector's lock until all have run: what went there would never come out.
TEST_P(R5_local_submission, of_a_million_tasks_leaves_the_injector_alone) {
  std::atomic<int> ran = 0;
  pool p(workers()), other(1);
  filch::test::watch(p);
  p.install([&] {
    const injector_held held(p.core()->queues.normal());
    for (int i = 0; i < many; ++i) {
      p.detach([&] { ran.fetch_add(1, std::memory_order_relaxed); });
      ASSERT_TRUE(i % 1000 != 0 || p.core()->queues.normal().empty_hint());
    }
    other.submit([&] { until([&] { return ran == many; }); }).get();  // helps meanwhile
  });
  EXPECT_EQ(p.metrics().total().injector_takes, 1u) << "the installed function, and nothing else";
  EXPECT_EQ(p.metrics().total().spawned, static_cast<std::uint64_t>(many));
}

TEST_P(R5_local_submission, in_every_form_leaves_the_injector_alone) {
  std::atomic<int> ran = 0;
  pool p(workers()), other(1);
  filch::test::watch(p);
  p.install([&] {
    const injector_held held(p.core()->queues.normal());
    for (int i = 0; i < 100; ++i) {
      p.detach([&] { ++ran; });
      (void)p.submit([&] { ++ran; });
      p.submit_batch(std::vector<std::function<void()>>(3, [&] { ++ran; }));
      filch::scoped([&](filch::scope& s) {
        s.spawn([&] { ++ran; });
        (void)s.async([&] { ++ran; });
      });
      filch::join([&] { ++ran; }, [&] { ++ran; }, [&] { ++ran; });
    }
    other.submit([&] { until([&] { return ran == 1000; }); }).get();
  });
  EXPECT_EQ(p.metrics().total().injector_takes, 1u);
}

// ---- R7: exactly once ---------------------------------------------------------------------------

TEST_P(R7_exactly_once, branches_of_joins) {
  pool p(workers());
  filch::test::watch(p);
  ledger book(20'000);
  p.install([&] { visit(book, 0, 20'000); });
  EXPECT_EQ(book.wrong(), 0u);
}

TEST_P(R7_exactly_once, tasks_of_scopes) {
  pool p(workers());
  filch::test::watch(p);
  ledger book(10'000);
  p.install([&] {
    filch::scoped([&](filch::scope& s) {
      for (std::size_t i = 0; i < 100; ++i)
        s.spawn([&, i] {
          for (std::size_t k = 0; k < 100; ++k) s.spawn([&, i, k] { book.note(100 * i + k); });
        });
    });
  });
  EXPECT_EQ(book.wrong(), 0u);
}

TEST_P(R7_exactly_once, tasks_from_many_outside_threads) {
  pool p(workers());
  filch::test::watch(p);
  constexpr std::size_t each = 2000;
  ledger book(4 * each);
  team(4, [&](std::size_t n) {
    for (std::size_t i = 0; i < each; i += 2) {
      p.detach([&, n, i] {
        book.note(n * each + i);
        p.detach([&, n, i] { book.note(n * each + i + 1); });
      });
    }
  }).join();
  p.wait_idle();
  EXPECT_EQ(book.wrong(), 0u);
}

// A run in which nothing was stolen would show nothing: here the owner does not touch its own.
TEST_P(R7_exactly_once, what_was_stolen) {
  if (workers() == 1) return;
  pool p(workers());
  filch::test::watch(p);
  constexpr std::size_t count = 5000;
  ledger book(count);
  std::atomic<std::size_t> ran = 0;
  p.install([&] {
    for (std::size_t i = 0; i < count; ++i)
      p.detach([&, i] {
        book.note(i);
        ++ran;
      });
    until([&] { return ran == count; });
  });
  EXPECT_EQ(book.wrong(), 0u);
  EXPECT_GE(p.metrics().total().steals_taken, count);  // what a thief took along is stolen on
}

// ---- R9: exceptions reach the waiter, the worker survives, counts stay right
// ---------------------

TEST_P(R9_exceptions, reach_the_waiter_and_end_no_worker) {
  std::atomic<int> reported = 0;
  pool p({.threads = workers(), .on_exception = [&](const std::exception_ptr&) { ++reported; }});
  filch::test::watch(p);
  for (int i = 0; i < 300; ++i) {
    EXPECT_THROW(p.submit([] { throw 1; }).get(), int);
    EXPECT_THROW(p.install([] { filch::join([] { throw 2; }, [] {}); }), int);
    EXPECT_THROW(p.install([] { filch::join([] {}, [] { throw 3; }); }), int);
    EXPECT_THROW(filch::scoped([](filch::scope& s) { s.spawn([] { throw 4; }); }, {.on = &p}), int);
    p.detach([] { throw 5; });
    p.broadcast([] { throw 6; });
  }
  p.wait_idle();
  EXPECT_EQ(reported, 300 + 300 * static_cast<int>(workers()));
  std::atomic<std::size_t> alive = 0;
  p.broadcast([&] { ++alive; });
  p.wait_idle();
  EXPECT_EQ(alive, workers());
  EXPECT_TRUE(p.wait_idle_for(std::chrono::seconds(0))) << "everything was counted down";
}

// ---- R10: shutdown under load loses nothing accepted --------------------------------------------

TEST_P(R10_shutdown, under_load_runs_everything_accepted) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> accepted = 0, ran = 0;
    {
      auto p = std::make_unique<pool>(workers());
      team outsiders(3, [&](std::size_t) {
        try {
          for (;;) {
            p->detach([&, self = p.get()] {
              self->detach([&] { ++ran; });  // the pool's own: always accepted
              filch::join([&] { ++ran; }, [&] { ++ran; });
            });
            ++accepted;
          }
        } catch (const filch::pool_closed&) {
        }
      });
      outsiders.start();
      until([&] { return accepted >= 100; });
      p->close();
      outsiders.join();
      p.reset();
    }
    ASSERT_EQ(ran, 3 * accepted);
  }
}

TEST_P(R10_shutdown, with_every_worker_deep_in_waits) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> leaves = 0;
    {
      pool p(workers());
      for (int i = 0; i < 20; ++i)
        p.detach([&] {
          filch::scoped([&](filch::scope& s) {
            for (int k = 0; k < 5; ++k)
              s.spawn([&] { filch::join([&] { ++leaves; }, [&] { ++leaves; }); });
          });
        });
    }
    ASSERT_EQ(leaves, 200);
  }
}

INSTANTIATE_TEST_SUITE_P(workers, R5_local_submission, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(workers, R7_exactly_once, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(workers, R9_exceptions, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(workers, R10_shutdown, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());
