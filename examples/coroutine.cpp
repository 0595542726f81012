// Coroutines of a program's own: they move to a pool, and await its futures.
#include <coroutine>
#include <cstdio>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>

#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/this_worker.hpp"
#include "filch/when.hpp"

namespace {

/// Any coroutine type will do. This one starts at once, and gives its result to a std::future.
template <class T>
struct started {
  struct promise_type {
    std::promise<T> result;
    started get_return_object() { return {result.get_future()}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_value(T value) { result.set_value(std::move(value)); }
    void unhandled_exception() { result.set_exception(std::current_exception()); }
  };
  std::future<T> result;
};

started<int> work(filch::pool& pool) {
  co_await pool.schedule();  // from here on a worker of the pool
  if (filch::this_worker::pool() != &pool) co_return -1;

  // While these run, the worker does something else: no thread waits.
  const int half = co_await pool.submit([] { return 20; });
  auto [one, other] =
      co_await filch::when_all(pool.submit([] { return 1; }), pool.submit([] { return 1; }));

  try {
    co_await pool.submit([] { throw std::runtime_error("a task failed"); });
  } catch (const std::runtime_error&) {
    co_return 2 * half + one + other;
  }
  co_return -1;
}

}  // namespace

int main() {
  filch::pool pool({.threads = 2, .name = "coroutines"});
  const int answer = work(pool).result.get();
  std::printf("answer %d\n", answer);
  return answer == 42 ? 0 : 1;
}
