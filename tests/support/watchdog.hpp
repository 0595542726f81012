// Turns a hang into a message and a core dump.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <mutex>
#include <ostream>
#include <thread>
#include <utility>

namespace filch::test {

/// Aborts the program when `progress()` has returned the same number for `limit`. Before that,
/// `dump` writes what all threads are doing. Both are called on the watchdog's thread, so they may
/// only read atomics. The destructor stops the watchdog.
class watchdog {
 public:
  watchdog(std::chrono::milliseconds limit, std::function<std::uint64_t()> progress,
           std::function<void(std::ostream&)> dump)
      : limit_(limit),
        progress_(std::move(progress)),
        dump_(std::move(dump)),
        thread_([this] { watch(); }) {}
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;
  ~watchdog() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    stop_.notify_one();
    thread_.join();
  }

 private:
  void watch() {
    using clock = std::chrono::steady_clock;
    std::uint64_t last = progress_();
    clock::time_point since = clock::now();
    std::unique_lock lock(mutex_);
    while (!stop_.wait_for(lock, limit_ / 10, [this] { return stopped_; })) {
      const std::uint64_t now = progress_();
      if (now != last) {
        last = now;
        since = clock::now();
      } else if (clock::now() - since >= limit_) {
        std::cerr << "watchdog: no progress for "
                  << std::chrono::duration_cast<std::chrono::seconds>(limit_).count() << " s\n";
        dump_(std::cerr);
        std::cerr << std::flush;
        std::abort();
      }
    }
  }

  std::chrono::milliseconds limit_;
  std::function<std::uint64_t()> progress_;
  std::function<void(std::ostream&)> dump_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace filch::test
