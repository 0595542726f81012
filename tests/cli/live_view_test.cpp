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
                   .ended = 0,
                   .unfinished = 1};
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
  const std::vector<pool_view> pools = pools_of(*page_of(2, 1, 10), 0);
  ASSERT_EQ(pools.size(), 1u);
  EXPECT_EQ(pools[0].name, "cook");
  EXPECT_EQ(pools[0].counters.workers.size(), 2u);
  EXPECT_EQ(pools[0].counters.guests.jobs, 10u);
  EXPECT_EQ(pools[0].counters.total().jobs, 30u);
  EXPECT_DOUBLE_EQ(pools[0].counters.utilisation(), 0.5);
  EXPECT_EQ(pools[0].counters.now[1].state, filch::worker_state::running);
  EXPECT_TRUE(pools[0].unfinished);
}

TEST(cli_live_view, what_happened_between_two_pages_is_their_difference) {
  const auto recent = between(pools_of(*page_of(2, 1, 10), 0), pools_of(*page_of(3, 2, 15), 0));
  ASSERT_EQ(recent.size(), 1u);
  EXPECT_EQ(recent[0].counters.total().jobs, 15u);
  EXPECT_EQ(recent[0].counters.elapsed_ns, 1'000'000'000u);
  EXPECT_DOUBLE_EQ(recent[0].counters.utilisation(), 1);
  EXPECT_NE(lines_of(recent, 0).find("2 of 2 workers running, 150.0 % busy, 15 jobs/s"),
            std::string::npos)
      << lines_of(recent, 0);
  EXPECT_NE(lines_of(recent, 0).find(" waiting, guests 100.0 % busy\n"), std::string::npos)
      << lines_of(recent, 0);
}

TEST(cli_live_view, time_goes_by_while_all_pools_sleep) {
  constexpr std::uint64_t second = 1'000'000'000;
  const auto page = page_of(1, 1, 10);
  page->worker[0].state = page->worker[1].state = 3;  // asleep
  page->updated_unix_ns = 100 * second;
  page->all_asleep = 1;
  const std::vector<pool_view> asleep = pools_of(*page, 104 * second);
  EXPECT_EQ(asleep[0].counters.now[0].state, filch::worker_state::sleeping);
  EXPECT_EQ(asleep[0].counters.now[0].still_ns, 4 * second);
  EXPECT_EQ(asleep[0].counters.elapsed_ns, 5 * second);
  EXPECT_DOUBLE_EQ(asleep[0].counters.utilisation(), 0.2);
  EXPECT_EQ(asleep[0].counters.workers[1].sleep_ns, 4 * second);
  // Half of the next second is worked: the pause before it does not count.
  const auto recent = between(asleep, pools_of(*page_of(6, 1.5, 11), 105 * second));
  EXPECT_EQ(recent[0].counters.elapsed_ns, second);
  EXPECT_DOUBLE_EQ(recent[0].counters.utilisation(), 0.5);
  // Not if a thread is awake, nor once it has ended, nor if the clock was set back.
  EXPECT_EQ(pools_of(*page, 99 * second)[0].counters.elapsed_ns, second);
  page->pool[0].ended = 1;
  EXPECT_EQ(pools_of(*page, 104 * second)[0].counters.elapsed_ns, second);
  page->pool[0].ended = page->all_asleep = 0;
  EXPECT_EQ(pools_of(*page, 104 * second)[0].counters.elapsed_ns, second);
}

TEST(cli_live_view, pools_that_are_left_out_are_spoken_of) {
  const std::vector<std::string> lines = screen_of("title", {}, {}, 1, false);
  EXPECT_EQ(lines.back().find("one more pool is not shown: "), 0u) << lines.back();
  EXPECT_EQ(lines_of({}, 2).find("2 more pools are not shown: "), 0u) << lines_of({}, 2);
  EXPECT_EQ(screen_of("title", {}, {}, 0, false).back(), "no pool so far");
}

TEST(cli_live_view, what_does_not_fit_is_counted_and_the_last_line_stays) {
  using lines = std::vector<std::string>;
  const lines all{"a", "b", "c", "d", "q"};
  EXPECT_EQ(fitted(all, 5, 1), all);
  EXPECT_EQ(fitted(all, 4, 1),
            (lines{"a", "b", "and 2 more lines; the window has too few rows for them", "q"}));
  EXPECT_EQ(fitted(all, 2, 1),
            (lines{"and 4 more lines; the window has too few rows for them", "q"}));
  EXPECT_EQ(fitted(all, 1, 1), (lines{"q"}));
  EXPECT_EQ(fitted(all, 0, 1), (lines{}));
}

TEST(cli_live_view, a_page_that_lies_is_cut_to_what_there_is) {
  const auto page = page_of(1, 1, 1);
  page->pools = 4'000'000'000;
  page->worker_entries = 4'000'000'000;
  for (auto& p : page->pool) p.first_worker = p.entries = 4'000'000'000;
  page->worker[0].state = 99;
  page->pool[0].first_worker = 0;
  page->pool[0].name.fill('\x1b');
  const std::vector<pool_view> pools = pools_of(*page, 0);
  EXPECT_EQ(pools.size(), filch::detail::live_most_pools);
  EXPECT_EQ(json_of(pools)[0]["workers"][0]["state"], "unknown");
  EXPECT_EQ(pools[0].name, std::string(32, '?'));
  EXPECT_TRUE(pools[1].counters.workers.empty());
  EXPECT_FALSE(screen_of("title", pools, pools, 0, false).empty());
}

TEST(cli_live_view, no_name_in_a_page_commands_the_terminal) {
  const auto page = page_of(1, 1, 1);
  // CSI as one character and as a byte, DEL, and an order for what follows.
  std::strcpy(page->pool[0].name.data(),
              "a\xC2\x9B"
              "2Jb\x9B"
              "c\x7F\u202Ed\u2066e\u00e9");
  const std::vector<pool_view> pools = pools_of(*page, 0);
  EXPECT_EQ(pools[0].name, "a?2Jb\uFFFDc??d?e\u00e9");
  std::strcpy(page->program.data(), "\xC2\x80\xC2\x9F\xC2\xA0");
  EXPECT_EQ(text_in(page->program), "??\u00A0");
}

TEST(cli_live_view, the_screen_has_a_line_for_each_worker) {
  const std::vector<pool_view> pools = pools_of(*page_of(1, 1, 1000), 0);
  const std::vector<std::string> lines = screen_of("title", pools, pools, 0, false);
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  EXPECT_NE(all.find("pool 7 \"cook\"  150.0 % busy"), std::string::npos) << all;
  EXPECT_NE(all.find("     1 [########################] 100.0 %   0.0 % running"),
            std::string::npos)
      << all;
  EXPECT_EQ(all.find("unfinished"), std::string::npos) << all;
  EXPECT_NE(all.find("guests [########################] 100.0 % "), std::string::npos) << all;
  EXPECT_EQ(all.find("spares"), std::string::npos) << all;  // there were none
  EXPECT_NE(all.find("1 000"), std::string::npos) << all;
}

TEST(cli_live_view, a_pool_that_stands_still_does_not_look_busy) {
  const auto page = page_of(20, 20, 1);
  page->worker[0].state = static_cast<std::uint32_t>(filch::worker_state::waiting);
  page->worker[0].still_ns = 12'000'000'000;
  page->worker[1].state = static_cast<std::uint32_t>(filch::worker_state::sleeping);
  page->worker[1].waits = 1;
  const std::vector<pool_view> pools = pools_of(*page, 0);
  std::string all;
  for (const std::string& line : screen_of("title", pools, pools, 0, false)) all += line + "\n";
  EXPECT_NE(all.find("work unfinished, but no worker runs"), std::string::npos) << all;
  EXPECT_NE(all.find("100.0 %   0.0 % waiting 12.0 s "), std::string::npos) << all;
  EXPECT_NE(all.find("100.0 %   0.0 % in a wait "), std::string::npos) << all;
  EXPECT_NE(lines_of(pools, 0).find("0 of 2 workers running and 2 in a wait, "), std::string::npos)
      << lines_of(pools, 0);
  const nlohmann::json j = json_of(pools);
  EXPECT_EQ(j[0]["unfinished"], true);
  EXPECT_EQ(j[0]["workers"][0]["state"], "waiting");
  EXPECT_EQ(j[0]["workers"][0]["still_ns"], 12'000'000'000);
  EXPECT_EQ(j[0]["workers"][1]["waits"], 1);
  const std::string text = prometheus_of("a", 42, pools, 0);
  EXPECT_NE(text.find("filch_waiting{program=\"a\",pid=\"42\",pool=\"7\",pool_name=\"cook\","
                      "worker=\"1\"} 1\n"),
            std::string::npos)
      << text;
}

TEST(cli_live_view, json_and_prometheus_have_the_same_numbers) {
  const std::vector<pool_view> pools = pools_of(*page_of(1, 0.5, 12), 0);
  const nlohmann::json j = json_of(pools);
  EXPECT_EQ(j[0]["workers"][1]["jobs"], 12);
  EXPECT_EQ(j[0]["guests"]["busy_ns"], 500'000'000);
  EXPECT_EQ(j[0]["spares"]["busy_ns"], 0);
  EXPECT_DOUBLE_EQ(j[0]["busy"].get<double>(), 0.75);  // three halves of a second, of two
  EXPECT_DOUBLE_EQ(j[0]["utilisation"].get<double>(), 0.5);
  EXPECT_EQ(j[0]["backlog"], 5);
  const std::string text = prometheus_of("a\"b", 42, pools, 3);
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
  EXPECT_NE(text.find(R"(filch_pools_left_out{program="a\"b",pid="42"} 3)"), std::string::npos)
      << text;
}
