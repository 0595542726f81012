// Back-pressure: a producer that is faster than the pool waits or is refused, instead of filling
// the memory.
#include <atomic>
#include <cstdio>
#include <optional>
#include <thread>

#include "filch/future.hpp"
#include "filch/pool.hpp"

int main() {
  filch::pool pool({.threads = 2, .name = "server", .queue_limit = 8});

  // A producer that can wait calls submit(), which returns when the queue admits its task. At most
  // 8 requests wait at a time, besides those that the workers have taken.
  std::atomic<int> handled = 0;
  for (int request = 0; request < 10'000; ++request) pool.detach([&] { ++handled; });
  pool.wait_idle();

  // A producer that cannot wait calls try_submit(). Here both workers are busy, so that the queue
  // fills up.
  std::atomic<int> busy = 0;
  std::atomic<bool> go_on = false;
  for (int i = 0; i < 2; ++i)
    pool.detach([&] {
      ++busy;
      while (!go_on) std::this_thread::yield();
    });
  while (busy != 2) std::this_thread::yield();
  int accepted = 0, sent_away = 0;
  std::optional<filch::future<int>> last;
  for (int request = 0; request < 20; ++request) {
    if (auto answer = pool.try_submit([request] { return request; })) {
      ++accepted;
      last = std::move(answer);
    } else {
      ++sent_away;  // "503 Service Unavailable"
    }
  }
  go_on = true;
  const int answer = last->get();
  pool.wait_idle();  // the busy tasks read `go_on` until they end

  std::printf("%d handled; then %d accepted, %d sent away, the last answer is %d\n", handled.load(),
              accepted, sent_away, answer);
  return handled == 10'000 && accepted == 8 && sent_away == 12 && answer == 7 ? 0 : 1;
}
