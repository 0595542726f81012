// Priorities: urgent tasks start before tasks that can wait.
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

#include "filch/options.hpp"
#include "filch/pool.hpp"

int main() {
  filch::pool pool({.threads = 1, .name = "ui"});

  // Until the gate opens, the only worker is busy, so everything below has to wait.
  std::atomic<bool> open = false;
  pool.detach([&] {
    while (!open) std::this_thread::yield();
  });

  std::string order;  // one worker: one task at a time
  pool.detach([&] { order += " index-files"; }, {.priority = filch::priority::low});
  pool.detach([&] { order += " load-page"; });
  pool.detach([&] { order += " handle-click"; }, {.priority = filch::priority::high});

  // A task may set a priority, too. Then the new task does not go into the deque of its worker.
  pool.detach([&] {
    pool.detach([&] { order += " clean-up"; }, {.priority = filch::priority::low});
    pool.detach([&] { order += " draw"; });
  });

  open = true;
  pool.wait_idle();
  std::printf("order:%s\n", order.c_str());
  return order == " handle-click load-page draw index-files clean-up" ? 0 : 1;
}
