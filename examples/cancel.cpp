// Cancelling: work that is not needed does not start, and a running task can be told to end.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"

int main() {
  filch::pool pool({.threads = 2, .name = "search"});

  // The first task that finds something cancels the rest. A running task may ask the token.
  std::vector<int> numbers(100'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  std::atomic<int> found = -1;
  filch::scope search({.on = &pool});
  for (std::size_t part = 0; part < 100; ++part)
    search.spawn([&, part, token = search.stop_token()] {
      for (std::size_t i = part * 1000; i < (part + 1) * 1000 && !token.stop_requested(); ++i)
        if (numbers[i] == 4321) {
          found = numbers[i];
          search.cancel();
        }
    });
  search.wait();  // returns as usual: a cancellation is not an error

  // A deadline: tasks that have not started by then are skipped, and their futures say why.
  filch::scope hurried({.on = &pool});
  hurried.cancel_at(std::chrono::steady_clock::now());  // a real program: now() + 20ms
  filch::future<int> late = hurried.async([] { return 1; });
  std::string why;
  try {
    late.get();
  } catch (const filch::cancelled& e) {
    why = e.what();
  }

  // A stop token from elsewhere does the same for single tasks.
  std::stop_source user_has_closed_the_window;
  user_has_closed_the_window.request_stop();
  std::atomic<bool> drawn = false;
  pool.detach([&] { drawn = true; }, {.stop = user_has_closed_the_window.get_token()});
  pool.wait_idle();

  std::printf("found %d; %s; drawn: %s\n", found.load(), why.c_str(), drawn ? "yes" : "no");
  return found == 4321 && why.find("cancel_at") != std::string::npos && !drawn ? 0 : 1;
}
