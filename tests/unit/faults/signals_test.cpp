// Signals at 1 kHz, without SA_RESTART, for every thread that works, sleeps or waits.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "filch/filch.hpp"

using namespace std::chrono_literals;

namespace {

constinit std::atomic<unsigned> handled = 0;

/// While it lives, each thread that has enlisted gets SIGUSR1 every millisecond.
class storm {
 public:
  storm() {
    struct sigaction action {};
    action.sa_handler = [](int) { handled.fetch_add(1); };
    sigaction(SIGUSR1, &action, &before_);
    thread_ = std::thread([this] {
      while (!over_) {
        {
          const std::scoped_lock lock(mutex_);
          for (const pthread_t t : targets_) pthread_kill(t, SIGUSR1);
        }
        std::this_thread::sleep_for(1ms);
      }
    });
  }
  storm(const storm&) = delete;
  storm& operator=(const storm&) = delete;
  ~storm() {
    over_ = true;
    thread_.join();
    sigaction(SIGUSR1, &before_, nullptr);
  }

  /// Workers block signals. A worker that enlists unblocks them.
  void enlist() {
    sigset_t these;
    sigemptyset(&these);
    sigaddset(&these, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &these, nullptr);
    const std::scoped_lock lock(mutex_);
    targets_.push_back(pthread_self());
  }
  /// The calling thread is about to end.
  void dismiss() {
    const std::scoped_lock lock(mutex_);
    std::erase_if(targets_, [](pthread_t t) { return pthread_equal(t, pthread_self()) != 0; });
  }

 private:
  struct sigaction before_ {};
  std::mutex mutex_;
  std::vector<pthread_t> targets_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

}  // namespace

TEST(signals, a_pool_works_and_sleeps_through_a_storm) {
  handled = 0;
  storm bad_weather;
  const auto end = std::chrono::steady_clock::now() + 700ms;
  {
    filch::pool p({.threads = 3,
                   .idle = filch::idle::power,
                   .on_start = [&](std::size_t) { bad_weather.enlist(); },
                   .on_stop = [&](std::size_t) { bad_weather.dismiss(); }});
    bad_weather.enlist();
    while (std::chrono::steady_clock::now() < end) {
      EXPECT_EQ(p.install([] { return fib(12); }), 144);
      std::atomic<bool> go = false;  // not a duration: this thread may not get to run for long
      auto f = p.submit([&] {
        while (!go) std::this_thread::sleep_for(200us);
        return 7;
      });
      EXPECT_FALSE(f.wait_for(100us));
      go = true;
      EXPECT_EQ(f.get(), 7);
      std::atomic<int> ran = 0;
      for (int n = 0; n < 5; ++n) p.detach([&] { ++ran; });
      p.wait_idle();
      EXPECT_EQ(ran.load(), 5);
      std::this_thread::sleep_for(2ms);  // so that the workers go to sleep
    }
  }
  bad_weather.dismiss();
  EXPECT_GT(handled.load(), 100u);
}

// A signal that interrupts a wait neither ends nor prolongs it.
TEST(signals, a_timed_wait_takes_its_time) {
  storm bad_weather;
  filch::pool p({.threads = 1,
                 .on_start = [&](std::size_t) { bad_weather.enlist(); },
                 .on_stop = [&](std::size_t) { bad_weather.dismiss(); }});
  bad_weather.enlist();
  std::atomic<bool> go = false;
  auto f = p.submit([&] {
    while (!go) std::this_thread::sleep_for(1ms);
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(f.wait_for(50ms));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 50ms);
  EXPECT_FALSE(p.wait_idle_for(50ms));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 100ms);
  go = true;
  f.get();
  bad_weather.dismiss();
}

TEST(signals, workers_are_left_in_peace) {
  handled = 0;
  filch::pool p(2);
  struct sigaction before {
  }, action{};
  action.sa_handler = [](int) { handled.fetch_add(1); };
  sigaction(SIGUSR1, &action, &before);
  std::mutex mutex;
  std::vector<pthread_t> workers;
  p.broadcast([&] {
    const std::scoped_lock lock(mutex);
    workers.push_back(pthread_self());
  });
  p.wait_idle();
  for (const pthread_t w : workers) pthread_kill(w, SIGUSR1);
  EXPECT_EQ(p.install([] { return fib(10); }), 55);
  EXPECT_EQ(handled.load(), 0u);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;  // discards those that are pending
  sigaction(SIGUSR1, &ignore, nullptr);
  sigaction(SIGUSR1, &before, nullptr);
}
