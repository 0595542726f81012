// Monitors a pool while it works: how long its queues are, how evenly the work is spread, and a
// callback when there is too much of it.
#include "filch/load_monitor.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "filch/pool.hpp"

using namespace std::chrono_literals;

int main() {
  filch::pool pool({.threads = 2, .name = "server"});
  std::atomic<int> alarms = 0;
  const filch::load_monitor monitor(
      pool, 1ms,
      {.overload = 100, .overload_over = 10, .on_overload = [&](const filch::load_sample& load) {
         ++alarms;
         std::printf("overloaded: %zu jobs wait\n", load.backlog);
       }});

  // Submits more requests than two workers can handle at once, until the monitor has noticed.
  std::atomic<bool> go_on = true;
  for (int request = 0; request < 1000; ++request)
    pool.detach([&] {
      while (go_on) std::this_thread::sleep_for(100us);
    });
  while (alarms == 0) std::this_thread::sleep_for(1ms);
  go_on = false;
  pool.wait_idle();

  // The monitor sleeps when the pool does, so its last sample shows a sleeping pool.
  while (monitor.load().sleeping != 2) std::this_thread::sleep_for(1ms);

  std::size_t longest = 0;
  for (const filch::load_sample& load : monitor.history())
    longest = load.backlog > longest ? load.backlog : longest;
  std::printf("%llu samples; at most %zu jobs waited; now %zu workers sleep\n",
              static_cast<unsigned long long>(monitor.samples()), longest, monitor.load().sleeping);
  std::cout << pool.metrics();
  return alarms == 1 && longest >= 100 ? 0 : 1;
}
