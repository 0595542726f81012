#include "filch/detail/observe/load.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <initializer_list>

#include "filch/detail/base/next_due.hpp"

using filch::worker_load;
using filch::worker_state;
using filch::detail::next_due;
using filch::detail::overload_of;
using filch::detail::seen_load;
using filch::detail::starvation_of;
using filch::detail::summarise;
using filch::detail::threshold;

namespace {

seen_load of_queues(std::initializer_list<std::size_t> lengths) {
  seen_load s;
  for (const std::size_t n : lengths)
    s.workers.push_back({.deque = n / 2, .branches = n - n / 2, .state = worker_state::running});
  summarise(s);
  return s;
}

seen_load of_states(std::initializer_list<worker_state> states) {
  seen_load s;
  for (const worker_state w : states) s.workers.push_back({.state = w});
  summarise(s);
  return s;
}

}  // namespace

TEST(load_arithmetic, of_no_workers_is_nothing_and_finite) {
  const seen_load s = of_queues({});
  EXPECT_EQ(s.max, 0u);
  EXPECT_EQ(s.min, 0u);
  EXPECT_EQ(s.avg, 0);
  EXPECT_EQ(s.deviation, 0);
  EXPECT_EQ(s.imbalance, 1);
  EXPECT_EQ(overload_of(s), 0);
  EXPECT_LT(starvation_of(s), 0);
  EXPECT_TRUE(s.asleep());
}

TEST(load_arithmetic, of_one_worker_is_that_worker) {
  const seen_load s = of_queues({7});
  EXPECT_EQ(s.max, 7u);
  EXPECT_EQ(s.min, 7u);
  EXPECT_EQ(s.avg, 7);
  EXPECT_EQ(s.deviation, 0);
  EXPECT_EQ(s.imbalance, 1);
  EXPECT_EQ(s.backlog, 7u);
}

TEST(load_arithmetic, of_empty_queues_has_an_imbalance_of_one) {
  const seen_load s = of_queues({0, 0, 0});
  EXPECT_EQ(s.imbalance, 1);
  EXPECT_EQ(s.avg, 0);
  EXPECT_TRUE(std::isfinite(s.deviation));
}

TEST(load_arithmetic, of_several_workers) {
  const seen_load s = of_queues({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(s.max, 9u);
  EXPECT_EQ(s.min, 2u);
  EXPECT_DOUBLE_EQ(s.avg, 5);
  EXPECT_DOUBLE_EQ(s.deviation, 2);
  EXPECT_DOUBLE_EQ(s.imbalance, 1.8);
  EXPECT_EQ(s.backlog, 40u);
}

TEST(load_arithmetic, imbalance_is_the_number_of_workers_if_one_has_everything) {
  EXPECT_DOUBLE_EQ(of_queues({0, 0, 12, 0}).imbalance, 4);
}

TEST(load_arithmetic, backlog_has_what_waits_elsewhere_too_but_the_queues_do_not) {
  seen_load s;
  s.workers.push_back({.deque = 1});
  s.workers.push_back({.branches = 2});
  s.injected = 10;
  s.elsewhere = 100;
  summarise(s);
  EXPECT_EQ(s.backlog, 113u);
  EXPECT_EQ(s.max, 2u);
  EXPECT_DOUBLE_EQ(s.avg, 1.5);
  EXPECT_DOUBLE_EQ(overload_of(s), 56.5);
}

TEST(load_arithmetic, counts_workers_by_what_they_do) {
  using enum worker_state;
  const seen_load s = of_states({running, idle, idle, sleeping, blocked, absent});
  EXPECT_EQ(s.running, 1u);
  EXPECT_EQ(s.idle, 2u);
  EXPECT_EQ(s.sleeping, 1u);
  EXPECT_EQ(s.blocked, 1u);
  EXPECT_DOUBLE_EQ(starvation_of(s), 0.5);
  EXPECT_FALSE(s.asleep());
}

TEST(load_arithmetic, a_pool_that_does_nothing_does_not_starve) {
  using enum worker_state;
  EXPECT_LT(starvation_of(of_states({sleeping, sleeping})), 0);
  EXPECT_EQ(starvation_of(of_states({running, running})), 0);
  EXPECT_TRUE(of_states({sleeping, absent}).asleep());
  EXPECT_FALSE(of_states({sleeping, idle}).asleep());
}

TEST(threshold, is_crossed_once_until_it_is_over) {
  threshold t(10, 5);
  EXPECT_FALSE(t.crossed_by(9.9));
  EXPECT_TRUE(t.crossed_by(10));
  EXPECT_FALSE(t.crossed_by(50));
  EXPECT_FALSE(t.crossed_by(6)) << "between the two nothing changes";
  EXPECT_FALSE(t.crossed_by(11));
  EXPECT_FALSE(t.crossed_by(5));
  EXPECT_TRUE(t.crossed_by(11));
}

TEST(threshold, without_a_gap_is_not_crossed_by_what_stays_on_it) {
  threshold t(3, 3);
  EXPECT_TRUE(t.crossed_by(3));
  EXPECT_FALSE(t.crossed_by(3));
  EXPECT_FALSE(t.crossed_by(2));
  EXPECT_TRUE(t.crossed_by(3));
}

TEST(threshold, is_not_crossed_by_what_is_no_number) {
  threshold t(3, 1);
  EXPECT_FALSE(t.crossed_by(std::nan("")));
}

TEST(next_due, keeps_the_beat) {
  using namespace std::chrono_literals;
  const std::chrono::steady_clock::time_point t{};
  EXPECT_EQ(next_due(t + 10ms, t + 10ms, 10ms), t + 20ms);
  EXPECT_EQ(next_due(t + 10ms, t + 13ms, 10ms), t + 20ms);
}

TEST(next_due, makes_nothing_up_for_what_was_missed_when_the_clock_jumps) {
  using namespace std::chrono_literals;
  const std::chrono::steady_clock::time_point t{};
  EXPECT_EQ(next_due(t + 10ms, t + 1h + 3ms, 10ms), t + 1h + 10ms);
  EXPECT_EQ(next_due(t + 10ms, t + 1ms, 10ms), t + 10ms) << "a clock that goes back only waits";
}
