// Promises and shared futures: a result that comes from elsewhere, and one that has several
// readers.
#include <cstddef>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/promise.hpp"
#include "filch/shared_future.hpp"

int main() {
  filch::pool pool({.threads = 4, .name = "promises"});

  // A thread that filch does not know brings the answer, as the callback of a library would.
  filch::promise<std::string> reply;
  filch::future<std::string> answer = reply.get_future();
  std::thread network([&reply] { reply.set_value("forty-two"); });

  // The answer for several readers: each copy of a shared future reads the same string.
  const filch::shared_future<std::string> text = std::move(answer).share();
  filch::future<std::size_t> length = text.then(&std::string::size);
  filch::future<bool> hyphen =
      pool.submit([text] { return text.get().find('-') != std::string::npos; });
  const std::size_t letters = length.get();
  const bool has_hyphen = hyphen.get();
  network.join();

  // A promise that is dropped before it is set does not keep its reader waiting.
  filch::future<int> broken = filch::promise<int>().get_future();
  bool noticed = false;
  try {
    broken.get();
  } catch (const filch::broken_promise&) {
    noticed = true;
  }

  std::printf("%s: %zu letters%s\n", text.get().c_str(), letters, noticed ? ", one broken" : "");
  return letters == 9 && has_hyphen && noticed ? 0 : 1;
}
