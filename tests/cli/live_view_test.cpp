#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "live/view.hpp"

using namespace filch::cli;
using filch::detail::live_page;

namespace {

/// A page of one pool with two workers that were busy for `busy` of a second.
std::unique_ptr<live_page> page_of(std::uint64_t seconds, double busy, std::uint64_t jobs) {
  auto page = std::make_unique<live_page>();
  page->pools = 1;
  page->worker_entries = 3;
  page->pool[0] = {.id = 7,
                   .workers = 2,
                   .name = {},
                   .elapsed_ns = seconds * 1'000'000'000,
                   .injected = 1,
                   .backlog = 5,
                   .first_worker = 0,
                   .entries = 3,
                   .ended = 0};
  std::strcpy(page->pool[0].name.data(), "cook");
  for (std::uint32_t i = 0; i < 3; ++i) {
    page->worker[i] = {};
    page->worker[i].index = i;
    page->worker[i].kind = i < 2 ? 0 : 2;
    page->worker[i].state = i < 2 ? 1 : 0;
    page->worker[i].deque = 2;
    page->worker[i].jobs = jobs;
    page->worker[i].busy_ns = static_cast<std::uint64_t>(busy * 1e9);
  }
  return page;
}

}  // namespace

TEST(cli_live_view, a_page_becomes_pools_and_workers) {
  const std::vector<pool_view> pools = pools_of(*page_of(2, 1, 10));
  ASSERT_EQ(pools.size(), 1u);
  EXPECT_EQ(pools[0].name, "cook");
  EXPECT_EQ(pools[0].counters.workers.size(), 2u);
  EXPECT_EQ(pools[0].counters.guests.jobs, 10u);
  EXPECT_EQ(pools[0].counters.total().jobs, 30u);
  EXPECT_DOUBLE_EQ(pools[0].counters.utilisation(), 0.5);
  EXPECT_EQ(pools[0].states[1], "running");
}

TEST(cli_live_view, what_happened_between_two_pages_is_their_difference) {
  const auto recent = between(pools_of(*page_of(2, 1, 10)), pools_of(*page_of(3, 2, 15)));
  ASSERT_EQ(recent.size(), 1u);
  EXPECT_EQ(recent[0].counters.total().jobs, 15u);
  EXPECT_EQ(recent[0].counters.elapsed_ns, 1'000'000'000u);
  EXPECT_DOUBLE_EQ(recent[0].counters.utilisation(), 1);
  EXPECT_NE(lines_of(recent).find("2 of 2 workers running, 150.0 % busy, 15 jobs/s"),
            std::string::npos)
      << lines_of(recent);
  EXPECT_NE(lines_of(recent).find(" waiting, guests 100.0 % busy\n"), std::string::npos)
      << lines_of(recent);
}

TEST(cli_live_view, a_page_that_lies_is_cut_to_what_there_is) {
  const auto page = page_of(1, 1, 1);
  page->pools = 4'000'000'000;
  page->worker_entries = 4'000'000'000;
  for (auto& p : page->pool) p.first_worker = p.entries = 4'000'000'000;
  page->worker[0].state = 99;
  page->pool[0].first_worker = 0;
  page->pool[0].name.fill('\x1b');
  const std::vector<pool_view> pools = pools_of(*page);
  EXPECT_EQ(pools.size(), filch::detail::live_most_pools);
  EXPECT_EQ(pools[0].states[0], "unknown");
  EXPECT_EQ(pools[0].name, std::string(32, '?'));
  EXPECT_TRUE(pools[1].counters.workers.empty());
  EXPECT_FALSE(screen_of("title", pools, pools, false).empty());
}

TEST(cli_live_view, the_screen_has_a_line_for_each_worker) {
  const std::vector<pool_view> pools = pools_of(*page_of(1, 1, 1000));
  const std::vector<std::string> lines = screen_of("title", pools, pools, false);
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  EXPECT_NE(all.find("pool 7 \"cook\"  150.0 % busy"), std::string::npos) << all;
  EXPECT_NE(all.find("     1 [########################] 100.0 % running"), std::string::npos)
      << all;
  EXPECT_NE(all.find("guests [########################] 100.0 % "), std::string::npos) << all;
  EXPECT_EQ(all.find("spares"), std::string::npos) << all;  // there were none
  EXPECT_NE(all.find("1 000"), std::string::npos) << all;
}

TEST(cli_live_view, json_and_prometheus_have_the_same_numbers) {
  const std::vector<pool_view> pools = pools_of(*page_of(1, 0.5, 12));
  const nlohmann::json j = json_of(pools);
  EXPECT_EQ(j[0]["workers"][1]["jobs"], 12);
  EXPECT_EQ(j[0]["guests"]["busy_ns"], 500'000'000);
  EXPECT_EQ(j[0]["spares"]["busy_ns"], 0);
  EXPECT_DOUBLE_EQ(j[0]["busy"].get<double>(), 0.75);  // three halves of a second, of two
  EXPECT_DOUBLE_EQ(j[0]["utilisation"].get<double>(), 0.5);
  EXPECT_EQ(j[0]["backlog"], 5);
  const std::string text = prometheus_of("a\"b", 42, pools);
  const std::string labels = R"(program="a\"b",pid="42",pool="7",pool_name="cook")";
  EXPECT_NE(text.find("filch_jobs_total{" + labels + ",worker=\"1\"} 12\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("filch_busy_seconds_total{" + labels + ",worker=\"0\"} 0.5\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("filch_busy_seconds_total{" + labels + ",worker=\"guests\"} 0.5\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("filch_backlog{" + labels + "} 5\n"), std::string::npos) << text;
}
