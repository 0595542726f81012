// The pool that many programs write for themselves: threads, one queue of std::function, one mutex
// and one condition variable.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

class on_mutex_queue {
 public:
  static const char* name() { return "mutex_queue"; }
  static std::string version() { return "-"; }
  explicit on_mutex_queue(int workers) {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  on_mutex_queue(const on_mutex_queue&) = delete;
  on_mutex_queue& operator=(const on_mutex_queue&) = delete;
  ~on_mutex_queue() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& t : threads_) t.join();
  }

  void submit(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(task));
      ++unfinished_;
    }
    changed_.notify_one();
  }

  /// Waits until all tasks have ended. A task must not call it.
  void wait_idle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return unfinished_ == 0; });
  }

  /// Runs the newest task, if there is one. A task that has to wait calls it.
  bool help() {
    std::unique_lock lock(mutex_);
    if (queue_.empty()) return false;
    std::function<void()> task = std::move(queue_.back());
    queue_.pop_back();
    finish(lock, task);
    return true;
  }

  template <class F>
  auto run(F f) {
    using result = decltype(f());
    if constexpr (std::is_void_v<result>) {
      submit(f);
      wait_idle();
    } else {
      std::optional<result> r;
      submit([&] { r = f(); });
      wait_idle();
      return *r;
    }
  }

  /// Returns both results; `g` may run on another worker.
  template <class F, class G>
  auto join(F f, G g) {
    std::optional<decltype(g())> y;
    std::atomic<bool> done{false};
    submit([&] {
      y = g();
      done.store(true);
    });
    auto x = f();
    while (!done.load())
      if (!help()) std::this_thread::yield();
    return std::pair(std::move(x), *std::move(y));
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      std::function<void()> task = std::move(queue_.front());
      queue_.pop_front();
      finish(lock, task);
    }
  }
  void finish(std::unique_lock<std::mutex>& lock, std::function<void()>& task) {
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
    if (--unfinished_ == 0) idle_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> queue_;
  long unfinished_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace bench
