// Timers: tasks that begin at a later time, once or at intervals.
#include "filch/timers.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <stop_token>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"

using namespace std::chrono_literals;

int main() {
  filch::pool pool({.threads = 2, .name = "timers"});

  // A task for later. No thread waits for it but the one that waits for all timers.
  const auto start = std::chrono::steady_clock::now();
  filch::future<bool> late = filch::submit_after(
      5ms, [start] { return std::chrono::steady_clock::now() - start >= 5ms; }, {.on = &pool});

  // A timeout that is not needed in the end.
  std::stop_source done;
  filch::future<void> timeout = filch::submit_after(1h, [] { std::puts("too late"); },
                                                    {.stop = done.get_token(), .on = &pool});
  done.request_stop();
  bool cancelled = false;
  try {
    timeout.get();
  } catch (const filch::cancelled&) {
    cancelled = true;
  }

  // A function at intervals, until its handle ends.
  std::atomic<int> beats = 0;
  {
    const filch::periodic_task heart = filch::submit_every(1ms, [&] { ++beats; }, {.on = &pool});
    while (beats < 3) pool.submit([] {}).get();
  }  // no call runs any more: `beats` may go

  const bool in_time = late.get();
  std::printf("%d beats or more\n", 3);
  return in_time && cancelled && beats >= 3 ? 0 : 1;
}
