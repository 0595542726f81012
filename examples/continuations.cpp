// Continuations: the next step is a task of its own, so no thread waits in between.
#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/when.hpp"

int main() {
  filch::pool pool({.threads = 4, .name = "chains"});

  // A chain: each function gets the result of the one before it.
  filch::future<std::size_t> size =
      pool.submit([] { return std::string("work"); })
          .then([](const std::string& word) { return word + "-stealing"; })
          .then(&std::string::size);

  // An exception skips the functions that follow, and get() throws it at the end.
  filch::future<int> broken = pool.submit([]() -> int { throw std::runtime_error("no data"); })
                                  .then([](int x) { return x + 1; })
                                  .then([](int x) { return x * 2; });
  std::string message;
  try {
    broken.get();
  } catch (const std::runtime_error& e) {
    message = e.what();
  }

  // recover() puts a value in place of an exception.
  const int fallback = pool.submit([]() -> int { throw std::runtime_error("no data"); })
                           .recover([](const std::exception_ptr&) { return -1; })
                           .get();

  // A function that returns a future: the result is that of the inner task, and no thread waits.
  filch::future<int> nested = pool.submit([] { return 20; }).then([&pool](int x) {
    return pool.submit([x] { return 2 * x; });
  });
  const int twice = nested.get();

  // Several futures as one: all of a few types, or all of many of one type.
  auto [length, name] =
      filch::when_all(std::move(size), pool.submit([] { return std::string("filch"); })).get();
  std::vector<filch::future<long>> squares;
  for (long n = 1; n <= 100; ++n) squares.push_back(pool.submit([n] { return n * n; }));
  const long sum = filch::when_all(std::move(squares))
                       .then([](const std::vector<long>& all) {
                         long total = 0;
                         for (const long x : all) total += x;
                         return total;
                       })
                       .get();

  // Or the first of them and its index; the results of the others are discarded.
  std::vector<filch::future<std::size_t>> mirrors;
  for (std::size_t n = 0; n < 3; ++n) mirrors.push_back(pool.submit([n] { return 10 * n; }));
  const auto [index, answer] = filch::when_any(std::move(mirrors)).get();
  const auto [winner, text] =
      filch::when_any(pool.submit([] { return std::string("tea"); }), pool.submit([] {
        return std::string("coffee");
      })).get();

  std::printf("%s: length %zu, error '%s', sum %ld, mirror %zu was first, then %s\n", name.c_str(),
              length, message.c_str(), sum, index, text.c_str());
  return length == 13 && message == "no data" && sum == 338'350 && answer == 10 * index &&
                 text == (winner == 0 ? "tea" : "coffee") && fallback == -1 && twice == 40
             ? 0
             : 1;
}
