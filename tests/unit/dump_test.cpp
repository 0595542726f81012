// What dump() and metrics() say about workers that run, wait, help and sleep.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/future.hpp"
#include "filch/isolate.hpp"
#include "filch/join.hpp"
#include "filch/participation.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/trace.hpp"
#include "support/default_pool_of.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/trace_file.hpp"

using filch::metrics;
using filch::pool;
using filch::worker_state;
using filch::test::gate;
using filch::test::until;

namespace {

std::string dump_of(const pool& p) {
  std::ostringstream out;
  p.dump(out);
  return out.str();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void until_state(const pool& p, worker_state wanted) {
  until([&] { return p.metrics().now[0].state == wanted; });
}

/// A pool whose only worker waits for a lock, as long as this lives.
class stuck {
 public:
  stuck() {
    pool_.detach([this] { const std::scoped_lock lock(mutex_); });
    until([this] { return contains(dump_of(pool_), "for a lock, a condition variable"); });
  }
  pool& home() { return pool_; }

 private:
  std::mutex mutex_;
  pool pool_{{.threads = 1, .name = "stuck"}};
  std::unique_lock<std::mutex> held_{mutex_};
};

}  // namespace

TEST(dump, says_that_a_worker_sleeps_because_a_guest_has_its_seat) {
  pool p(1);
  until([&] { return contains(dump_of(p), "1 sleeping, open"); });
  const filch::participation here(p);
  until([&] { return contains(dump_of(p), "1 sleeping, no seat for them, open"); });
}

TEST(dump, a_thread_that_takes_part_is_unfinished_work_only_in_its_calls) {
  pool p(1);
  const filch::participation here(p);
  until([&] { return contains(dump_of(p), "1 sleeping, no seat for them, open, idle"); });
  filch::join([&] { EXPECT_PRED2(contains, dump_of(p), "tasks unfinished"); }, [] {});
  filch::scope s({.on = &p});
  s.spawn([&] { EXPECT_PRED2(contains, dump_of(p), "tasks unfinished"); });
  s.wait();
  EXPECT_PRED2(contains, dump_of(p), "open, idle");
  p.detach([] {});
  EXPECT_PRED2(contains, dump_of(p), "tasks unfinished") << "there is no seat for it";
}

TEST(dump, of_an_idle_pool) {
  pool p({.threads = 2, .name = "render"});
  until([&] { return contains(dump_of(p), "2 sleeping"); });
  const std::string text = dump_of(p);
  EXPECT_PRED2(contains, text, "pool 'render': 2 workers");
  EXPECT_PRED2(contains, text, "injector empty");
  EXPECT_PRED2(contains, text, "open, idle");
  EXPECT_PRED2(contains, text, "worker 0: sleeping");
  EXPECT_PRED2(contains, text, "worker 1: sleeping");
}

TEST(dump, of_a_pool_that_is_busy) {
  pool p(1);
  const filch::test::occupied busy(p);
  p.detach([] {});
  const std::string text = dump_of(p);
  EXPECT_PRED2(contains, text, "injector not empty");
  EXPECT_PRED2(contains, text, "tasks unfinished");
  p.close();
  EXPECT_PRED2(contains, dump_of(p), "closed");
}

TEST(dump, a_pool_is_not_idle_in_the_loop_of_an_outside_thread) {
  const filch::test::default_pool_of two(2);
  filch::parallel_for(
      0, 4, [](int) { EXPECT_PRED2(contains, dump_of(filch::default_pool()), "tasks unfinished"); },
      {.grain = 1});
  until([] { return contains(dump_of(filch::default_pool()), "open, idle"); });
}

TEST(dump, says_how_long_a_deque_is_and_who_was_robbed) {
  pool p(2);
  p.install([&] {
    gate stolen;
    filch::join([&] { stolen.pass(); }, [&] { stolen.open(); });
    EXPECT_PRED2(contains, dump_of(p), "1 stolen, last from");
  });
  pool one(1);
  one.install([&] {
    for (int i = 0; i < 3; ++i) one.detach([] {});
    EXPECT_PRED2(contains, dump_of(one), "3 jobs queued");
  });
}

TEST(dump, may_be_called_while_everything_moves) {
  std::atomic<bool> stop = false;
  pool p(3);
  for (int i = 0; i < 3; ++i)
    p.detach([&] {
      while (!stop)
        filch::scoped([](filch::scope& s) {
          for (int k = 0; k < 10; ++k) s.spawn([] {});
        });
    });
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(dump_of(p).empty());
    (void)p.metrics();
  }
  stop = true;
}

TEST(dump, a_worker_that_waits_for_a_lock_is_not_running) {
  stuck s;
  const std::string text = dump_of(s.home());
  EXPECT_PRED2(contains, text, "worker 0: waiting, ");
  EXPECT_PRED2(contains, text, "its job waits in user code");
  EXPECT_PRED2(contains, text, "for a lock, a condition variable or another thread");
  EXPECT_PRED2(contains, text, "tasks unfinished");
}

TEST(dump, a_worker_that_computes_is_running) {
  std::atomic<bool> inside = false, leave = false;
  pool p(1);
  p.detach([&] {
    inside = true;
    while (!leave) {
    }
  });
  until([&] { return inside.load(); });
  EXPECT_PRED2(contains, dump_of(p), "worker 0: running, ");
  EXPECT_EQ(p.metrics().now[0].state, worker_state::running);
  leave = true;
}

TEST(dump, says_which_thread_waits_so_that_a_debugger_finds_it) {
  gate leave;
  std::atomic<int> thread = 0;
  pool p(1);
  p.detach([&] {
    thread = ::gettid();
    filch::blocking([&] { leave.pass(); });
  });
  until_state(p, worker_state::blocked);
  EXPECT_PRED2(contains, dump_of(p), "worker 0: blocked, ");
  EXPECT_PRED2(contains, dump_of(p), "thread " + std::to_string(thread));
  leave.open();
}

TEST(dump, a_worker_that_runs_another_job_while_one_waits_is_helping) {
  pool p(1);
  p.install([&] {
    p.submit([&] {
       EXPECT_PRED2(contains, dump_of(p), "worker 0: helping, ");
       EXPECT_EQ(p.metrics().now[0].state, worker_state::helping);
       EXPECT_EQ(p.metrics().now[0].waits, 1u);
     }).get();
    EXPECT_PRED2(contains, dump_of(p), "worker 0: running, ");
  });
}

TEST(dump, a_worker_that_sleeps_in_a_wait_is_not_idle) {
  gate leave;
  pool other(1), p({.threads = 1, .name = "waits"});
  auto late = other.submit([&] { leave.pass(); });
  p.detach([&] { late.get(); });
  until([&] { return p.metrics().now[0].waits == 1; });
  until_state(p, worker_state::sleeping);
  EXPECT_PRED2(contains, dump_of(p), "worker 0: sleeping, ");
  EXPECT_PRED2(contains, dump_of(p), "its job waits for tasks, and there is none that it can run");
  leave.open();
  p.wait_idle();
  until([&] { return contains(dump_of(p), "worker 0: sleeping, "); });
  EXPECT_FALSE(contains(dump_of(p), "waits for tasks"));
}

TEST(dump, names_the_innermost_span_of_a_worker_that_waits) {
  const filch::test::temporary_path path;
  filch::trace trace(path.string());
  gate inner, leave;
  pool p(1);
  p.detach([&] {
    const filch::trace_span outer("outer");
    {
      const filch::trace_span span("inner");
      filch::blocking([&] { inner.pass(); });
    }
    filch::blocking([&] { leave.pass(); });
  });
  until([&] { return contains(dump_of(p), "in span 'inner'"); });
  inner.open();
  until([&] { return contains(dump_of(p), "in span 'outer'"); });
  leave.open();
  p.wait_idle();
  EXPECT_FALSE(contains(dump_of(p), "in span"));
}

TEST(metrics, of_a_worker_that_waits_in_a_job_have_busy_time_without_processor_time) {
  stuck s;
  const metrics before = s.home().metrics();
  until([&] { return (s.home().metrics() - before).elapsed_ns > 1'000'000; });
  const metrics during = s.home().metrics() - before;
  EXPECT_EQ(during.utilisation(), 1) << "its job has not ended";
  EXPECT_EQ(during.workers[0].cpu_ns, 0u);
  EXPECT_GE(during.now[0].still_ns, 1'000'000u) << "the look before found the same";
  std::ostringstream table;
  table << during;
  EXPECT_PRED2(contains, table.str(), "waiting");
}

TEST(metrics, have_the_processor_time_of_threads_that_have_ended) {
  std::shared_ptr<filch::detail::registry> core;
  {
    pool p(2);
    core = p.core();
    p.install([&] { until([&] { return p.metrics().total().cpu_ns > 0; }); });
  }
  const filch::detail::measured_pool m = filch::detail::measure(*core);
  EXPECT_GT(m.workers[0].cpu_ns, 0u);
  EXPECT_GT(m.workers[1].cpu_ns, 0u);
  EXPECT_EQ(m.now[0].state, worker_state::absent);
}
