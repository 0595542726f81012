// Two pools: one computes, one talks to slow devices, and tasks of each wait for the other.
//
// A worker that waits for another pool runs jobs of its own pool meanwhile. So nothing stands
// still, even with one worker each.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/this_worker.hpp"

namespace {

/// Stands for a call that waits for a device and uses no CPU.
int read_block(int number) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return 10 * number;
}

}  // namespace

int main() {
  filch::pool compute({.threads = 1, .name = "compute"});
  filch::pool devices({.threads = 1, .name = "devices"});
  std::atomic<int> sum = 0;
  std::atomic<bool> right_place = true;

  // install() moves a call to a pool; the scope inside belongs to that pool.
  compute.install([&] {
    filch::scoped([&](filch::scope& s) {
      for (int block = 1; block <= 20; ++block)
        s.spawn([&, block] {
          if (filch::this_worker::pool() != &compute) right_place = false;
          const int content = devices.install([&] {
            if (filch::this_worker::pool() != &devices) right_place = false;
            // The device needs a computed value before it can read.
            return read_block(compute.submit([block] { return block; }).get());
          });
          sum += content;
        });
    });
  });

  std::printf("sum %d, %s\n", sum.load(), right_place ? "each where it belongs" : "misplaced");
  return sum == 2100 && right_place ? 0 : 1;
}
