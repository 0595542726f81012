#include "filch/detail/sched/spare_threads.hpp"

#include <gtest/gtest.h>

#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/jobs.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::no_region;
using filch::detail::participant_kind;
using filch::detail::spare_threads;
using filch::detail::without_spare;
using filch::detail::worker;
using filch::test::gate;
using filch::test::stage;
using filch::test::test_job;

using standby = spare_threads::standby;

/// A pool of one worker without a thread. Its spares are held up at their start, so that the test
/// plays them.
class pool_with_spares {
 public:
  explicit pool_with_spares(std::size_t most)
      : s({.threads = 1, .max_spares = most, .on_start = [this](std::size_t) { go_.pass(); }}) {}
  pool_with_spares(const pool_with_spares&) = delete;
  pool_with_spares& operator=(const pool_with_spares&) = delete;
  ~pool_with_spares() {
    go_.open();
    s.end_starts();
    s.home().stop();
  }

  bool begin(without_spare choice = without_spare::go_on, bool counted = false) {
    return spares.begin_blocking(choice, counted);
  }
  std::size_t started() { return s.home().participants.size() - 1; }

 private:
  gate go_;

 public:
  stage s;
  spare_threads& spares = s.home().spares;
};

TEST(spare_threads, without_a_spare_a_worker_blocks_or_goes_on_as_it_prefers) {
  pool_with_spares p(0);
  EXPECT_FALSE(p.begin(without_spare::go_on));
  EXPECT_TRUE(p.begin(without_spare::block));
  p.spares.end_blocking();
  EXPECT_EQ(p.started(), 0u);
}

TEST(spare_threads, there_is_one_for_each_blocked_worker_and_no_more_than_allowed) {
  pool_with_spares p(2);
  EXPECT_TRUE(p.begin());
  EXPECT_EQ(p.started(), 1u);
  EXPECT_EQ(p.s.worker(1).kind(), participant_kind::spare);
  EXPECT_EQ(p.s.worker(1).tasks.opened(), 1u) << "its start is a task";
  EXPECT_TRUE(p.begin(without_spare::go_on, true)) << "its spare stands in for this wait too";
  EXPECT_EQ(p.started(), 1u);
  EXPECT_TRUE(p.begin());
  EXPECT_FALSE(p.begin());
  EXPECT_EQ(p.started(), 2u);
  p.spares.end_blocking();
  EXPECT_TRUE(p.begin()) << "the spare of the one that ended is free";
}

TEST(spare_threads, one_that_is_not_needed_rests_and_is_called_before_another_is_started) {
  pool_with_spares p(2);
  ASSERT_TRUE(p.begin());
  worker& spare = p.s.worker(1);
  EXPECT_FALSE(p.spares.may_rest(spare)) << "a worker is blocked";
  p.spares.end_blocking();
  EXPECT_TRUE(p.spares.may_rest(spare));
  EXPECT_FALSE(p.spares.may_rest(spare)) << "as many are at work as are needed";
  EXPECT_TRUE(p.begin());
  EXPECT_EQ(p.started(), 1u);
  EXPECT_TRUE(p.spares.rest_until_woken(spare));
  EXPECT_FALSE(p.spares.may_rest(spare));
}

TEST(spare_threads, a_rest_ends_with_the_pool) {
  stage s({.threads = 1});
  spare_threads alone(s.home());
  s.end_starts();
  s.home().close();
  ASSERT_TRUE(s.home().stopped());
  EXPECT_FALSE(alone.rest_until_woken(s.worker(0)));
  EXPECT_FALSE(alone.begin_blocking(without_spare::go_on, false)) << "no spare is started";
  EXPECT_EQ(s.home().participants.size(), 1u);
}

TEST(spare_threads, a_standby_is_blocked_until_it_ends) {
  pool_with_spares p(1);
  standby me{.who = p.s.worker(0), .counts = 1};
  ASSERT_TRUE(p.spares.begin_standby(me));
  EXPECT_EQ(p.started(), 1u);
  EXPECT_FALSE(p.spares.may_rest(p.s.worker(1)));
  standby other{.who = p.s.worker(0), .counts = 1};
  EXPECT_FALSE(p.spares.begin_standby(other)) << "there is no spare for it";
  EXPECT_FALSE(p.spares.end_standby(me)) << "it was not recalled";
  EXPECT_TRUE(p.spares.may_rest(p.s.worker(1)));
}

TEST(spare_threads, a_standby_is_recalled_if_another_worker_blocks_and_there_is_no_spare) {
  pool_with_spares p(1);
  standby me{.who = p.s.worker(0), .counts = 1};
  me.who.away.standby_parker().announce();
  ASSERT_TRUE(p.spares.begin_standby(me));
  EXPECT_FALSE(p.begin(without_spare::go_on));
  EXPECT_TRUE(me.who.away.standby_parker().is_asleep()) << "the other one prefers to go on";
  EXPECT_TRUE(p.begin(without_spare::block));
  EXPECT_FALSE(me.who.away.standby_parker().is_asleep());
  EXPECT_TRUE(p.spares.end_standby(me));
  (void)me.who.away.standby_parker().retract();
  p.spares.end_blocking();
  EXPECT_TRUE(p.spares.may_rest(p.s.worker(1))) << "neither of the two is blocked any more";
}

TEST(spare_threads, a_standby_is_recalled_for_jobs_that_only_it_may_run) {
  stage s({.threads = 2, .max_spares = 0});
  spare_threads& spares = s.home().spares;
  standby with{.who = s.worker(0), .counts = 0}, without{.who = s.worker(1), .counts = 0};
  ASSERT_TRUE(spares.begin_standby(with));
  ASSERT_TRUE(spares.begin_standby(without));
  test_job job;
  (void)with.who.regions.enter(5);
  with.who.inbox.put(&job);
  spares.recall_for_inbox_jobs();
  EXPECT_FALSE(with.recalled) << "in a region it may not run the job";
  with.who.regions.leave(no_region);
  spares.recall_for_inbox_jobs();
  EXPECT_TRUE(with.recalled);
  EXPECT_FALSE(without.recalled);
  EXPECT_TRUE(spares.end_standby(with));
  EXPECT_FALSE(spares.end_standby(without));
  standby again{.who = s.worker(0), .counts = 0};
  EXPECT_FALSE(spares.begin_standby(again)) << "the job is still there";
}

}  // namespace
