// The contents of a trace. For guests, spans, failures and the environment see trace_guest_test,
// trace_span_test, trace_errors_test and trace_environment_test.
#include "filch/trace.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "filch/errors.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/asleep.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/trace_file.hpp"

using filch::pool;
using filch::trace;
using filch::trace_span;
using filch::test::gate;
using filch::test::json;
using filch::test::temporary_path;
using filch::test::trace_file;
using filch::test::until;

namespace {

double end_of(const json& e) { return e.at("ts").get<double>() + e.at("dur").get<double>(); }

/// Is `inner` within `outer`? To the nanosecond.
bool lies_in(const json& inner, const json& outer) {
  return inner.at("tid") == outer.at("tid") && inner.at("ts") >= outer.at("ts") &&
         end_of(inner) <= end_of(outer) + 0.0005;
}

const json& thread_of(const trace_file& file, const json& event) {
  return file.threads().at(event.at("tid").get<std::size_t>());
}

}  // namespace

TEST(trace, of_nothing_is_a_file_that_can_be_read) {
  const temporary_path path;
  { const trace t(path); }
  const trace_file file(path);
  EXPECT_EQ(file.about().at("format"), 1);
  EXPECT_EQ(file.about().at("pid"), ::getpid());
  EXPECT_EQ(file.about().at("lost_events"), 0);
  EXPECT_TRUE(file.about().at("start_unix_ns").is_string());
  EXPECT_GT(file.about().at("duration_ns"), 0);
  EXPECT_TRUE(file.threads().empty());
}

TEST(trace, is_on_while_it_lives) {
  const temporary_path path;
  EXPECT_FALSE(trace::is_on());
  {
    trace t(path);
    EXPECT_TRUE(trace::is_on());
    EXPECT_FALSE(t.finish());
    EXPECT_FALSE(trace::is_on());
    EXPECT_FALSE(t.finish()) << "the second time does nothing";
  }
  EXPECT_FALSE(trace::is_on());
}

TEST(trace, agrees_with_the_metrics) {
  const temporary_path path;
  filch::metrics m;
  {
    const trace t(path);
    pool p(2);
    for (int i = 0; i < 200; ++i)
      p.detach([] {
        filch::scoped([](filch::scope& s) {
          for (int k = 0; k < 5; ++k) s.spawn([] {});
        });
      });
    p.install([] {
      gate stolen;
      filch::join([&] { stolen.pass(); }, [&] { stolen.open(); });
    });
    p.wait_idle();
    filch::test::until_asleep(p);
    m = p.metrics();
  }
  const trace_file file(path);
  EXPECT_EQ(file.sum("jobs"), m.total().jobs);
  EXPECT_EQ(file.events("job").size(), m.total().jobs);
  EXPECT_GE(m.total().jobs, 1201u);
  EXPECT_EQ(file.sum("steals_taken"), m.total().steals_taken);
  EXPECT_EQ(file.sum("steal_hits"), m.total().steal_hits);
  EXPECT_EQ(file.events("steal").size(), m.total().steal_hits);
  std::uint64_t stolen = 0;
  for (const json& e : file.events("steal"))
    stolen += e.at("args").at("count").get<std::uint64_t>();
  EXPECT_EQ(stolen, m.total().steals_taken);
  ASSERT_EQ(file.threads().size(), 3u) << "two workers and this thread";
  for (std::size_t i = 0; i < 2; ++i) {
    const json& t = file.threads()[i];
    EXPECT_EQ(t.at("tid"), i);
    EXPECT_EQ(t.at("kind"), "worker");
    EXPECT_EQ(t.at("index"), i);
    EXPECT_EQ(t.at("name"), "filch " + std::to_string(i));
    EXPECT_EQ(t.at("jobs"), m.workers[i].jobs);
    EXPECT_EQ(t.at("steals_lost"), m.workers[i].steals_lost);
    EXPECT_EQ(t.at("sleeps"), m.workers[i].sleeps);
    EXPECT_EQ(t.at("lost_events"), 0);
    EXPECT_GE(t.at("busy_ns"), m.workers[i].busy_ns);
    EXPECT_LE(t.at("busy_ns"), file.about().at("duration_ns"));
  }
  EXPECT_EQ(file.threads()[2].at("kind"), "outside");
  EXPECT_EQ(file.events("inject").size(), 201u);
  for (const json& e : file.events("inject")) EXPECT_EQ(e.at("tid"), 2);
}

TEST(trace, says_who_stole_from_whom) {
  const temporary_path path;
  {
    const trace t(path);
    pool p(2);
    p.install([] {
      gate stolen;
      filch::join([&] { stolen.pass(); }, [&] { stolen.open(); });
    });
  }
  const trace_file file(path);
  const auto steals = file.events("steal");
  ASSERT_EQ(steals.size(), 1u);
  EXPECT_EQ(steals[0].at("args").at("victim").get<int>() + steals[0].at("tid").get<int>(), 1)
      << "one of the two from the other";
  EXPECT_EQ(steals[0].at("args").at("count"), 1);
}

TEST(trace, does_not_have_what_join_calls_itself) {
  const temporary_path path;
  {
    const trace t(path);
    pool p(1);
    p.install([] {
      for (int i = 0; i < 100; ++i) filch::join([] {}, [] {});
    });
  }
  EXPECT_EQ(trace_file(path).events("job").size(), 1u);
}

TEST(trace, has_sleep_and_the_wake_up_that_ended_it) {
  const temporary_path path;
  pool p({.threads = 1, .idle = filch::idle::power});
  filch::test::until_asleep(p);
  {
    const trace t(path);
    p.install([] {});
  }
  const trace_file file(path);
  ASSERT_FALSE(file.events("sleep").empty());
  const json first = file.events("sleep")[0];
  EXPECT_EQ(first.at("ts"), 0) << "it slept when the trace began";
  const auto wakes = file.events("wake");
  ASSERT_FALSE(wakes.empty());
  EXPECT_EQ(wakes[0].at("args").at("worker"), 0);
  EXPECT_EQ(thread_of(file, wakes[0]).at("kind"), "outside");
}

TEST(trace, has_workers_that_did_nothing) {
  const temporary_path path;
  pool p({.threads = 2, .name = "quiet", .idle = filch::idle::power});
  filch::test::until_asleep(p);
  { const trace t(path); }
  const trace_file file(path);
  ASSERT_EQ(file.threads().size(), 2u);
  EXPECT_EQ(file.threads()[1].at("name"), "quiet 1");
  EXPECT_EQ(file.threads()[1].at("jobs"), 0);
  EXPECT_GT(file.threads()[1].at("sleep_ns"), 0);
  EXPECT_EQ(file.events("sleep").size(), 2u);
}

TEST(trace, of_two_pools_keeps_them_apart) {
  const temporary_path path;
  {
    const trace t(path);
    pool a({.threads = 1, .name = "render"});
    pool b({.threads = 2, .name = "load \"it\""});
    a.install([] {});
    for (int i = 0; i < 3; ++i) b.install([] {});
  }
  const trace_file file(path);
  const json& pools = file.about().at("pools");
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_EQ(pools[0].at("name"), "render");
  EXPECT_EQ(pools[1].at("name"), "load \"it\"");
  EXPECT_EQ(pools[1].at("workers"), 2);
  std::vector<std::uint64_t> jobs(2);
  for (const json& t : file.threads())
    if (t.at("kind") == "worker")
      jobs[t.at("pool").get<std::size_t>()] += t.at("jobs").get<std::uint64_t>();
  EXPECT_EQ(jobs, (std::vector<std::uint64_t>{1, 3}));
}

TEST(trace, has_guests) {
  const temporary_path path;
  filch::metrics m;
  {
    pool p(1);
    const trace t(path);
    const filch::test::occupied busy(p);
    filch::scope s({.on = &p});
    s.spawn([] {});
    s.wait();
    m = p.metrics();
  }
  const trace_file file(path);
  ASSERT_EQ(file.threads().size(), 2u);
  EXPECT_EQ(file.threads()[1].at("kind"), "guest");
  EXPECT_GT(m.guests.busy_ns, 0u);
  EXPECT_EQ(file.threads()[1].at("busy_ns"), m.guests.busy_ns);  // not only its jobs
  EXPECT_EQ(file.threads()[1].at("pool"), 0);
  EXPECT_GE(file.threads()[1].at("jobs"), 1);
}

TEST(trace, jobs_inside_of_jobs_lie_inside) {
  const temporary_path path;
  {
    const trace t(path);
    pool p(1);
    p.install([] { filch::scoped([](filch::scope& s) { s.spawn([] {}); }); });
  }
  const auto jobs = trace_file(path).events("job");
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_PRED2(lies_in, jobs[1], jobs[0]);
}

TEST(trace, a_job_that_has_not_ended_lasts_until_the_end) {
  const temporary_path path;
  pool p(1);
  {
    std::unique_ptr<trace> t = std::make_unique<trace>(path);
    const filch::test::occupied busy(p);
    t.reset();
  }
  const trace_file file(path);
  const auto jobs = file.events("job");
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].at("args").at("unfinished"), true);
  EXPECT_NEAR(end_of(jobs[0]), file.about().at("duration_ns").get<double>() / 1000, 0.002);
}

TEST(trace, jobs_inside_of_jobs_that_have_not_ended_lie_inside) {
  const temporary_path path;
  {
    auto t = std::make_unique<trace>(path);
    pool p(1);
    p.install([&] {
      filch::scoped([&](filch::scope& s) {
        s.spawn([] {});
        s.spawn([&] { t.reset(); });  // the newest goes first
      });
    });
  }
  const auto jobs = trace_file(path).events("job");
  ASSERT_EQ(jobs.size(), 2u);
  for (const json& j : jobs) EXPECT_EQ(j.at("args").at("unfinished"), true);
  EXPECT_PRED2(lies_in, jobs[1], jobs[0]);
}

TEST(trace, jobs_that_follow_each_other_do_not_overlap) {
  const temporary_path path;
  {
    const trace t(path);
    pool p(1);
    p.install([] {
      filch::scoped([](filch::scope& s) {
        for (int i = 0; i < 100; ++i) s.spawn([] {});
      });
    });
  }
  const auto jobs = trace_file(path).events("job");
  ASSERT_EQ(jobs.size(), 101u);
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    EXPECT_PRED2(lies_in, jobs[i], jobs[0]);
    EXPECT_GE(jobs[i].at("ts").get<double>() + 0.0005, i == 1 ? 0 : end_of(jobs[i - 1]));
  }
}

TEST(trace, a_job_does_not_begin_before_what_its_thread_did_before_it) {
  const temporary_path path;
  {
    const trace t(path);
    pool p(1);
    p.install([] {
      filch::scope s;
      for (int i = 0; i < 5; ++i) {
        const trace_span other("other");
        s.spawn([] {});
        s.spawn([] {});
        { const trace_span mine("mine"); }
        s.wait();
      }
    });
  }
  const trace_file file(path);
  const auto jobs = file.events("job"), mine = file.events("mine"), others = file.events("other");
  ASSERT_EQ(jobs.size(), 11u);
  ASSERT_EQ(mine.size(), 5u);
  ASSERT_EQ(others.size(), 5u);
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    EXPECT_GE(jobs[i].at("ts").get<double>() + 0.0005, end_of(mine[(i - 1) / 2])) << i;
    EXPECT_PRED2(lies_in, jobs[i], others[(i - 1) / 2]);
  }
}

TEST(trace, a_job_does_not_begin_while_its_worker_looks_for_one) {
  const temporary_path path;
  {
    const trace t(path);
    pool p({.threads = 1, .idle = filch::idle::latency});
    p.install([] {});
    filch::test::until_out_of_work(p);
    {
      const trace_span pause("pause");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    p.install([] {});
  }
  const trace_file file(path);
  const auto jobs = file.events("job");
  ASSERT_EQ(jobs.size(), 2u);
  const json pause = file.events("pause").at(0);
  const double middle = (pause.at("ts").get<double>() + end_of(pause)) / 2;
  EXPECT_GT(jobs[1].at("ts").get<double>(), middle) << "two processors' clocks may differ a little";
}

TEST(trace, jobs_that_began_before_it_are_not_in_it) {
  const temporary_path path;
  pool p(1);
  {
    const filch::test::occupied busy(p);
    const trace t(path);
  }
  EXPECT_EQ(trace_file(path).sum("jobs"), 0u);
}

TEST(trace, a_task_may_end_one_and_begin_the_next) {
  const temporary_path path, next(".next.json");
  {
    pool p(1);
    auto t = std::make_unique<trace>(path);
    p.install([&] {
      t.reset();
      t = std::make_unique<trace>(next);
    });
    p.install([] {});
    p.wait_idle();
  }
  EXPECT_EQ(trace_file(path).events("job").size(), 1u);
  EXPECT_EQ(trace_file(next).events("job").size(), 1u) << "the first began before";
}

TEST(trace, a_ring_that_is_too_small_keeps_the_newest_and_says_how_many_it_lost) {
  const temporary_path path;
  {
    const trace t(path, {.events = 64});
    pool p(1);
    for (int i = 0; i < 1000; ++i) p.install([] { const trace_span s("s"); });
  }
  const trace_file file(path);
  const json& worker = file.threads()[0];
  EXPECT_EQ(worker.at("jobs"), 1000) << "sums stay exact";
  EXPECT_LE(worker.at("events"), 64);
  EXPECT_GE(worker.at("events"), 60);
  EXPECT_GE(worker.at("lost_events"), 3000 - 64) << "a job, and both ends of a span";
  EXPECT_GE(file.about().at("lost_events"), worker.at("lost_events"));
  EXPECT_LE(file.events("job").size(), 22u);
  EXPECT_GE(file.events("job").size(), 5u);
}

TEST(trace, samples_the_queue_and_the_active_workers) {
  const temporary_path path;
  pool p(1);
  const filch::test::occupied busy(p);
  for (int i = 0; i < 7; ++i) p.detach([] {});
  const auto has = [&](const trace_file& file, const char* name, int value) {
    std::set<int> values;
    for (const json& e : file.events(name)) values.insert(e.at("args").at("pool 0").get<int>());
    return values.count(value) != 0;
  };
  // The sampler's thread may not have run yet when the first trace ends.
  until([&] {
    {
      const trace t(path, {.sampling = std::chrono::microseconds(100)});
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const trace_file file(path);
    return has(file, "queue", 7) && has(file, "active", 1);
  });
}

TEST(trace, without_sampling_has_no_samples) {
  const temporary_path path;
  {
    pool p(1);
    const trace t(path, {.sampling = std::chrono::nanoseconds(0)});
    p.install([] {});
  }
  EXPECT_TRUE(trace_file(path).events("queue").empty());
}

TEST(trace, of_a_thread_that_has_ended_is_kept) {
  const temporary_path path;
  {
    const trace t(path);
    for (int i = 0; i < 20; ++i) std::thread([] { const trace_span s("brief"); }).join();
  }
  EXPECT_EQ(trace_file(path).events("brief").size(), 20u);
}

TEST(trace, may_begin_and_end_while_everything_moves) {
  std::atomic<bool> stop = false;
  pool p(3);
  for (int i = 0; i < 3; ++i)
    p.detach([&] {
      while (!stop) {
        const trace_span round("round");
        filch::scoped([](filch::scope& s) {
          for (int k = 0; k < 10; ++k) s.spawn([] { filch::join([] {}, [] {}); });
        });
      }
    });
  std::thread outside([&] {
    while (!stop) {
      const trace_span s("outside");
      p.install([] {});
    }
  });
  const temporary_path path;
  for (int i = 0; i < 20; ++i) {
    {
      const trace t(path, {.events = 1024, .sampling = std::chrono::microseconds(100)});
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const trace_file file(path);
    EXPECT_EQ(file.threads().at(0).at("kind"), "worker");
  }
  stop = true;
  outside.join();
}
