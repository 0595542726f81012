// Coroutine types as a user might write them: filch has none.
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "support/eventually.hpp"

namespace filch::test {

/// A coroutine that starts at once and destroys itself. Its result or exception is kept separately.
template <class T>
class eager {
  struct outcome {
    std::optional<T> value;
    std::exception_ptr error;
    std::atomic<bool> there = false;
  };

 public:
  class promise_type {
   public:
    eager get_return_object() { return eager(shared_); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_value(T value) {
      shared_->value.emplace(std::move(value));
      shared_->there = true;
    }
    void unhandled_exception() {
      shared_->error = std::current_exception();
      shared_->there = true;
    }

   private:
    std::shared_ptr<outcome> shared_ = std::make_shared<outcome>();
  };

  bool ended() const { return shared_->there; }
  /// Waits, and blocks the thread.
  T get() {
    until([this] { return ended(); });
    if (shared_->error) std::rethrow_exception(shared_->error);
    return std::move(*shared_->value);
  }

 private:
  explicit eager(std::shared_ptr<outcome> shared) : shared_(std::move(shared)) {}
  std::shared_ptr<outcome> shared_;
};

/// A coroutine that is started by hand, lives as long as this, and lets exceptions out.
class lazy {
 public:
  struct promise_type {
    lazy get_return_object() {
      return lazy(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };

  lazy(lazy&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  lazy(const lazy&) = delete;
  lazy& operator=(const lazy&) = delete;
  ~lazy() {
    if (handle_) handle_.destroy();
  }

  void start() const { handle_.resume(); }

 private:
  explicit lazy(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace filch::test
