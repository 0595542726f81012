// How the workers of a new pool begin.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/metrics.hpp"
#include "filch/pool.hpp"
#include "support/asleep.hpp"
#include "support/hang_guard.hpp"

using filch::pool;

// n workers that look at n others each would take quadratic time.
TEST(pool_start, workers_that_start_do_not_look_at_each_other_for_work) {
  for (const std::size_t threads : {8u, 100u}) {
    const pool p(threads);
    filch::test::until_asleep(p);
    for (const filch::detail::worker* w : p.core()->participants.snapshot()) {
      EXPECT_EQ(w->tallies.sleeps.read(), 1u);
      EXPECT_EQ(w->tallies.steals_empty.read(), 0u);
      EXPECT_EQ(w->tallies.rounds.read(), 0u) << "worker " << w->index() << " of " << threads;
    }
  }
}

TEST(pool_start, workers_that_have_had_work_look_at_all_others_before_they_sleep) {
  pool p(2);
  p.install([] {});
  filch::test::until_asleep(p);
  std::uint64_t rounds = 0;
  for (const filch::detail::worker* w : p.core()->participants.snapshot())
    rounds += w->tallies.rounds.read();
  EXPECT_GE(rounds, 2u) << "one before and one after it says that it sleeps";
}

TEST(pool_start, workers_that_start_asleep_are_woken_by_the_first_work_of_each_kind) {
  for (int round = 0; round < 50; ++round) {
    pool p(3);
    if (round % 3 == 0) p.detach([] {});
    if (round % 3 == 1) p.install([] {});
    if (round % 3 == 2) p.broadcast([] {});
    p.wait_idle();
    EXPECT_EQ(p.metrics().total().jobs, round % 3 == 2 ? 3u : 1u);
  }
}
