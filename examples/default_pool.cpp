// The default pool: free functions work without naming a pool.
//
// The pool is made on first use, with one worker per CPU that the process may use (or as
// FILCH_NUM_THREADS says). At exit it finishes what it has accepted.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "filch/errors.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/spawn.hpp"

namespace {

std::atomic<int> finished = 0;

/// Runs after the default pool was drained, because that handler was registered later than this
/// one.
void check_at_exit() {
  const bool all = finished == 100;
  std::printf("%d of 100 tasks finished before the end\n", finished.load());
  std::fflush(stdout);
  if (!all) std::_Exit(1);
}

}  // namespace

int main() {
  std::atexit(check_at_exit);

  // Before its first use the pool can be given other settings; afterwards that is an error.
  filch::configure_default_pool({.threads = 2, .name = "shared"});
  const auto [a, b] = filch::join([] { return 40; }, [] { return 2; });
  bool too_late = false;
  try {
    filch::configure_default_pool({.threads = 3});
  } catch (const filch::usage_error&) {
    too_late = true;
  }

  // The pool can be ended, too. The next use makes it again.
  filch::shutdown_default_pool();
  filch::configure_default_pool({.threads = 3});
  const bool three =
      filch::submit([] { return 1; }).get() == 1 && filch::default_pool().size() == 3;

  for (int i = 0; i < 100; ++i) filch::detach([] { ++finished; });  // main does not wait for these
  return a + b == 42 && too_late && three ? 0 : 1;
}
