// What scope_spawn and submit share: empty tasks, timed, and a check that tasks run at all.
#pragma once

#include <atomic>

#include "harness.hpp"

namespace bench {

/// Returns the seconds for `spawn(count, task)` with tasks that do nothing. `spawn` must return
/// when all have run.
template <class Spawn>
double seconds_for_tasks(int count, Spawn spawn) {
  constexpr int enough = 1000;
  std::atomic<int> ran{0};
  spawn(enough, [&ran] { ++ran; });
  require(ran == enough, "not every task has run once");
  const int hidden = opaque(count);
  const stopwatch watch;
  spawn(hidden, [] {});
  return watch.seconds();
}

}  // namespace bench
