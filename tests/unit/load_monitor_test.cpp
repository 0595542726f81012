#include "filch/load_monitor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "filch/errors.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/child.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/sanitizers.hpp"

using filch::load_monitor;
using filch::load_monitor_options;
using filch::load_sample;
using filch::pool;
using filch::test::occupied;
using filch::test::until;
using namespace std::chrono_literals;

namespace {

std::string refusal(std::chrono::nanoseconds interval, load_monitor_options o = {}) {
  pool p(1);
  try {
    (void)load_monitor(p, interval, std::move(o));
  } catch (const filch::usage_error& e) {
    return e.what();
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(load_monitor, sees_what_waits_for_a_busy_worker) {
  pool p(1);
  occupied busy(p);
  for (int i = 0; i < 5; ++i) p.detach([] {});
  load_monitor m(p, 1ms);
  until([&] { return m.samples() > 0; });
  const load_sample s = m.load();
  ASSERT_EQ(s.workers.size(), 1u);
  EXPECT_EQ(s.workers[0].state, filch::worker_state::running);
  EXPECT_EQ(s.running, 1u);
  EXPECT_EQ(s.injected + s.max, 5u);
  EXPECT_EQ(s.backlog, 5u);
  EXPECT_EQ(s.imbalance, 1) << "with one worker";
}

TEST(load_monitor, sees_the_deque_and_the_branches_of_each_worker) {
  pool p(1);
  load_monitor m(p, 1ms);
  p.install([&] {
    for (int i = 0; i < 3; ++i) p.detach([] {});
    filch::join(
        [&] {
          const std::uint64_t before = m.samples();
          until([&] { return m.samples() > before + 1; });
          const load_sample s = m.load();
          EXPECT_EQ(s.workers[0].deque, 3u);
          EXPECT_EQ(s.workers[0].branches, 1u);
          EXPECT_EQ(s.max, 4u);
        },
        [] {});
  });
}

TEST(load_monitor, counts_what_waits_in_every_injector) {
  pool p(2);
  {
    occupied busy(p);
    p.detach([] {}, {.priority = filch::priority::high});
    p.detach([] {}, {.priority = filch::priority::low});
    p.detach([] {});
    load_monitor m(p, 1ms);
    until([&] { return m.samples() > 0; });
    EXPECT_EQ(m.load().injected, 3u);
  }
  p.broadcast([] {});
  p.wait_idle();
  load_monitor m(p, 1ms);
  until([&] { return m.samples() > 0; });
  EXPECT_EQ(m.load().injected, 0u) << "broadcasts do not go through it";
  p.install([&] { p.detach([] {}, {.priority = filch::priority::low}); });
  p.wait_idle();
  until([&] {  // a sample may be taken before the workers are awake
    const load_sample s = m.load();
    return s.sleeping == 2 && s.injected == 0;
  });
}

TEST(load_monitor, sleeps_with_the_pool_and_comes_back_with_it) {
  pool p({.threads = 2, .idle = filch::idle::power});
  load_monitor m(p, 100us);
  until([&] { return m.load().sleeping == 2; });
  EXPECT_TRUE(m.load().asleep());
  until([&] {  // no worker is awake: many intervals without a sample, after some that were due
    const std::uint64_t before = m.samples();
    std::this_thread::sleep_for(20ms);
    return m.samples() == before;
  });
  const occupied busy(p, 1);
  until([&] { return m.load().running == 1; });
}

TEST(load_monitor, looks_soon_at_a_pool_that_wakes) {
  pool p({.threads = 1, .idle = filch::idle::power});
  const load_monitor m(p, 4s);
  until([&] { return m.samples() >= 1 && m.load().asleep(); });
  std::this_thread::sleep_for(10ms);  // by now the monitor most likely sleeps too
  const auto begin = std::chrono::steady_clock::now();
  const occupied busy(p);
  until([&] { return m.load().running == 1; });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s) << "work may take less than an interval";
}

TEST(load_monitor, comes_back_for_a_guest) {
  pool p({.threads = 1, .idle = filch::idle::power});
  load_monitor m(p, 100us);
  until([&] { return m.load().asleep() && m.samples() > 0; });
  filch::scope s({.on = &p});
  s.spawn([&] { until([&] { return m.load().running + m.load().helpers > 0; }); });
  s.wait();
  EXPECT_FALSE(m.history().empty());
}

TEST(load_monitor, keeps_as_many_samples_as_its_options_say) {
  pool p(1);
  const occupied busy(p);
  load_monitor m(p, 100us, {.history = 5});
  until([&] { return m.samples() > 20; });
  const std::vector<load_sample> kept = m.history();
  ASSERT_EQ(kept.size(), 5u);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].number, kept[i - 1].number + 1);
    EXPECT_LE(kept[i - 1].time, kept[i].time);
  }
}

TEST(load_monitor, without_history_has_the_last_sample) {
  pool p(1);
  load_monitor m(p, 1ms, {.history = 0});
  until([&] { return m.samples() > 0; });
  EXPECT_TRUE(m.history().empty());
  EXPECT_EQ(m.load().workers.size(), 1u);
}

TEST(load_monitor, before_its_first_sample_has_one_that_says_so) {
  const load_sample s;
  EXPECT_EQ(s.number, 0u);
  EXPECT_EQ(s.imbalance, 1);
  EXPECT_TRUE(s.workers.empty());
}

TEST(load_monitor, tells_once_of_an_overload_and_again_after_it_was_over) {
  std::atomic<int> reports = 0;
  std::atomic<std::size_t> backlog = 0;
  pool p(1);
  load_monitor m(p, 100us,
                 {.overload = 10, .overload_over = 2, .on_overload = [&](const load_sample& s) {
                    ++reports;
                    backlog = s.backlog;
                  }});
  for (int round = 1; round <= 3; ++round) {
    {
      const occupied busy(p);
      for (int i = 0; i < 50; ++i) p.detach([] {});
      until([&] { return reports == round; });
      const std::uint64_t before = m.samples();
      until([&] { return m.samples() > before + 5; });
      EXPECT_EQ(reports, round) << "once, as long as it lasts";
      EXPECT_GE(backlog, 10u);
    }
    p.wait_idle();
    until([&] { return m.load().backlog == 0; });
  }
}

TEST(load_monitor, tells_of_workers_that_starve_while_another_works) {
  std::atomic<int> reports = 0;
  pool p(2);
  const occupied busy(p, 1);  // first: a worker that starts counts as running too
  load_monitor m(p, 100us,
                 {.starvation = 0.5, .starvation_over = 0.1, .on_starvation = [&](const auto& s) {
                    EXPECT_EQ(s.running, 1u);
                    ++reports;
                  }});
  until([&] { return reports == 1; });
}

TEST(load_monitor, does_not_report_starving_while_no_thread_works) {
  std::atomic<int> reports = 0, in_vain = 0;
  pool p({.threads = 2, .idle = filch::idle::power});
  until([&] { return p.metrics().total().sleeps >= 2; });
  load_monitor m(p, 100us, {.starvation = 0, .on_starvation = [&](const auto& s) {
                              ++(s.running == 0 ? in_vain : reports);
                            }});
  until([&] { return m.samples() >= 1; });
  EXPECT_EQ(reports + in_vain, 0);
  const occupied busy(p, 1);
  until([&] { return reports == 1; });
  EXPECT_EQ(in_vain, 0);
}

TEST(load_monitor, gives_what_a_callback_throws_to_the_pool) {
  std::atomic<int> caught = 0;
  pool p({.threads = 1, .on_exception = [&](std::exception_ptr) { ++caught; }});
  load_monitor m(p, 100us, {.overload = 1, .overload_over = 0, .on_overload = [](const auto&) {
                              throw std::runtime_error("too much");
                            }});
  const occupied busy(p);
  p.detach([] {});
  until([&] { return caught == 1; });
  const std::uint64_t before = m.samples();
  until([&] { return m.samples() > before; });  // it goes on
}

TEST(load_monitor, outlives_its_pool_and_keeps_the_last_sample) {
  const auto present = [](const load_sample& s) {
    return s.running + s.idle + s.sleeping + s.blocked;
  };
  pool another(1);
  const occupied busy(another);
  const load_monitor goes_on(another, 100us);
  for (int round = 0; round < 20; ++round) {
    auto p = std::make_unique<pool>(2);
    load_monitor m(*p, 100us);
    until([&] { return present(m.load()) == 2; });
    p.reset();
    const std::uint64_t last = m.samples();
    const std::uint64_t before = goes_on.samples();
    until([&] { return goes_on.samples() > before + 10; });
    EXPECT_EQ(m.samples(), last);
    EXPECT_EQ(m.load().number, last);
    EXPECT_EQ(m.history().back().number, last);
    EXPECT_EQ(present(m.load()), 2u) << "of a pool that was there";
  }
}

TEST(load_monitor, has_no_sample_of_a_pool_that_had_ended_before) {
  pool another(1);
  const occupied busy(another);
  pool p(1);
  p.wait_idle();
  p.close();
  load_monitor m(p, 100us);
  const load_monitor goes_on(another, 100us);
  until([&] { return goes_on.samples() > 50; });
  EXPECT_EQ(m.samples(), 0u);
  EXPECT_EQ(m.load().number, 0u);
}

TEST(load_monitor, of_two_pools_do_not_mix) {
  pool a(1), b(2);
  const occupied busy(a);
  a.detach([] {});
  load_monitor ma(a, 100us), mb(b, 100us);
  until([&] { return ma.samples() > 1 && mb.load().sleeping == 2; });
  EXPECT_EQ(ma.load().backlog, 1u);
  EXPECT_EQ(mb.load().backlog, 0u);
}

TEST(load_monitor, ends_while_the_pool_is_busy_or_asleep) {
  pool p(2);
  for (int i = 0; i < 50; ++i) {
    load_monitor m(p, 1h);
    if (i % 2 == 0) p.detach([] {});
  }
}

TEST(load_monitor, refuses_an_interval_that_is_none) {
  EXPECT_PRED2(contains, refusal(0ns), "the interval is 0 ns");
  EXPECT_PRED2(contains, refusal(-5ms), "the interval is -5000000 ns");
}

TEST(load_monitor, an_interval_for_ever_is_one_sample_and_no_overflow) {
  pool p(1);
  const occupied busy(p);  // so that it does not sleep with the pool
  load_monitor m(p, std::chrono::nanoseconds::max());
  until([&] { return m.samples() > 0; });
  load_monitor often(p, 100us);
  until([&] { return often.samples() >= 20; });
  EXPECT_EQ(m.samples(), 1u);
  EXPECT_EQ(m.interval(), std::chrono::nanoseconds::max());
}

TEST(load_monitor, a_threshold_alone_brings_the_value_at_which_it_is_over) {
  EXPECT_EQ(refusal(1ms, {.overload = 10}), "accepted");
  EXPECT_EQ(refusal(1ms, {.starvation = 0.2}), "accepted");
  EXPECT_EQ(refusal(1ms, {.overload = 0, .starvation = 1}), "accepted");
}

TEST(load_monitor, refuses_thresholds_that_make_no_sense) {
  EXPECT_PRED2(contains, refusal(1ms, {.starvation = 1.5}), "it must be a number from 0 to 1");
  EXPECT_PRED2(contains, refusal(1ms, {.overload_over = 65}), "overload_over is 65");
  EXPECT_PRED2(contains, refusal(1ms, {.overload = -1}), "overload is -1");
  EXPECT_PRED2(contains, refusal(1ms, {.overload = std::nan("")}), "overload is ");
  EXPECT_PRED2(contains, refusal(1ms, {.overload = 5, .overload_over = 6}), "overload_over is 6");
  EXPECT_PRED2(contains, refusal(1ms, {.starvation = std::numeric_limits<double>::infinity()}),
               "starvation is inf");
}

TEST(load_monitor_death_test, a_callback_must_not_destroy_it) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        pool p(1);
        std::unique_ptr<load_monitor> m;
        std::atomic<bool> made = false;
        m = std::make_unique<load_monitor>(
            p, 1ms,
            load_monitor_options{
                .overload = 0, .overload_over = 0, .on_overload = [&](const auto&) {
                  until([&] { return made.load(); });
                  m.reset();
                }});
        made = true;
        std::this_thread::sleep_for(30s);
      },
      "destroyed by one of its own callbacks");
}

TEST(load_monitor, samples_a_pool_that_is_busy) {
  std::atomic<bool> stop = false;
  pool p(3);
  load_monitor m(p, 50us);
  for (int i = 0; i < 3; ++i)
    p.detach([&] {
      while (!stop) {
        filch::scoped([](filch::scope& s) {
          for (int k = 0; k < 10; ++k) s.spawn([] { filch::join([] {}, [] {}); });
        });
      }
    });
  until([&] { return m.samples() > 200; });
  for (const load_sample& s : m.history()) {
    EXPECT_TRUE(std::isfinite(s.imbalance));
    EXPECT_LE(s.min, s.max);
    EXPECT_LE(s.running + s.idle + s.sleeping + s.blocked, 3u);
  }
  stop = true;
}

TEST(load_monitor, in_the_child_of_a_fork_has_what_there_was_and_no_thread) {
  if (FILCH_TSAN || FILCH_ASAN) GTEST_SKIP() << "sanitizers do not like children";
  pool p(1);
  auto m = std::make_unique<load_monitor>(p, 1ms);
  until([&] { return m->samples() > 0; });
  EXPECT_EQ(filch::test::in_child([&] {
              filch::test::require(m->load().workers.size() == 1, "the last sample");
              m.reset();
            }),
            "");
}
