// An event loop in main goes on handling events while filch works.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "filch/filch.hpp"

namespace {

using namespace std::chrono_literals;

/// What a GUI toolkit has: other threads post functions, the thread of the loop calls them.
class event_loop {
 public:
  void post(std::function<void()> event) {
    const std::scoped_lock lock(mutex_);
    events_.push_back(std::move(event));
    news_.notify_one();
  }
  void end() {
    post([this] { ended_ = true; });
  }
  /// Calls `tick` every millisecond, and events as they come. Returns the longest time between two
  /// of those.
  std::chrono::nanoseconds run(const std::function<void()>& tick) {
    auto before = std::chrono::steady_clock::now();
    std::chrono::nanoseconds longest{0};
    while (!ended_) {
      std::unique_lock lock(mutex_);
      std::function<void()> event = tick;
      if (news_.wait_for(lock, 1ms, [&] { return !events_.empty(); })) {
        event = std::move(events_.front());
        events_.pop_front();
      }
      lock.unlock();
      event();
      const auto now = std::chrono::steady_clock::now();
      longest = std::max<std::chrono::nanoseconds>(longest, now - std::exchange(before, now));
    }
    return longest;
  }

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::function<void()>> events_;
  bool ended_ = false;
};

}  // namespace

int main() {
  event_loop loop;
  const auto main_thread = std::this_thread::get_id();
  std::vector<long long> numbers(2'000'000);
  std::iota(numbers.begin(), numbers.end(), 0);

  // submit() returns at once. The task, and the loop in it, run on workers; its last step posts
  // the result to the thread of the event loop.
  std::atomic<bool> worked_on_main = false;
  long long shown = 0;
  auto shown_later =
      filch::submit([&] {
        return filch::transform_reduce(numbers, 0LL, std::plus<>(), [&](long long n) {
          if (std::this_thread::get_id() == main_thread) worked_on_main = true;
          return n % 7;
        });
      }).then([&](long long sum) {
        loop.post([&, sum] {
          shown = sum;  // on main: it may touch what belongs to the loop
          loop.end();
        });
      });

  int ticks = 0;
  const auto longest = loop.run([&] { ++ticks; });
  shown_later.get();
  long long expected = 0;
  for (const long long n : numbers) expected += n % 7;
  std::printf("sum %lld, %d ticks, longest pause %.1f ms\n", shown, ticks,
              static_cast<double>(longest.count()) / 1e6);
  return shown == expected && !worked_on_main ? 0 : 1;
}
