#include "filch/metrics.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::metrics;
using filch::pool;
using filch::worker_metrics;
using filch::test::gate;
using filch::test::until;

namespace {

std::string dump_of(const pool& p) {
  std::ostringstream out;
  p.dump(out);
  return out.str();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(metrics, are_all_zero_in_a_pool_that_did_nothing) {
  pool p(3);
  const metrics m = p.metrics();
  ASSERT_EQ(m.workers.size(), 3u);
  EXPECT_EQ(m.total().jobs, 0u);
  EXPECT_EQ(m.total().spawned, 0u);
  EXPECT_EQ(m.total().injector_takes, 0u);
  EXPECT_EQ(m.total().steals_taken, 0u);
}

TEST(metrics, add_up) {
  worker_metrics a{.jobs = 1,
                   .spawned = 2,
                   .steals_taken = 3,
                   .steals_lost = 4,
                   .steals_empty = 5,
                   .injector_takes = 6,
                   .sleeps = 7,
                   .wakes = 8};
  metrics m{.workers = {a}, .guests = a, .spares = a};
  const worker_metrics sum = m.total();
  EXPECT_EQ(sum.jobs, 3u);
  EXPECT_EQ(sum.spawned, 6u);
  EXPECT_EQ(sum.steals_taken, 9u);
  EXPECT_EQ(sum.steals_lost, 12u);
  EXPECT_EQ(sum.steals_empty, 15u);
  EXPECT_EQ(sum.injector_takes, 18u);
  EXPECT_EQ(sum.sleeps, 21u);
  EXPECT_EQ(sum.wakes, 24u);
}

TEST(metrics, count_jobs_from_outside_as_taken_from_the_injector) {
  pool p(2);
  for (int i = 0; i < 100; ++i) p.detach([] {});
  p.wait_idle();
  const worker_metrics sum = p.metrics().total();
  EXPECT_EQ(sum.jobs, 100u);
  EXPECT_EQ(sum.injector_takes, 100u);
  EXPECT_EQ(sum.spawned, 0u);
}

TEST(metrics, count_jobs_of_tasks_as_spawned) {
  pool p(1);
  p.install([&] {
    for (int i = 0; i < 50; ++i) p.detach([] {});
    filch::scoped([](filch::scope& s) {
      for (int i = 0; i < 50; ++i) s.spawn([] {});
    });
  });
  p.wait_idle();
  const worker_metrics sum = p.metrics().total();
  EXPECT_EQ(sum.spawned, 100u);
  EXPECT_EQ(sum.jobs, 101u);
  EXPECT_EQ(sum.injector_takes, 1u);
}

TEST(metrics, do_not_count_what_join_calls_itself) {
  pool p(1);
  p.install([] {
    for (int i = 0; i < 100; ++i) filch::join([] {}, [] {});
  });
  p.wait_idle();
  EXPECT_EQ(p.metrics().total().jobs, 1u);
  EXPECT_EQ(p.metrics().total().spawned, 0u);
}

TEST(metrics, count_steals) {
  pool p(2);
  p.install([] {
    gate stolen;
    filch::join([&] { stolen.pass(); }, [&] { stolen.open(); });
  });
  p.wait_idle();
  EXPECT_EQ(p.metrics().total().steals_taken, 1u);
  EXPECT_EQ(p.metrics().total().jobs, 2u);
}

TEST(metrics, count_sleeps_and_wakes) {
  pool p({.threads = 2, .idle = filch::idle::power});
  until([&] { return p.metrics().total().sleeps >= 2; });
  p.install([&] {
    gate stolen;
    filch::join([&] { stolen.pass(); }, [&] { stolen.open(); });
  });
  EXPECT_GE(p.metrics().total().wakes, 1u) << "a worker woke the other";
}

TEST(metrics, count_guests_apart) {
  gate busy, leave;
  pool p(1);
  p.detach([&] {
    p.detach([&] { leave.open(); });
    busy.open();
    leave.pass();
  });
  busy.pass();
  filch::scope s({.on = &p});
  s.spawn([] {});
  s.wait();  // meanwhile the guest runs what the worker cannot
  EXPECT_GE(p.metrics().guests.jobs, 1u);
  EXPECT_EQ(p.metrics().workers.size(), 1u);
}

TEST(dump, of_an_idle_pool) {
  pool p({.threads = 2, .name = "render"});
  until([&] { return contains(dump_of(p), "2 sleeping"); });
  const std::string text = dump_of(p);
  EXPECT_PRED2(contains, text, "pool 'render': 2 workers");
  EXPECT_PRED2(contains, text, "injector empty");
  EXPECT_PRED2(contains, text, "open, idle");
  EXPECT_PRED2(contains, text, "worker 0: sleeping");
  EXPECT_PRED2(contains, text, "worker 1: sleeping");
}

TEST(dump, of_a_pool_that_is_busy) {
  pool p(1);
  const filch::test::occupied busy(p);
  p.detach([] {});
  const std::string text = dump_of(p);
  EXPECT_PRED2(contains, text, "injector not empty");
  EXPECT_PRED2(contains, text, "tasks unfinished");
  EXPECT_PRED2(contains, text, "worker 0: running");
  p.close();
  EXPECT_PRED2(contains, dump_of(p), "closed");
}

TEST(dump, says_how_long_a_deque_is_and_who_was_robbed) {
  pool p(2);
  p.install([&] {
    gate stolen;
    filch::join([&] { stolen.pass(); }, [&] { stolen.open(); });
    EXPECT_PRED2(contains, dump_of(p), "1 stolen, last from");
  });
  pool one(1);
  one.install([&] {
    for (int i = 0; i < 3; ++i) one.detach([] {});
    EXPECT_PRED2(contains, dump_of(one), "3 jobs in its deque");
  });
}

TEST(dump, may_be_called_while_everything_moves) {
  std::atomic<bool> stop = false;
  pool p(3);
  for (int i = 0; i < 3; ++i)
    p.detach([&] {
      while (!stop)
        filch::scoped([](filch::scope& s) {
          for (int k = 0; k < 10; ++k) s.spawn([] {});
        });
    });
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(dump_of(p).empty());
    (void)p.metrics();
  }
  stop = true;
}

// Pitfall 36: nothing is divided by the number of workers, and the figures move.
TEST(metrics, of_no_workers_add_up_to_nothing) {
  EXPECT_EQ(filch::metrics{}.total().jobs, 0u);
  EXPECT_EQ(filch::metrics{}.total().steals_taken, 0u);
}

TEST(metrics, move_with_every_worker_that_works) {
  pool p(3);
  for (std::uint64_t n = 1; n <= 3; ++n) {
    p.broadcast([] {});
    p.wait_idle();
    for (const auto& w : p.metrics().workers) EXPECT_EQ(w.jobs, n);
  }
}
