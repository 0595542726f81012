// How much stack a level of waiting takes: from the frame of a job, or of a function that joins, to
// the frame of the next job that it waits for or helps with. The times mean nothing here; `bytes`
// is the result.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "filch/future.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"

namespace {

constexpr int levels = 200;
std::atomic<std::uintptr_t> largest{0};

/// The frame, on this thread, of the innermost wait of the kind that is measured; 0 if another wait
/// is in between.
thread_local std::uintptr_t waiter = 0;

/// Measures from the last waiter to `frame`, and makes `frame` the waiter.
class level {
 public:
  explicit level(void* frame) noexcept : outer_(waiter) {
    const auto mine = reinterpret_cast<std::uintptr_t>(frame);
    const std::uintptr_t bytes = frame == nullptr || outer_ == 0 ? 0 : outer_ - mine;
    std::uintptr_t most = largest;
    while (most < bytes && !largest.compare_exchange_weak(most, bytes)) continue;
    waiter = mine;
  }
  level(const level&) = delete;
  level& operator=(const level&) = delete;
  ~level() { waiter = outer_; }

 private:
  std::uintptr_t outer_;
};

template <class F>
void measure(benchmark::State& state, F f) {
  largest = 0;
  for (auto _ : state) f();
  state.counters["bytes"] = static_cast<double>(largest);
  if (largest == 0) state.SkipWithError("nothing was nested");
}

[[gnu::noinline]] int nested_join(int left) {
  const level here(__builtin_frame_address(0));
  if (left == 0) return 0;
  const auto [x, y] = filch::join([=] { return nested_join(left - 1); }, [] { return 1; });
  return x + y;
}
/// A join inside of the first branch of a join.
void join(benchmark::State& state) {
  filch::pool pool(1);
  measure(state, [&] { pool.install([] { return nested_join(levels); }); });
}
BENCHMARK(join)->Iterations(1);

[[gnu::noinline]] void nested_scope(int left) {
  const level here(__builtin_frame_address(0));
  if (left == 0) return;
  filch::scope s;
  s.spawn([=] { nested_scope(left - 1); });
}
/// A scope inside of a task of a scope.
void scope(benchmark::State& state) {
  filch::pool pool(1);
  measure(state, [&] { pool.install([] { nested_scope(levels); }); });
}
BENCHMARK(scope)->Iterations(1);

[[gnu::noinline]] int nested_future(filch::pool& pool, int left) {
  const level here(__builtin_frame_address(0));
  if (left == 0) return 0;
  return pool.submit([&pool, left] { return nested_future(pool, left - 1); }).get() + 1;
}
/// A task that waits for a task, and helps.
void future(benchmark::State& state) {
  filch::pool pool({.threads = 1, .max_help_depth = levels + 1});
  measure(state, [&] { pool.install([&] { return nested_future(pool, levels); }); });
}
BENCHMARK(future)->Iterations(1);
/// The same with a full stack: each task runs the task that it waits for.
void future_with_a_full_stack(benchmark::State& state) {
  filch::pool pool({.threads = 1, .max_spares = 0, .max_help_depth = 0});
  measure(state, [&] { pool.install([&] { return nested_future(pool, levels); }); });
}
BENCHMARK(future_with_a_full_stack)->Iterations(1);

/// Two jobs on two workers. The second branch of the first job is stolen, and its thief does
/// nothing else before the other job has run. So the thread that waits for that branch runs the
/// other job.
struct stolen_branch {
  filch::pool pool{2};
  std::atomic<bool> stolen{false};
  std::atomic<bool> helped{false};

  [[gnu::noinline]] void job() {
    const level here(__builtin_frame_address(0));
    if (stolen) {
      helped = true;
      return;
    }
    filch::join([&] { pause_until(stolen); },
                [&] {
                  pool.detach([&] { job(); });
                  stolen = true;
                  pause_until(helped);
                });
  }
  static void pause_until(const std::atomic<bool>& flag) {
    while (!flag) std::this_thread::yield();
  }
};
/// A job that a join ran while it waited for its stolen second branch.
void helped_join(benchmark::State& state) {
  measure(state, [&] {
    stolen_branch world;
    world.pool.submit([&] { world.job(); }).get();
    world.pool.wait_idle();
  });
}
BENCHMARK(helped_join)->Iterations(1);

}  // namespace
