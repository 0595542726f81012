// The figures of traces that are small enough to be worked out by hand, which the comments do.
#include "report/summary.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "report/trace_file.hpp"

using filch::report::parse_trace;
using filch::report::steal_cell;
using filch::report::summarise;
using filch::report::summary;
using filch::report::trace_data;
using filch::report::trace_instant;

namespace {

trace_data trace(const std::string& filch, const std::string& events) {
  return parse_trace(
      R"({"otherData":{"filch":{"format":1,)" + filch + R"(}},"traceEvents":[)" + events + "]}",
      "t");
}

std::string job(double begin, double duration, int tid) {
  return R"({"ph":"X","cat":"job","ts":)" + std::to_string(begin) + R"(,"dur":)" +
         std::to_string(duration) + R"(,"tid":)" + std::to_string(tid) + "}";
}

}  // namespace

//            0    2    4    6    8    10 us
// worker 0   [job      ]    [job ]             busy 4 + 2, of which a job within: 1
//              [j]
// worker 1        [z z z z z z][job  ]         asleep 5 (2.5 to 7.5), busy 2.5
TEST(summary, times_from_the_events_add_up) {
  const trace_data data = trace(
      R"("duration_ns":10000,"threads":[{"tid":0,"kind":"worker"},{"tid":1,"kind":"worker"}])",
      job(0, 4, 0) + "," + job(1, 1, 0) + "," + job(6, 2, 0) + "," + job(7.5, 2.5, 1) + "," +
          R"({"ph":"X","cat":"sleep","ts":2.5,"dur":5,"tid":1})");
  const summary s = summarise(data, 5);
  EXPECT_EQ(s.wall_ns, 10000U);
  EXPECT_EQ(s.workers, 2U);
  EXPECT_EQ(s.threads[0].jobs, 3U);
  EXPECT_EQ(s.threads[0].busy_ns, 6000U);
  EXPECT_EQ(s.threads[0].sleep_ns, 0U);
  EXPECT_EQ(s.threads[0].idle_ns, 4000U);
  EXPECT_DOUBLE_EQ(s.threads[0].utilisation, 0.6);
  EXPECT_EQ(s.threads[1].jobs, 1U);
  EXPECT_EQ(s.threads[1].busy_ns, 2500U);
  EXPECT_EQ(s.threads[1].sleep_ns, 5000U);
  EXPECT_EQ(s.threads[1].sleeps, 1U);
  EXPECT_EQ(s.threads[1].idle_ns, 2500U);
  EXPECT_EQ(s.total.jobs, 4U);
  EXPECT_EQ(s.total.busy_ns, 8500U);
  EXPECT_DOUBLE_EQ(s.utilisation, 0.425);  // 8.5 of 2 * 10
  EXPECT_DOUBLE_EQ(s.parallelism, 0.85);   // 8.5 in 10
  // Parts of 2 us: 2/2, 2/2, 0, (2 + 0.5)/2, 2/2.
  EXPECT_EQ(s.active, (std::vector<double>{1.0, 1.0, 0.0, 1.25, 1.0}));
}

//            0    2    4    6    8    10 us
// pool 0     [job     ...]                     there for 4, busy 3
// pool 1                  [..job]              there for 3 (from 5 to 8), busy 1
TEST(summary, a_worker_is_not_idle_while_its_pool_is_not_there) {
  const trace_data data =
      trace(R"("duration_ns":10000,"pools":[{"id":0,"workers":1,"begin_ns":0,"end_ns":4000},)"
            R"({"id":1,"workers":1,"begin_ns":5000,"end_ns":8000}],)"
            R"("threads":[{"tid":0,"pool":0,"kind":"worker"},{"tid":1,"pool":1,"kind":"worker"}])",
            job(0, 3, 0) + "," + job(7, 1, 1));
  const summary s = summarise(data);
  EXPECT_EQ(s.threads[0].idle_ns, 1000U);
  EXPECT_DOUBLE_EQ(s.threads[0].utilisation, 0.75);
  EXPECT_EQ(s.threads[1].idle_ns, 2000U);
  EXPECT_EQ(s.total.idle_ns, 3000U);
  EXPECT_DOUBLE_EQ(s.utilisation, 4.0 / 7.0);
  EXPECT_DOUBLE_EQ(s.parallelism, 0.4);
  EXPECT_EQ(s.workers, 2U);
  EXPECT_EQ(s.workers_at_once, 1U);
}

TEST(summary, sums_do_not_wrap_around) {
  const summary s = summarise(trace(R"("duration_ns":1,"threads":[)"
                                    R"({"tid":0,"kind":"worker","jobs":9223372036854775807},)"
                                    R"({"tid":1,"kind":"worker","jobs":9223372036854775807},)"
                                    R"({"tid":2,"kind":"worker","jobs":9223372036854775807}])",
                                    ""));
  EXPECT_EQ(s.total.jobs, UINT64_MAX);
}

TEST(summary, counters_of_the_file_come_before_the_events_which_may_be_incomplete) {
  const trace_data data = trace(
      R"("duration_ns":10000,"threads":[{"tid":0,"kind":"worker","jobs":50,"busy_ns":9000,)"
      R"("sleep_ns":500,"sleeps":4,"steals_taken":8,"steals_lost":2,"steals_empty":30,"wakes":6,)"
      R"("steal_hits":5,"lost_events":40}])",
      job(0, 1, 0) + R"(,{"ph":"i","cat":"steal","ts":1,"tid":0,"args":{"victim":-1,"count":2}})");
  const summary s = summarise(data);
  EXPECT_EQ(s.total.jobs, 50U);
  EXPECT_EQ(s.total.busy_ns, 9000U);
  EXPECT_EQ(s.total.sleep_ns, 500U);
  EXPECT_EQ(s.total.idle_ns, 500U);
  EXPECT_EQ(s.total.sleeps, 4U);
  EXPECT_EQ(s.total.steals_taken, 8U);
  EXPECT_EQ(s.total.steal_hits, 5U);
  EXPECT_EQ(s.total.steals_lost, 2U);
  EXPECT_EQ(s.total.steals_empty, 30U);
  EXPECT_EQ(s.total.wakes, 6U);
  EXPECT_EQ(s.lost_events, 40U);
  EXPECT_DOUBLE_EQ(s.utilisation, 0.9);
  EXPECT_EQ(s.durations.jobs, 1U);  // of the events
  ASSERT_EQ(s.steals.size(), 1U);
  EXPECT_EQ(s.steals[0].steals, 1U);
}

TEST(summary, utilisation_is_of_workers_and_parallelism_of_all) {
  const trace_data data =
      trace(R"("duration_ns":1000,"threads":[{"tid":0,"kind":"worker","busy_ns":500},)"
            R"({"tid":1,"kind":"guest","busy_ns":1000},{"tid":2,"kind":"spare","busy_ns":250}])",
            "");
  const summary s = summarise(data);
  EXPECT_EQ(s.workers, 1U);
  EXPECT_DOUBLE_EQ(s.utilisation, 0.5);
  EXPECT_DOUBLE_EQ(s.parallelism, 1.75);
  EXPECT_EQ(s.guests_busy_ns, 1000U);
  EXPECT_EQ(s.of_workers.busy_ns, 500U);
  EXPECT_EQ(s.of_workers.idle_ns, 500U);
}

TEST(summary, sums_over_all_threads_add_up_to_the_time_of_all) {
  const summary s = summarise(trace(
      R"("duration_ns":1000,"threads":[{"tid":0,"kind":"worker","busy_ns":500,)"
      R"("sleep_ns":100},{"tid":1,"kind":"guest","busy_ns":300,"sleep_ns":50,"guest_ns":400},)"
      R"({"tid":2,"kind":"spare","busy_ns":250},{"tid":3,"kind":"outside"}])",
      ""));
  EXPECT_EQ(s.threads[1].idle_ns, 50U);
  EXPECT_DOUBLE_EQ(s.threads[1].utilisation, 0.75);
  EXPECT_EQ(s.threads[3].idle_ns, 0U) << "it takes part in nothing";
  EXPECT_EQ(s.total.busy_ns + s.total.sleep_ns + s.total.idle_ns, 2400U);
  EXPECT_EQ(s.total.idle_ns, 400U + 50U + 750U);
  EXPECT_EQ(s.of_workers.busy_ns + s.of_workers.sleep_ns + s.of_workers.idle_ns, 1000U);
}

//            0    2    4    6    8    10 us
// guest        [  taking part     ]            from 1 to 8, and again from 9
//                   [idle]  [job]              idle from 3 to 5, asleep in there for 1
TEST(summary, a_guest_is_busy_while_it_takes_part_but_where_it_is_idle) {
  const auto during = [](const char* what, double begin, double duration) {
    return R"(,{"ph":"X","cat":")" + std::string(what) + R"(","ts":)" + std::to_string(begin) +
           R"(,"dur":)" + std::to_string(duration) + R"(,"tid":0})";
  };
  const std::string events = job(6, 1, 0) + during("idle", 3, 2) + during("guest", 1, 7) +
                             during("sleep", 3.5, 1) + during("guest", 9, 1);
  const std::string head =
      R"("duration_ns":10000,"threads":[{"tid":0,"kind":"guest","guest_ns":8000)";
  const summary s = summarise(trace(head + "}]", events), 10);
  EXPECT_EQ(s.threads[0].busy_ns, 6000U);
  EXPECT_EQ(s.threads[0].sleep_ns, 1000U);
  EXPECT_EQ(s.threads[0].idle_ns, 1000U);
  EXPECT_EQ(s.threads[0].jobs, 1U);
  EXPECT_DOUBLE_EQ(s.threads[0].utilisation, 0.75);
  EXPECT_EQ(s.active, (std::vector<double>{0, 1, 1, 0, 0, 1, 1, 1, 0, 1}));
  EXPECT_EQ(s.durations.jobs, 1U);
}

TEST(summary, a_thread_is_not_busy_for_longer_than_the_trace) {
  const summary s = summarise(trace(R"("duration_ns":1000,"threads":[{"tid":0,"kind":"worker",)"
                                    R"("busy_ns":9223372036854775807,"sleep_ns":5}])",
                                    ""));
  EXPECT_EQ(s.threads[0].busy_ns, 1000U);
  EXPECT_EQ(s.threads[0].sleep_ns, 0U);
  EXPECT_EQ(s.threads[0].idle_ns, 0U);
  EXPECT_DOUBLE_EQ(s.utilisation, 1.0);
}

TEST(summary, steals_and_what_they_took_are_counted_by_thief_and_victim) {
  const auto steal = [](int thief, int victim, int count) {
    return R"({"ph":"i","cat":"steal","ts":1,"tid":)" + std::to_string(thief) +
           R"(,"args":{"victim":)" + std::to_string(victim) + R"(,"count":)" +
           std::to_string(count) + "}}";
  };
  const summary s = summarise(trace(
      R"("threads":[{"tid":10},{"tid":11}])",
      steal(11, 10, 2) + "," + steal(10, 11, 1) + "," + steal(11, 10, 3) + "," + steal(11, -1, 1)));
  ASSERT_EQ(s.steals.size(), 3U);
  const auto is = [](const steal_cell& cell, std::uint32_t thief, std::uint32_t victim,
                     std::uint64_t steals, std::uint64_t jobs) {
    return cell.thief == thief && cell.victim == victim && cell.steals == steals &&
           cell.jobs == jobs;
  };
  EXPECT_TRUE(is(s.steals[0], 0, 1, 1, 1));
  EXPECT_TRUE(is(s.steals[1], 1, 0, 2, 5));
  EXPECT_TRUE(is(s.steals[2], 1, trace_instant::no_thread, 1, 1));
  EXPECT_EQ(s.total.steals_taken, 7U) << "jobs, as in the metrics";
  EXPECT_EQ(s.total.steal_hits, 4U);
}

TEST(summary, durations_fall_into_powers_of_two) {
  // 0, 1 ns; 2, 3 ns; 1023 ns; 1024 ns; 2^53 ns at most
  const summary s = summarise(trace(
      R"("threads":[])", job(0, 0, 0) + "," + job(1, 0.001, 0) + "," + job(2, 0.002, 0) + "," +
                             job(3, 0.003, 0) + "," + job(4, 1.023, 0) + "," + job(6, 1.024, 0)));
  EXPECT_EQ(s.durations.buckets[0], 2U);
  EXPECT_EQ(s.durations.buckets[1], 2U);
  EXPECT_EQ(s.durations.buckets[9], 1U);
  EXPECT_EQ(s.durations.buckets[10], 1U);
  EXPECT_EQ(s.durations.jobs, 6U);
  EXPECT_EQ(s.durations.shortest_ns, 0U);
  EXPECT_EQ(s.durations.longest_ns, 1024U);
  EXPECT_EQ(s.durations.total_ns, 2053U);
}

TEST(summary, the_longest_possible_job_has_a_bucket) {
  const summary s = summarise(
      trace(R"("threads":[])", R"({"ph":"X","cat":"job","ts":0,"dur":9007199254740.992,"tid":0})"));
  EXPECT_EQ(s.durations.buckets[53], 1U);
}

TEST(summary, a_trace_of_nothing_has_zeros) {
  for (const char* filch : {R"("threads":[])", R"("threads":[{"tid":0,"kind":"worker"}])"}) {
    const summary s = summarise(trace(filch, ""), 3);
    EXPECT_EQ(s.wall_ns, 0U);
    EXPECT_EQ(s.utilisation, 0.0);
    EXPECT_EQ(s.parallelism, 0.0);
    EXPECT_EQ(s.durations.jobs, 0U);
    EXPECT_EQ(s.active, std::vector<double>(3, 0.0));
  }
}
