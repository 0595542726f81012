// Hooks at the start and at the end of a worker: each worker has a resource of its own.
//
// on_start and on_stop run on the worker itself, so they may set up what belongs to a thread. If
// one throws, nothing ends: on_exception is called.
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

#include "filch/filch.hpp"

int main() {
  constexpr std::size_t threads = 3;
  std::vector<std::atomic<int>> connections(threads);  // one for each worker
  std::atomic<int> complaints = 0, used = 0;
  {
    filch::pool pool({.threads = threads,
                      .name = "hooks",
                      .pin = true,  // each on a CPU of its own, if there are enough
                      .max_spares = 0,
                      .on_start =
                          [&](std::size_t worker) {
                            connections[worker] = 1;
                            if (worker == 0) throw std::runtime_error("no license for worker 0");
                          },
                      .on_stop = [&](std::size_t worker) { connections[worker] = 0; },
                      .on_exception =
                          [&](const std::exception_ptr& error) {
                            ++complaints;
                            try {
                              std::rethrow_exception(error);
                            } catch (const std::exception& e) {
                              std::printf("on_exception: %s\n", e.what());
                            }
                          }});
    pool.broadcast([&](std::size_t worker) { used += connections[worker]; });  // once on each
    pool.wait_idle();
    std::printf("%d workers use their connections\n", used.load());
  }
  int left = 0;
  for (const std::atomic<int>& c : connections) left += c;
  std::printf("%d connections are left\n", left);
  return used == threads && complaints == 1 && left == 0 ? 0 : 1;
}
