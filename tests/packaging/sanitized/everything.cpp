// A program of a user that uses every part of filch. It is compiled with a sanitizer, and libfilch
// is not: the sanitizer must find nothing. With a second argument the program has races, which
// ThreadSanitizer must report.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filch/filch.hpp>
#include <thread>
#include <vector>

#include "expect.hpp"
#include "limits.hpp"
#include "loops.hpp"
#include "tasks.hpp"

namespace {

/// Two threads call this at once, and it writes one variable. It does so several times: of two
/// writes at the very same moment ThreadSanitizer may miss both.
void meet(std::atomic<int>& here, long& shared) {
  here.fetch_add(1, std::memory_order_relaxed);  // which orders nothing
  while (here.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
  for (int i = 0; i < 100; ++i, std::this_thread::yield()) ++shared;
}
/// Main is a guest, which meets a worker.
void race_of_branches() {
  static std::atomic<int> here = 0;
  static long shared = 0;
  filch::join([&] { meet(here, shared); }, [&] { meet(here, shared); });
}
void race_of_tasks() {
  static std::atomic<int> here = 0;
  static long shared = 0;
  filch::scope s;
  for (int i = 0; i < 2; ++i) s.spawn([&] { meet(here, shared); });
  s.wait();
}
void race_of_a_loop() {
  static std::atomic<int> here = 0;
  static long shared = 0;
  filch::parallel_for(0, 2, [&](int) { meet(here, shared); }, {.grain = 1});
}
void race_of_timers() {
  static std::atomic<int> here = 0;
  static long shared = 0;
  const auto f = [&] { meet(here, shared); };
  const filch::periodic_task a = filch::submit_every(std::chrono::microseconds(1), f);
  const filch::periodic_task b = filch::submit_every(std::chrono::microseconds(1), f);
  while (here.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
}
void race_of_continuations() {
  static std::atomic<int> here = 0;
  static long shared = 0;
  const auto f = [&] { meet(here, shared); };
  auto a = filch::submit([] {}).then(f);
  auto b = filch::submit([] {}).then(f);
  a.get();
  b.get();
}
void race_of_a_promise() {
  static std::atomic<int> here = 0;
  static long shared = 0;
  filch::promise<void> p;
  auto later = p.get_future().then([&] { meet(here, shared); });
  p.set_value();
  meet(here, shared);
  later.get();
}
void race_before_a_countdown() {
  static std::atomic<int> here = 0;
  static long shared = 0;
  filch::countdown left(1);
  filch::detach([&] {
    meet(here, shared);
    left.count_down();
  });
  meet(here, shared);
  left.wait();
}

void all_of_it(filch::pool& pool) {
  joins();
  scopes(pool);
  futures(pool);
  promises(pool);
  timers();
  others(pool);
  limits(pool);
  more_futures(pool);
  loops({.grain = 500});
  loops({.on = &pool});
  ranges({.grain = 500});
}

void watched(filch::pool& pool, const char* file) {
  std::size_t seen = 0;
  {
    filch::trace trace(file);
    const filch::trace_span span("a span with a name that takes more than one event");
    filch::load_monitor monitor(pool, std::chrono::milliseconds(1),
                                {.overload = 0, .on_overload = [&](const filch::load_sample& s) {
                                   seen = s.workers.size();
                                 }});
    while (monitor.samples() < 3) {
      filch::trace_counter("counter", 1);
      pool.submit([] { const filch::trace_span inner("inside"); }).get();
      futures(pool);
    }
    expect(monitor.load().workers.size() == pool.size(), "load_monitor");
    expect(!monitor.history().empty(), "the history of a load_monitor");
  }
  expect(seen == pool.size(), "on_overload");
}

}  // namespace

int main(int count, char** arguments) {
  filch::configure_default_pool({.threads = 3, .name = "default"});
  if (count > 2) {
    race_of_branches();
    race_of_tasks();
    race_of_a_loop();
    race_of_timers();
    race_of_continuations();
    race_of_a_promise();
    race_before_a_countdown();
  }
  std::vector<int> started(8);
  {
    filch::pool pool({.threads = 3, .on_start = [&](std::size_t i) { started[i] = 1; }});
    pool.wait_idle();
    expect(started[2] == 1, "on_start");
    filch::pool other(2);
    for (int round = 0; round < 2; ++round) {
      all_of_it(pool);
      other.install([&] { all_of_it(pool); });
      pool.install([&] {
        joins();
        scopes(pool);
        loops({.grain = 500});
      });
    }
    watched(pool, arguments[1]);
    deques();
    guests();
    participants(pool);
    for (int i = 0; i < 30; ++i) pool.detach([] { joins(); });
  }
  filch::shutdown_default_pool();
  std::puts("all as it should be");
}
