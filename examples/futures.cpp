// Futures: results of tasks, or the exceptions that they threw.
#include <chrono>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "filch/future.hpp"
#include "filch/pool.hpp"

namespace {

int parse(const std::string& text) {
  if (text.empty()) throw std::invalid_argument("nothing to parse");
  return std::stoi(text);
}

}  // namespace

int main() {
  filch::pool pool({.threads = 4, .name = "futures"});

  // Several tasks at once; get() waits, and gives each result once.
  std::vector<filch::future<long>> squares;
  for (long n = 1; n <= 100; ++n) squares.push_back(pool.submit([n] { return n * n; }));
  long sum = 0;
  for (auto& f : squares) sum += f.get();

  // A task may wait for others: its worker runs something else meanwhile, so it is not blocked.
  filch::future<int> total = pool.submit([&pool] {
    auto left = pool.submit([] { return parse("40"); });
    auto right = pool.submit([] { return parse("2"); });
    return left.get() + right.get();
  });

  // get() throws what the task threw.
  filch::future<int> broken = pool.submit([] { return parse(""); });
  std::string message;
  try {
    broken.get();
  } catch (const std::invalid_argument& e) {
    message = e.what();
  }

  // wait_for() and wait_until() limit the time of a wait.
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const bool in_time = total.wait_until(end) && total.wait_for(std::chrono::seconds(1));
  const int answer = total.get();

  std::printf("sum %ld, answer %d, error '%s'\n", sum, answer, message.c_str());
  return sum == 338'350 && in_time && answer == 42 && message == "nothing to parse" ? 0 : 1;
}
