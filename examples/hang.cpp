// A program that hangs, and what shows why. docs/guide/hangs.md explains the output. With an
// argument the program hangs until you press Enter, so that you can look at it with `filch top`, or
// start it with FILCH_WATCHDOG=2s.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "filch/metrics.hpp"
#include "filch/pool.hpp"
#include "filch/trace.hpp"

namespace {

bool all_wait(const filch::pool& pool) {
  const filch::metrics m = pool.metrics();
  return std::all_of(m.now.begin(), m.now.end(), [](const filch::worker_status& w) {
    return w.state == filch::worker_state::waiting;
  });
}

}  // namespace

int main(int argc, char**) {
  filch::pool pool({.threads = 2, .name = "kitchen"});
  std::atomic<int> seated = 0;
  std::atomic<bool> served = false;
  const auto serve = [&] {
    served = true;
    served.notify_all();
  };

  // Each of these tasks keeps a worker until the meal is served.
  for (int i = 0; i < 2; ++i)
    pool.detach([&] {
      const filch::trace_span span("eat");
      ++seated;
      served.wait(false);
    });
  while (seated != 2) std::this_thread::yield();

  // This task would serve it, but no worker is left to run it: the program hangs.
  pool.detach(serve);

  while (!all_wait(pool)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  pool.dump(std::cout);
  std::cout << std::flush;
  if (argc > 1) (void)std::getchar();

  serve();  // ends the hang
  pool.wait_idle();
  return 0;
}
