#include "filch/metrics.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "filch/isolate.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/asleep.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::metrics;
using filch::pool;
using filch::worker_metrics;
using filch::test::gate;
using filch::test::until;

namespace {

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
                   .steal_hits = 9,
                   .steals_lost = 4,
                   .steals_empty = 5,
                   .injector_takes = 6,
                   .sleeps = 7,
                   .wakes = 8,
                   .busy_ns = 10,
                   .sleep_ns = 11,
                   .cpu_ns = 12};
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
  EXPECT_EQ(sum.steal_hits, 27u);
  EXPECT_EQ(sum.busy_ns, 30u);
  EXPECT_EQ(sum.sleep_ns, 33u);
  EXPECT_EQ(sum.cpu_ns, 36u);
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
  EXPECT_EQ(p.metrics().total().steal_hits, 1u);
  EXPECT_EQ(p.metrics().total().jobs, 2u);
}

TEST(metrics, count_sleeps_and_wakes) {
  pool p({.threads = 2, .idle = filch::idle::power});
  filch::test::until_asleep(p);
  EXPECT_GE(p.metrics().total().sleeps, 2u);
  p.install([&] {
    gate stolen;
    filch::join([&] { stolen.pass(); }, [&] { stolen.open(); });
  });
  EXPECT_GE(p.metrics().total().wakes, 1u) << "a worker woke the other";
}

TEST(metrics, count_guests_separately) {
  pool p(1);
  const filch::test::occupied busy(p);
  filch::scope s({.on = &p});
  s.spawn([] {});
  s.wait();  // the guest runs its task itself: the worker cannot
  EXPECT_EQ(p.metrics().guests.jobs, 1u);
  EXPECT_EQ(p.metrics().workers.size(), 1u);
}

TEST(metrics, subtract_what_was_before) {
  metrics before{.workers = {{.jobs = 3, .busy_ns = 10}}, .guests = {.jobs = 1}, .elapsed_ns = 100};
  metrics after = before;
  after.workers[0].jobs = 10;
  after.workers[0].busy_ns = 60;
  after.elapsed_ns = 200;
  const metrics gone_by = after - before;
  EXPECT_EQ(gone_by.workers[0].jobs, 7u);
  EXPECT_EQ(gone_by.guests.jobs, 0u);
  EXPECT_EQ(gone_by.total().jobs, 7u);
  EXPECT_EQ(gone_by.elapsed_ns, 100u);
  EXPECT_DOUBLE_EQ(gone_by.utilisation(), 0.5);
}

TEST(metrics, that_are_subtracted_the_wrong_way_round_are_nothing_instead_of_wrapping) {
  const metrics later{.workers = {{.jobs = 10, .sleep_ns = 5}}, .elapsed_ns = 100};
  const metrics none = metrics{.workers = {{}}} - later;
  EXPECT_EQ(none.total(), worker_metrics{});
  EXPECT_EQ(none.elapsed_ns, 0u);
}

TEST(metrics, of_different_numbers_of_workers_subtract_those_that_both_have) {
  const metrics two{.workers = {{.jobs = 5}, {.jobs = 6}}};
  const metrics one{.workers = {{.jobs = 2}}};
  EXPECT_EQ((two - one).workers[0].jobs, 3u);
  EXPECT_EQ((two - one).workers[1].jobs, 6u);
  EXPECT_EQ((one - two).workers.size(), 1u);
}

TEST(metrics, steal_success_is_the_part_that_brought_something) {
  EXPECT_EQ(worker_metrics{}.steal_success(), 0);
  EXPECT_DOUBLE_EQ(
      (worker_metrics{.steal_hits = 1, .steals_lost = 1, .steals_empty = 2}.steal_success()), 0.25);
}

TEST(metrics, steal_success_does_not_count_what_a_thief_took_along) {
  const worker_metrics m{.steals_taken = 16, .steal_hits = 1, .steals_empty = 3};
  EXPECT_EQ(m.steals(), 4u);
  EXPECT_DOUBLE_EQ(m.steal_success(), 0.25);
}

TEST(metrics, utilisation_without_workers_or_time_is_nothing) {
  EXPECT_EQ(metrics{}.utilisation(), 0);
  EXPECT_EQ(metrics{}.utilisation(3), 0);
  EXPECT_EQ((metrics{.workers = {{.busy_ns = 5}}}.utilisation()), 0);
  EXPECT_EQ((metrics{.workers = {{.busy_ns = 500}}, .elapsed_ns = 100}.utilisation()), 1)
      << "at most all of it";
}

TEST(metrics, a_worker_is_busy_while_it_has_a_job_and_not_when_it_has_none) {
  pool p({.threads = 1, .idle = filch::idle::power});
  until([&] { return p.metrics().total().sleeps >= 1; });
  const metrics asleep = p.metrics();
  until([&] { return p.metrics().total().sleep_ns > asleep.total().sleep_ns; });
  EXPECT_EQ((p.metrics() - asleep).workers[0].busy_ns, 0u);
  {
    const filch::test::occupied busy(p);
    const metrics before = p.metrics();
    until([&] { return (p.metrics() - before).elapsed_ns > 1'000'000; });
    const metrics during = p.metrics() - before;
    EXPECT_EQ(during.workers[0].busy_ns, during.elapsed_ns) << "all the time";
    EXPECT_EQ(during.workers[0].sleep_ns, 0u);
    EXPECT_EQ(during.utilisation(), 1);
  }
}

TEST(metrics, a_worker_that_blocks_is_not_busy) {
  gate inside, leave;
  pool p(1);
  p.detach([&] {
    filch::blocking([&] {
      inside.open();
      leave.pass();
    });
  });
  inside.pass();
  const metrics before = p.metrics();
  until([&] { return (p.metrics() - before).elapsed_ns > 1'000'000; });
  EXPECT_EQ((p.metrics() - before).workers[0].busy_ns, 0u);
  leave.open();
}

TEST(metrics, print_a_line_for_each_worker_and_one_for_all) {
  metrics m{.workers = {{.jobs = 12345, .steal_hits = 1, .steals_empty = 1, .busy_ns = 50},
                        {.jobs = 67890}},
            .elapsed_ns = 100};
  std::ostringstream out;
  out << std::hex << m << 255;
  EXPECT_PRED2(contains, out.str(), "12345");
  EXPECT_PRED2(contains, out.str(), "67890");
  EXPECT_PRED2(contains, out.str(), "80235");
  EXPECT_PRED2(contains, out.str(), "50.0%");
  EXPECT_PRED2(contains, out.str(), "25.0%");
  EXPECT_PRED2(contains, out.str(), "ff") << "the stream's own format stays";
  EXPECT_FALSE(contains(out.str(), "guests"));
  m.guests.jobs = 1;
  std::ostringstream more;
  more << m;
  EXPECT_PRED2(contains, more.str(), "guests");
}

// Pitfall 36: nothing is divided by the number of workers, and the counters advance.
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
