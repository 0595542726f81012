// A program of a user that gets containers from filch and gives it some. Compiled with other
// switches of the standard library than libfilch, it must still find in them what was put in.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filch/filch.hpp>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

void tasks(filch::pool& pool) {
  std::atomic<int> calls = 0;
  pool.submit_batch(std::vector<std::function<void()>>(5, [&] { ++calls; }));
  pool.broadcast([&](std::size_t) { ++calls; });
  pool.wait_idle();
  expect(calls == 5 + 2, "submit_batch and broadcast");

  std::vector<filch::future<int>> parts;
  for (int i = 0; i < 10; ++i) parts.push_back(pool.submit([i] { return i; }));
  expect(filch::when_all(std::move(parts)).get().size() == 10, "when_all");

  filch::per_worker<std::vector<int>> mine([] { return std::vector<int>(3, 1); }, {.on = &pool});
  pool.install([&] { mine.local().push_back(1); });
  expect(
      mine.combine(0, [](int sum, const auto& v) { return sum + static_cast<int>(v.size()); }) == 4,
      "per_worker");

  try {
    filch::scoped(
        [](filch::scope& s) {
          for (int i = 0; i < 3; ++i) s.spawn([] { throw std::runtime_error("thrown"); });
        },
        {.on = &pool});
  } catch (const std::runtime_error&) {
    expect(filch::suppressed().size() == 2, "suppressed");
  }
  bool refused = false;
  try {
    pool.detach(std::function<void()>());
  } catch (const filch::usage_error&) {
    refused = true;
  }
  expect(refused, "an empty function is refused");
}

void watching(filch::pool& pool) {
  const filch::metrics counts = pool.metrics();
  expect(counts.workers.size() == 2 && counts.total().jobs > 0, "metrics");
  std::cout << counts - counts;

  std::atomic<std::size_t> seen = 0;
  const filch::load_monitor monitor(
      pool, std::chrono::milliseconds(1),
      {.overload = 0,
       .on_overload = [&](const filch::load_sample& s) { seen = s.workers.size(); }});
  while (monitor.samples() < 2 || seen == 0) {
    pool.submit([] {}).get();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  expect(seen == 2 && monitor.load().workers.size() == 2, "a sample");
  expect(monitor.history().back().workers.size() == 2, "the history of samples");
}

void loops() {
  std::vector<std::size_t> v(100000);
  std::iota(v.begin(), v.end(), std::size_t{0});
  std::ranges::reverse(v);
  filch::sort(v);
  expect(std::ranges::is_sorted(v), "sort");
  expect(filch::reduce(v, std::size_t{0}) == v.size() * (v.size() - 1) / 2, "reduce");
  expect(filch::group_by_key(v, [](std::size_t i) { return i % 1000; }).size() == 1000,
         "group_by_key");

  const auto odd = [](std::size_t i) { return i % 2 != 0; };
  const auto words = filch::par(v)
                         .filter(odd)
                         .map([](std::size_t i) { return std::to_string(i); })
                         .to<std::vector>();
  expect(words.size() == v.size() / 2 && words[1] == "3", "items that were gathered");
  expect(filch::par(v).map([](std::size_t i) { return std::pair(i, i); }).to<std::map>().size() ==
             v.size(),
         "a map");
  filch::parallel_for(0, v.size(), [&](std::size_t i) { v[i] = 1; });
  expect(filch::count(v, 1u) == static_cast<std::ptrdiff_t>(v.size()), "parallel_for and count");
}

}  // namespace

int main() {
  filch::pool pool(2);
  tasks(pool);
  watching(pool);
  loops();
  std::puts("all as it should be");
}
