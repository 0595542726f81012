// A program of a user that is compiled with MemorySanitizer, while libfilch and the standard
// library are not. So it uses nothing that the standard library compiles itself, such as strings.
// With an argument it uses a variable that has no value, which MemorySanitizer must report.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filch/filch.hpp>
#include <memory>
#include <thread>
#include <vector>

#include "expect.hpp"

namespace {

void tasks(filch::pool& pool) {
  expect(pool.size() == 2, "the pool");
  expect(*pool.submit([] { return std::make_unique<int>(7); }).get() == 7, "submit");
  expect(pool.submit([] { return 1; }).then([](int n) { return n + 1; }).get() == 2, "then");
  std::vector<int> done(20);
  const auto spawn_all = [&](filch::scope& s) {
    for (int& d : done) s.spawn([&d] { d = 1; });
  };
  filch::scoped(spawn_all, {.on = &pool});
  pool.install([&] { filch::scoped(spawn_all); });
  filch::per_worker<int> sums([] { return 0; }, {.on = &pool});
  pool.broadcast([&] { ++sums.local(); });
  pool.wait_idle();
  expect(sums.combine(0, [](int a, int b) { return a + b; }) == 2, "broadcast and per_worker");
}

void promises_and_timers(filch::pool& pool) {
  using namespace std::chrono_literals;
  filch::promise<int> p;
  filch::future<int> next = p.get_future().then([](int n) { return n + 1; });
  p.set_value(1);
  expect(next.get() == 2, "a promise");
  expect(filch::submit_after(1us, [] { return 3; }, {.on = &pool}).get() == 3, "submit_after");
  std::atomic<int> calls = 0;
  const filch::periodic_task beat = filch::submit_every(1us, [&] { ++calls; }, {.on = &pool});
  while (calls < 3) std::this_thread::yield();
}

void outside_threads(filch::pool& pool) {
  filch::countdown left(3);
  {
    const filch::participation here(pool);
    filch::scope s;
    for (int i = 0; i < 3; ++i) s.spawn([&] { left.count_down(); });
    left.wait();
    s.wait();
    int sum = 0;
    filch::parallel_for(0, 4, [&](int i) { sum += i; }, {.on = &pool, .max_workers = 1});
    expect(sum == 6, "a participation");
  }
  filch::pool alone({.threads = filch::none});
  expect(alone.submit([] { return 5; }).get() == 5, "a pool without workers");
}

void loops() {
  const auto [a, b] = filch::join([] { return 1; }, [] { return 2; });
  expect(a + b == 3, "join");
  std::vector<int> v(10000);
  filch::parallel_for(0, 10000, [&](int i) { v[static_cast<std::size_t>(i)] = -i; }, {.grain = 10});
  filch::sort(v);
  expect(filch::reduce(v, 0) == -9999 * 5000, "reduce");
  expect(filch::par(v).filter([](int i) { return i % 2 == 0; }).to<std::vector>().size() == 5000,
         "to<vector>");
  int caught = 0;
  try {
    filch::join([] { throw 1; }, [] { throw 2; });
  } catch (int n) {
    caught = n;
  }
  expect(caught == 1, "an exception");
}

}  // namespace

int main(int count, char**) {
  filch::pool pool(2);
  tasks(pool);
  promises_and_timers(pool);
  outside_threads(pool);
  loops();
  if (count > 1) {
    const std::unique_ptr<int[]> without_value(new int[1]);
    filch::join([&] { expect(without_value[0] != 12345, "chance"); }, [] {});
  }
  std::puts("all as it should be");
}
