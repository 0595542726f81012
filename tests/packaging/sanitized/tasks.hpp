// Tasks, joins, scopes and futures whose only synchronisation is filch's: plain memory is written
// on one thread and read on another.
#pragma once

#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <filch/filch.hpp>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "expect.hpp"

/// A value on the heap, which the thread that destroys it frees.
using boxed_int = std::unique_ptr<int>;

inline long sum_of_tree(long depth) {
  if (depth == 0) return 1;
  long plain[8] = {depth};  // too large for a slot of its own
  auto [left, right] = filch::join([&] { return sum_of_tree(depth - 1) + plain[1]; },
                                   [&plain, depth] { return sum_of_tree(depth - 1) + plain[2]; });
  return left + right;
}

inline void joins() {
  expect(sum_of_tree(10) == 1 << 10, "join");
  std::string a, b, c;
  const auto [x, y, z] = filch::join([&] { return a = "a"; }, [&] { return (b = "b").size(); },
                                     [&] { c = std::string(100, 'c'); });
  expect(x == "a" && y == 1 && a + b == "ab" && c.size() == 100, "join of three");
  try {
    filch::join([] { throw std::runtime_error("first"); },
                [] { throw std::runtime_error("second"); },
                [] { throw std::runtime_error("third"); });
  } catch (const std::runtime_error& e) {
    expect(e.what() == std::string("first") && filch::suppressed().size() == 2, "suppressed");
  }
}

inline void scopes(filch::pool& pool) {
  for (const bool isolated : {false, true}) {
    std::vector<int> out(64);
    filch::scope s({.on = &pool, .isolate = isolated});
    for (std::size_t i = 0; i < out.size(); ++i)
      s.spawn([&s, &out, i] {
        out[i] = 1;
        if (i % 4 == 0) s.spawn([&out, i] { ++out[i]; });
      });
    auto later = s.async([&] { return std::make_unique<int>(7); });
    s.wait();
    int sum = 0;
    for (const int n : out) sum += n;
    expect(sum == 64 + 16 && *later.get() == 7, "a scope");
  }
  try {
    filch::scoped(
        [](filch::scope& s) {
          for (int i = 0; i < 8; ++i)
            s.spawn([i, big = std::string(200, 'x')] {
              throw std::runtime_error(big + std::to_string(i));
            });
        },
        {.on = &pool});
  } catch (const std::runtime_error& e) {
    expect(std::string(e.what()).size() == 201 && filch::suppressed().size() == 7, "exceptions");
  }
  try {
    filch::scoped(
        [](filch::scope& s) {
          for (int i = 0; i < 8; ++i) s.spawn([] { throw std::runtime_error("in a task"); });
          throw std::logic_error("around the tasks");
        },
        {.on = &pool});
  } catch (const std::logic_error&) {
  }
  int found = 0;
  {
    filch::scope s({.on = &pool});
    for (int i = 0; i < 16; ++i)
      s.spawn([&s, &found, token = s.stop_token(), i] {
        if (i == 3) {
          found = 3;
          s.cancel();
        }
        while (i == 0 && !token.stop_requested()) std::this_thread::yield();
      });
  }  // no wait()
  expect(found == 3, "a scope that a task cancels");
}

/// Starts at once; no object waits for it.
struct started {
  struct promise_type {
    started get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};
inline started coroutine(filch::pool& pool, std::string& out) {
  std::string text = "moved";
  co_await pool.schedule();
  auto longer = pool.submit([text] { return text + " and awaited"; });
  text += co_await longer;
  text += co_await pool.submit([] { return std::string(" and shared"); }).share();
  try {
    co_await pool.submit([] { throw std::runtime_error("a task failed"); });
  } catch (const std::runtime_error& e) {
    text += e.what();
  }
  out = text;
}

inline void futures(filch::pool& pool) {
  std::vector<filch::future<boxed_int>> parts;
  for (int i = 0; i < 32; ++i)
    parts.push_back(
        pool.submit([i] { return std::make_unique<int>(i); },
                    {.priority = i % 2 == 0 ? filch::priority::normal : filch::priority::high}));
  expect(filch::when_all(std::move(parts)).get().size() == 32, "when_all");
  auto [n, text] =
      filch::when_all(pool.submit([] { return std::make_unique<int>(1); }), pool.submit([] {
        return std::string(50, 'x');
      })).get();
  expect(*n == 1 && text.size() == 50, "when_all of two");
  std::vector<filch::future<std::string>> race;
  for (int i = 0; i < 4; ++i) race.push_back(pool.submit([] { return std::string(60, 'y'); }));
  expect(filch::when_any(std::move(race)).get().second.size() == 60, "when_any");

  auto chain = pool.submit([] { return std::vector<int>(10, 1); })
                   .then([](std::vector<int> v) { return v.push_back(1), v; })
                   .then([](const std::vector<int>& v) { return v.size(); });
  while (!chain.wait_for(std::chrono::microseconds(10))) {
  }
  expect(chain.ready() && chain.get() == 11, "then");
  (void)pool.submit([] { return std::string(70, 'z'); });  // dropped
  try {
    pool.submit([]() -> int { throw std::runtime_error(std::string(80, 'e')); })
        .then([](int i) { return i; })
        .get();
  } catch (const std::runtime_error& e) {
    expect(std::string(e.what()).size() == 80, "an exception of a task");
  }
  std::string out;
  coroutine(pool, out);
  pool.wait_idle();
  expect(out == "movedmoved and awaited and shareda task failed", "a coroutine");
}

inline void promises(filch::pool& pool) {
  filch::promise<std::string> p;
  const filch::shared_future<std::string> text = p.get_future().share();
  std::vector<filch::future<std::size_t>> sizes;
  for (int i = 0; i < 8; ++i) {
    sizes.push_back(text.then([](const std::string& t) { return t.size(); }));
    sizes.push_back(pool.submit([text] { return text.get().size(); }));
  }
  std::thread([p = std::move(p)]() mutable { p.set_value(std::string(30, 'p')); }).join();
  for (filch::future<std::size_t>& n : sizes) expect(n.get() == 30, "a promise");
  expect(pool.submit([]() -> std::string { throw std::runtime_error(std::string(40, 'r')); })
                 .recover([](std::exception_ptr) { return std::string(50, 'r'); })
                 .get()
                 .size() == 50,
         "recover");
}

inline void timers() {
  using namespace std::chrono_literals;
  filch::pool pool(2);
  std::string text(20, 't');
  expect(filch::submit_after(1us, [&] { return text + "s"; }, {.on = &pool}).get().size() == 21,
         "submit_after");
  std::stop_source stop;
  filch::future<void> never =
      filch::submit_after(1h, [text] {}, {.stop = stop.get_token(), .on = &pool});
  filch::future<void> closed = filch::submit_after(1h, [text] {}, {.on = &pool});
  std::size_t calls = 0;  // by one call at a time
  std::atomic<bool> enough = false;
  const auto count = [&, text]() mutable {
    text += text.substr(0, 1);
    if (++calls == 5) enough = true;
  };
  filch::periodic_task beat = filch::submit_every(1us, count, {.on = &pool});
  filch::periodic_task stopped =
      filch::submit_every(1us, [text] {}, {.stop = stop.get_token(), .on = &pool});
  while (!enough.load(std::memory_order_relaxed)) std::this_thread::yield();
  beat = filch::periodic_task();
  expect(calls >= 5, "submit_every");
  std::thread([&stop] { stop.request_stop(); }).join();
  while (stopped.active()) std::this_thread::yield();
  pool.close();
  for (filch::future<void>* const f : {&never, &closed}) {
    try {
      f->get();
      expect(false, "a task that does not run");
    } catch (const filch::cancelled&) {
    } catch (const filch::pool_closed&) {
    }
  }
}

inline void others(filch::pool& pool) {
  std::vector<int> of_worker(pool.size());
  pool.broadcast([&of_worker](std::size_t i) { of_worker[i] = 1; });
  std::vector<int> detached(20);
  for (int& d : detached) pool.detach([&d, text = std::string(40, 'd')] { d = 1; });
  std::vector<std::function<void()>> batch;
  std::vector<int> done(10);
  for (int& d : done) batch.emplace_back([&d] { d = 1; });
  pool.submit_batch(std::move(batch));
  pool.wait_idle();
  for (const auto* all : {&of_worker, &detached, &done})
    for (const int d : *all) expect(d == 1, "wait_idle");

  filch::per_worker<std::vector<int>> mine([] { return std::vector<int>(); }, {.on = &pool});
  filch::scoped(
      [&](filch::scope& s) {
        for (int i = 0; i < 40; ++i)
          s.spawn([&mine, i] {
            if (i % 16 == 0) filch::blocking([] { std::this_thread::yield(); });
            mine.local().push_back(i);
          });
      },
      {.on = &pool});
  expect(
      mine.combine(std::size_t{0}, [](std::size_t n, const auto& v) { return n + v.size(); }) == 40,
      "per_worker");

  const std::string text = pool.install([] {
    return filch::isolate([] {
      std::string made;
      filch::join([&] { made = "isolated"; }, [] {});
      return made + std::to_string(filch::this_worker::index().has_value() ? 1 : 0);
    });
  });
  expect(text == "isolated1", "isolate");
  try {
    pool.install([] { throw std::runtime_error(std::string(90, 'i')); });
  } catch (const std::runtime_error& e) {
    expect(std::string(e.what()).size() == 90, "an exception of install()");
  }
  expect(pool.metrics().total().jobs > 0, "metrics");
  std::ostringstream dump;
  pool.dump(dump);
  expect(!dump.str().empty(), "dump");
}

inline void deques() {
  filch::deque<std::string> d(2);
  std::atomic<int> left = 200;
  std::thread thief([&] {
    while (left > 0)
      if (auto s = d.steal()) left -= static_cast<int>(s.item.size());
  });
  for (int i = 0; i < 200; ++i) d.push("x");
  while (left > 0)
    if (const auto s = d.pop()) left -= static_cast<int>(s->size());
  thief.join();
}

/// The default pool, with guests: one after the other they get the same slot.
inline void guests() {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
      threads.emplace_back([] {
        joins();
        filch::scoped([](filch::scope& s) {
          for (int i = 0; i < 50; ++i) s.spawn([&s] { s.spawn([] { joins(); }); });
        });
        filch::submit([] { return std::make_unique<int>(1); }).get();
      });
    for (std::thread& t : threads) t.join();
  }
  int detached = 0;
  filch::detach([&] { detached = 1; });
  filch::wait_idle();
  expect(detached == 1, "filch::wait_idle");
}
