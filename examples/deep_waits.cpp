// Tasks that wait for tasks that wait: the number of nested tasks on one stack is bounded.
//
// A worker that waits runs other tasks meanwhile, and those may wait in turn. Without a bound,
// thousands of them would nest on one stack. max_help_depth is that bound: beyond it a worker
// sleeps, and a spare thread stands in for it.
#include <atomic>
#include <cstddef>
#include <cstdio>

#include "filch/filch.hpp"

namespace {

thread_local std::size_t on_this_stack = 0;

/// Counts how deep tasks nest on one stack, and the greatest depth.
class level {
 public:
  explicit level(std::atomic<std::size_t>& deepest) {
    const std::size_t now = ++on_this_stack;
    std::size_t seen = deepest;
    while (seen < now && !deepest.compare_exchange_weak(seen, now)) {
    }
  }
  level(const level&) = delete;
  level& operator=(const level&) = delete;
  ~level() { --on_this_stack; }
};

}  // namespace

int main() {
  constexpr std::size_t most = 8, tasks = 1000;
  std::atomic<std::size_t> deepest = 0, done = 0;
  {
    filch::pool pool({.threads = 2, .max_help_depth = most});
    // Each task waits for a small task of its own. Meanwhile the worker takes the next one.
    for (std::size_t i = 0; i < tasks; ++i)
      pool.detach([&] {
        const level here(deepest);
        done +=
            pool.submit([] { return std::size_t{1}; }, {.priority = filch::priority::low}).get();
      });
    pool.wait_idle();
  }
  std::printf("%zu tasks have waited, at most %zu of them on one stack\n", done.load(),
              deepest.load());
  return done == tasks && deepest <= most + 1 ? 0 : 1;
}
