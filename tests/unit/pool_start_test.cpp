// How the workers of a new pool begin.
#include <gtest/gtest.h>

#include "filch/metrics.hpp"
#include "filch/pool.hpp"
#include "support/asleep.hpp"
#include "support/hang_guard.hpp"

using filch::pool;

// Each worker would look at all the others, which takes quadratic time.
TEST(pool_start, workers_that_start_do_not_search_each_other_for_work) {
  const pool p(8);
  filch::test::until_asleep(p);
  const filch::metrics m = p.metrics();
  EXPECT_EQ(m.total().steals(), 0u);
  for (const filch::worker_metrics& w : m.workers) EXPECT_EQ(w.sleeps, 1u);
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
