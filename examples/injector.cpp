// Many outside threads give work to one pool.
//
// Their tasks go through the pool's injector. It has no limit, producers do not wait for each
// other, and the tasks of one thread are taken in their order. After close() the pool refuses
// tasks.
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
      // A batch costs less than single tasks, and is accepted as a whole or not at all.
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
