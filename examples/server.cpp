// A server: 32 threads that filch did not make answer requests, and use one pool.
#include <atomic>
#include <cstdio>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "filch/filch.hpp"

namespace {

std::atomic<int> elsewhere = 0;

/// Answers one request on the calling thread. Meanwhile that thread works on this request only.
long long answer(int request) {
  const auto here = std::this_thread::get_id();
  std::vector<int> data(2000);
  std::iota(data.begin(), data.end(), request);
  return filch::transform_reduce(data, 0LL, std::plus<>(),
                                 [&](int n) {
                                   const bool on_worker = filch::this_worker::index().has_value();
                                   if (!on_worker && std::this_thread::get_id() != here)
                                     ++elsewhere;
                                   return static_cast<long long>(n) * n;
                                 },
                                 {.grain = 100});
}

long long expected(int request) {
  long long sum = 0;
  for (long long n = request; n < request + 2000; ++n) sum += n * n;
  return sum;
}

}  // namespace

int main() {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> connections;
  connections.reserve(32);
  for (int c = 0; c < 32; ++c)
    connections.emplace_back([&, c] {
      for (int request = c; request < 640; request += 32)
        if (answer(request) != expected(request)) ++wrong;
    });
  for (std::thread& c : connections) c.join();
  std::printf("640 requests, %d wrong, %d parts on the thread of another request\n", wrong.load(),
              elsewhere.load());
  return wrong == 0 && elsewhere == 0 ? 0 : 1;
}
