// filch bench: what the operations of filch cost on this machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/arguments.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/numbers.hpp"
#include "base/output.hpp"
#include "commands/command.hpp"
#include "filch/filch.hpp"
#include "terminal/progress.hpp"
#include "terminal/table.hpp"

namespace filch::cli {
namespace {

using clock = std::chrono::steady_clock;

struct bench_options {
  std::string only;
  std::size_t workers = 0;
  double seconds = 0.5;
  bool json = false;
};

/// A benchmark. `run` runs it once, and returns the seconds for one operation.
struct benchmark {
  const char* name;
  const char* about;
  std::function<double(filch::pool&)> run;
};

/// Seconds for one operation of `f`, which runs `operations` of them.
template <class F>
double timed(double operations, F f) {
  const clock::time_point start = clock::now();
  f();
  return std::chrono::duration<double>(clock::now() - start).count() / operations;
}

void require(bool correct, const char* what) {
  if (!correct) throw failure(fmt::format("bench: {} gave a wrong answer", what));
}

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

double fork(filch::pool& pool) {
  constexpr int n = 24;
  constexpr long answer = 46'368, forks = 75'024;  // fib(n), and fib(n + 1) - 1
  long got = 0;
  const double seconds = pool.install([&] { return timed(forks, [&] { got = fib(n); }); });
  require(got == answer, "fork");
  return seconds;
}

double spawn(filch::pool& pool) {
  constexpr int tasks = 20'000;
  std::atomic<int> ran{0};
  const double seconds = pool.install([&] {
    return timed(tasks, [&] {
      filch::scope s;
      for (int i = 0; i < tasks; ++i)
        s.spawn([&] { ran.fetch_add(1, std::memory_order_relaxed); });  // orders nothing: a count
      s.wait();
    });
  });
  require(ran == tasks, "spawn");
  return seconds;
}

double submit(filch::pool& pool) {
  constexpr int tasks = 5'000;
  std::atomic<int> ran{0};
  const double seconds = timed(tasks, [&] {
    for (int i = 0; i < tasks; ++i)
      pool.detach([&] { ran.fetch_add(1, std::memory_order_relaxed); });  // orders nothing: a count
    pool.wait_idle();
  });
  require(ran == tasks, "submit");
  return seconds;
}

double wake(filch::pool& pool) {
  // Long enough for all workers to fall asleep.
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const clock::time_point start = clock::now();
  const clock::time_point began = pool.submit([] { return clock::now(); }).get();
  return std::chrono::duration<double>(began - start).count();
}

double loop(filch::pool& pool) {
  static std::vector<std::uint32_t> items(1'000'000);
  const double seconds = timed(static_cast<double>(items.size()), [&] {
    filch::parallel_for(std::size_t{0}, items.size(),
                        [&](std::size_t i) { items[i] = 3 * items[i] + 1; }, {.on = &pool});
  });
  return seconds;
}

double sort(filch::pool& pool) {
  std::vector<std::uint64_t> v(200'000);
  std::uint64_t x = 1;
  for (std::uint64_t& e : v) e = x = (x ^ (x >> 29)) * 6'364'136'223'846'793'005U + 1;
  const double seconds = timed(static_cast<double>(v.size()),
                               [&] { filch::sort(v, std::less<>(), {}, {.on = &pool}); });
  require(std::is_sorted(v.begin(), v.end()), "sort");
  return seconds;
}

const std::vector<benchmark>& benchmarks() {
  static const std::vector<benchmark> all = {
      {"fork", "one join of two branches, in fib(24)", fork},
      {"spawn", "one task of a scope, spawned and run by workers", spawn},
      {"submit", "one task from an outside thread, accepted and run", submit},
      {"wake", "from submit() to the start of the task, all workers asleep", wake},
      {"loop", "one item of a parallel_for over a million", loop},
      {"sort", "one element of a sort of 200 000 numbers", sort},
  };
  return all;
}

struct result {
  const benchmark* what;
  std::vector<double> samples;
};

result measure(const benchmark& b, filch::pool& pool, double seconds) {
  constexpr std::size_t enough = 1000, fewest = 5;
  result r{&b, {}};
  (void)b.run(pool);  // warms up
  const clock::time_point start = clock::now();
  while (!was_interrupted() && r.samples.size() < enough &&
         (r.samples.size() < fewest ||
          std::chrono::duration<double>(clock::now() - start).count() < seconds))
    r.samples.push_back(b.run(pool));
  return r;
}

void print_results(const std::vector<result>& results, std::size_t workers, bool json) {
  if (json) {
    nlohmann::json list = nlohmann::json::array();
    for (const result& r : results) {
      const statistics s = statistics_of(r.samples);
      list.push_back({{"name", r.what->name},
                      {"about", r.what->about},
                      {"samples", r.samples.size()},
                      {"minimum_ns", s.minimum * 1e9},
                      {"median_ns", s.median * 1e9},
                      {"maximum_ns", s.maximum * 1e9},
                      {"spread", s.spread}});
    }
    print_json({{"version", filch::library_version()},
                {"workers", workers},
                {"interrupted", was_interrupted()},
                {"benchmarks", list}});
    return;
  }
  table t({{"benchmark", align::left},
           {"minimum"},
           {"median"},
           {"spread"},
           {"samples"},
           {"operation", align::left}});
  for (const result& r : results) {
    const statistics s = statistics_of(r.samples);
    t.add({r.what->name, duration_text(s.minimum), duration_text(s.median), percent_text(s.spread),
           std::to_string(r.samples.size()), r.what->about});
  }
  print("{} {}. Spread: the width of the middle half of the samples, divided by the median.\n{}",
        workers, workers == 1 ? "worker" : "workers", t.text());
}

int run_bench(const bench_options& o) {
  std::vector<const benchmark*> chosen;
  for (const benchmark& b : benchmarks())
    if (o.only.empty() || o.only == b.name) chosen.push_back(&b);

  const std::size_t workers = number_of_workers(o.workers);
  const interrupt_guard guard;
  const std::unique_ptr<filch::pool> made = make_pool({.threads = workers, .name = "bench"});
  filch::pool& pool = *made;
  std::vector<result> results;
  {
    progress bar(!o.json);
    for (std::size_t i = 0; i < chosen.size() && !was_interrupted(); ++i) {
      bar.show(static_cast<double>(i) / static_cast<double>(chosen.size()), chosen[i]->about);
      results.push_back(measure(*chosen[i], pool, o.seconds));
      if (results.back().samples.empty()) results.pop_back();
    }
  }
  print_results(results, workers, o.json);
  return was_interrupted() ? interrupted : done;
}

}  // namespace

command add_bench(CLI::App& program) {
  CLI::App& app =
      add_command(program, "bench", "Measure what the operations of filch cost on this machine",
                  "  filch bench\n"
                  "  filch bench wake --seconds 2\n"
                  "  filch bench -j 1 --json > before.json\n");
  auto o = std::make_shared<bench_options>();
  std::vector<std::string> names;
  for (const benchmark& b : benchmarks()) names.emplace_back(b.name);
  add_choice(app, "benchmark", o->only, names, "What to measure (default: all)");
  add_workers(app, o->workers);
  add_seconds(app, "--seconds", o->seconds, "How long to measure each (default: 0.5)");
  add_json(app, o->json, "Print the results as JSON");
  return {&app, [o] { return run_bench(*o); }};
}

}  // namespace filch::cli
