// Many threads that are no workers give work to one pool.
//
// Such work goes through the pool's injector: it has no limit, producers do not wait for each
// other, and what one thread submits is taken in that order. close() turns later work away.
#include <atomic>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"

int main() {
  constexpr int producers = 8;
  constexpr int each = 5'000;
  filch::pool pool({.threads = 2, .name = "server"});
  std::atomic<int> handled = 0;
  std::atomic<int> refused = 0;

  std::vector<std::thread> threads;
  threads.reserve(producers);
  for (int p = 0; p < producers; ++p)
    threads.emplace_back([&] {
      for (int i = 0; i < each; ++i) pool.detach([&] { ++handled; });
      // Several in one go cost less, and either all are accepted or none.
      pool.submit_batch(std::vector<std::function<void()>>(each, [&] { ++handled; }));
    });
  for (auto& t : threads) t.join();
  pool.wait_idle();
  const int after_idle = handled;

  pool.close();
  try {
    pool.detach([&] { ++handled; });
  } catch (const filch::pool_closed&) {
    ++refused;
  }

  const filch::worker_metrics done = pool.metrics().total();
  std::printf("%d handled, %d refused after close(); %llu jobs came through the injector\n",
              after_idle, refused.load(), static_cast<unsigned long long>(done.injector_takes));
  return after_idle == 2 * producers * each && handled == after_idle && refused == 1 ? 0 : 1;
}
