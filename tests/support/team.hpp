// Several threads that start together.
#pragma once

#include <cstddef>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

namespace filch::test {

/// `size` threads that call `body(0)` ... `body(size - 1)`, all at once: none starts before all are
/// ready and the creator has called start() (or join()).
class team {
 public:
  team(std::size_t size, std::function<void(std::size_t)> body)
      : body_(std::move(body)), ready_(static_cast<std::ptrdiff_t>(size) + 1) {
    threads_.reserve(size);
    for (std::size_t n = 0; n < size; ++n)
      threads_.emplace_back([this, n] {
        ready_.arrive_and_wait();
        body_(n);
      });
  }
  team(const team&) = delete;
  team& operator=(const team&) = delete;
  ~team() { join(); }

  /// Lets the threads start. Creator only; a second call does nothing.
  void start() {
    if (!started_) ready_.arrive_and_wait();
    started_ = true;
  }

  /// Waits until all have returned. Creator only; a second call does nothing.
  void join() {
    start();
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

 private:
  std::function<void(std::size_t)> body_;
  std::latch ready_;
  bool started_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace filch::test
