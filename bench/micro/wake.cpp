// From asleep to the first instruction: a pool compared with a bare futex; and what an idle pool
// costs.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "filch/detail/base/futex.hpp"
#include "filch/pool.hpp"

namespace {

using clock = std::chrono::steady_clock;
constexpr auto long_enough_to_sleep = std::chrono::milliseconds(2);

/// Returns the seconds from `wake` to the time that the woken thread notes.
template <class Wake>
double latency(std::atomic<std::int64_t>& started, Wake wake) {
  std::this_thread::sleep_for(long_enough_to_sleep);
  started.store(0);
  const auto before = clock::now();
  wake();
  std::int64_t at = 0;
  while ((at = started.load()) == 0) std::this_thread::yield();
  return static_cast<double>(at - before.time_since_epoch().count()) * 1e-9;
}
std::int64_t now() { return clock::now().time_since_epoch().count(); }

void wake_pool(benchmark::State& state) {
  filch::pool pool({.threads = 1, .idle = filch::idle::power});
  std::atomic<std::int64_t> started{0};
  for (auto _ : state)
    state.SetIterationTime(latency(started, [&] { pool.detach([&] { started.store(now()); }); }));
}
BENCHMARK(wake_pool)->UseManualTime()->Iterations(300);

void wake_futex(benchmark::State& state) {
  filch::detail::atomic<std::uint32_t> word{0};
  std::atomic<std::int64_t> started{0};
  std::atomic<bool> over{false};
  std::thread sleeper([&] {
    for (;;) {
      while (word.load() == 0) filch::detail::futex_wait(word, 0);
      word.store(0);
      if (over.load()) return;
      started.store(now());
    }
  });
  const auto wake = [&] {
    word.store(1);
    filch::detail::futex_wake_one(word);
  };
  for (auto _ : state) state.SetIterationTime(latency(started, wake));
  over.store(true);
  wake();
  sleeper.join();
}
BENCHMARK(wake_futex)->UseManualTime()->Iterations(300);

/// CPU time of the whole process while a pool is idle for 2 seconds.
void idle_for_two_seconds(benchmark::State& state) {
  filch::pool pool(2);
  pool.install([] {});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto cpu = [] {
    rusage u{};
    getrusage(RUSAGE_SELF, &u);
    const auto seconds = [](timeval t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(u.ru_utime) + seconds(u.ru_stime);
  };
  double used = 0;
  for (auto _ : state) {
    const double before = cpu();
    std::this_thread::sleep_for(std::chrono::seconds(2));
    used += cpu() - before;
  }
  state.counters["cpu_ms"] = used * 1e3 / static_cast<double>(state.iterations());
}
BENCHMARK(idle_for_two_seconds)->Iterations(1)->UseRealTime();

}  // namespace
