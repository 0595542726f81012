// Calls with limits of threads or time, and other threads than workers, whose only synchronisation
// is filch's.
#pragma once

#include <chrono>
#include <cstddef>
#include <filch/filch.hpp>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "expect.hpp"
#include "loops.hpp"
#include "tasks.hpp"

inline void limits(filch::pool& pool) {
  using namespace std::chrono_literals;
  const auto in_an_hour = std::chrono::steady_clock::now() + 1h;
  loops({.grain = 500, .max_workers = 2});
  loops({.grain = 500, .deadline = in_an_hour});
  std::vector<int> out(64);
  {
    filch::scope s({.on = &pool, .max_workers = 2});
    for (int& n : out) s.spawn([&n] { n = 1; });
    s.wait();
  }
  {
    filch::scope s({.on = &pool});
    s.cancel_at(in_an_hour);
    for (int& n : out) s.spawn([&n] { ++n; });
    while (!s.wait_for(10us)) {
    }
  }
  for (const int n : out) expect(n == 2, "scopes with limits");

  filch::countdown left(1);
  for (int& n : out) {
    left.add();
    pool.detach([&left, &n] {
      ++n;
      left.count_down();
    });
  }
  left.count_down();
  left.wait();
  for (const int n : out) expect(n == 3, "countdown");
}

inline void more_futures(filch::pool& pool) {
  using namespace std::chrono_literals;
  auto later = pool.submit([] { return std::string(30, 'w'); });
  while (!later.wait_until(std::chrono::steady_clock::now() + 10us)) {
  }
  expect(later.get().size() == 30, "wait_until");
  auto tried = pool.try_submit([] { return std::make_unique<int>(3); });
  expect(tried && *tried->get() == 3, "try_submit");
  const auto any =
      filch::when_any(pool.submit([] { return std::string(40, 'a'); }), pool.submit([] {
        return std::string(40, 'b');
      })).get();
  expect(any.second == std::string(40, any.first == 0 ? 'a' : 'b'), "when_any of two");
}

/// An outside thread stays a guest, and the number of seats changes meanwhile.
inline void participants(filch::pool& pool) {
  std::thread([&pool] {
    const filch::participation here(pool);
    expect(filch::this_worker::takes_part() && filch::this_worker::slot(), "participation");
    for (const std::size_t seats : {1u, 2u, 0u}) {
      pool.limit(seats);
      joins();
      scopes(pool);
      loops({.grain = 500});
    }
  }).join();
  filch::pool without_workers({.threads = filch::none});
  without_workers.install([] {
    joins();
    loops({.grain = 500});
  });
}
