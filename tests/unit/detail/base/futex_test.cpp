#include "filch/detail/base/futex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <pthread.h>
#include <signal.h>
#endif

#include "filch/detail/base/cpu_relax.hpp"

using filch::detail::futex_status;
using filch::detail::futex_wait;
using filch::detail::futex_wait_for;
using filch::detail::futex_wait_until;
using filch::detail::futex_wake_all;
using filch::detail::futex_wake_one;
using clock_type = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

using word_type = filch::detail::atomic<std::uint32_t>;

/// Threads that sleep on one word repeatedly until it is not 0. They count how often they return.
class sleepers {
 public:
  explicit sleepers(int count) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this] {
        while (word_.load() == 0) {
          futex_wait(word_, 0);
          returns_.fetch_add(1);
        }
      });
    }
  }

  word_type& word() { return word_; }

  /// Lets them go. Returns how often they have returned in all.
  unsigned finish() {
    word_.store(1);
    futex_wake_all(word_);  // once: a thread that is not asleep yet finds the word changed
    for (auto& t : threads_) t.join();
    return returns_.load();
  }

 private:
  word_type word_{0};
  std::atomic<unsigned> returns_{0};
  std::vector<std::thread> threads_;
};

}  // namespace

TEST(futex, a_wait_on_a_changed_word_returns_at_once) {
  word_type word{1};
  futex_wait(word, 0);
  EXPECT_EQ(futex_wait_until(word, 0, clock_type::time_point::max()), futex_status::awake);
  EXPECT_EQ(futex_wait_for(word, 0, std::chrono::nanoseconds::max()), futex_status::awake);
}

TEST(futex, all_32_bits_of_the_word_are_compared) {
  word_type word{0x80000000u};
  futex_wait(word, 0);
  futex_wait(word, 0x7fffffffu);
  EXPECT_EQ(futex_wait_for(word, 0x80000000u, 1ms), futex_status::timed_out);
}

TEST(futex, waking_without_sleepers_wakes_no_thread) {
  word_type word{0};
  EXPECT_EQ(futex_wake_one(word), 0u);
  EXPECT_EQ(futex_wake_all(word), 0u);
}

TEST(futex, wake_one_wakes_one_of_two) {
  sleepers two(2);
  constexpr unsigned wakes = 1000;
  for (unsigned woken = 0; woken < wakes;) {
    const unsigned now = futex_wake_one(two.word());
    ASSERT_LE(now, 1u);
    woken += now;
    if (now == 0) filch::detail::yield();
  }
  const unsigned returns = two.finish();
  EXPECT_GE(returns, wakes);
  EXPECT_LE(returns, wakes + 2);  // each of the two may return once more, at the end
}

TEST(futex, wake_all_wakes_everyone_and_counts_them) {
  sleepers three(3);
  while (futex_wake_all(three.word()) != 3) filch::detail::yield();  // until all three sleep
  three.finish();
}

TEST(futex, a_wake_after_the_change_is_never_missed) {
  word_type ball{0};
  constexpr std::uint32_t turns = 20'000;
  const auto play = [&](std::uint32_t mine) {
    for (;;) {
      const std::uint32_t turn = ball.load();
      if (turn >= turns) return;
      if (turn % 2 != mine) {
        futex_wait(ball, turn);
        continue;
      }
      ball.store(turn + 1);
      futex_wake_one(ball);
    }
  };
  std::thread partner([&] { play(1); });
  play(0);
  partner.join();
  EXPECT_EQ(ball.load(), turns);
}

TEST(futex, a_wait_with_a_deadline_times_out_and_not_before) {
  word_type word{0};
  const auto deadline = clock_type::now() + 5ms;
  while (futex_wait_until(word, 0, deadline) != futex_status::timed_out) {
  }
  EXPECT_GE(clock_type::now(), deadline);
}

TEST(futex, a_wait_for_a_time_times_out_and_not_before) {
  word_type word{0};
  auto start = clock_type::now();
  while (futex_wait_for(word, 0, 5ms) != futex_status::timed_out) start = clock_type::now();
  EXPECT_GE(clock_type::now() - start, 5ms);
}

TEST(futex, a_deadline_in_the_past_does_not_sleep) {
  word_type word{0};
  EXPECT_EQ(futex_wait_until(word, 0, clock_type::now() - 1s), futex_status::timed_out);
  EXPECT_EQ(futex_wait_until(word, 0, clock_type::time_point{}), futex_status::timed_out);
  EXPECT_EQ(futex_wait_until(word, 0, clock_type::time_point::min()), futex_status::timed_out);
  EXPECT_EQ(futex_wait_for(word, 0, 0ns), futex_status::timed_out);
  EXPECT_EQ(futex_wait_for(word, 0, -1s), futex_status::timed_out);
  EXPECT_EQ(futex_wait_for(word, 0, std::chrono::nanoseconds::min()), futex_status::timed_out);
}

TEST(futex, a_wake_ends_a_wait_whose_deadline_is_far_away) {
  for (const auto deadline : {clock_type::now() + 24h, clock_type::time_point::max()}) {
    word_type word{0};
    auto last = futex_status::timed_out;
    std::thread waiter([&] {
      while (word.load() == 0) last = futex_wait_until(word, 0, deadline);
    });
    while (futex_wake_one(word) == 0) filch::detail::yield();  // it slept, and goes on
    word.store(1);
    futex_wake_one(word);
    waiter.join();
    EXPECT_EQ(last, futex_status::awake);
  }
}

TEST(futex, leaves_errno_alone) {
  word_type word{0};
  errno = 4711;
  futex_wait(word, 1);
  EXPECT_EQ(errno, 4711);
  static_cast<void>(futex_wait_for(word, 0, 1ms));
  EXPECT_EQ(errno, 4711);
  futex_wake_one(word);
  EXPECT_EQ(errno, 4711);
}

#if defined(__linux__)

namespace {

/// Interrupts system calls with SIGUSR1 during a test: no SA_RESTART.
class interrupting_signals {
 public:
  interrupting_signals() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGUSR1, &action, &before_);
  }
  ~interrupting_signals() { sigaction(SIGUSR1, &before_, nullptr); }

  static void interrupt(std::thread& thread) { pthread_kill(thread.native_handle(), SIGUSR1); }

 private:
  struct sigaction before_ {};
};

}  // namespace

TEST(futex, a_sleeper_survives_a_storm_of_signals) {
  const interrupting_signals signals;
  word_type word{0};
  std::atomic<int> returns{0};
  bool errno_changed = false;
  std::thread sleeper([&] {
    while (word.load() == 0) {
      errno = 4711;
      futex_wait(word, 0);
      if (errno != 4711) errno_changed = true;
      returns.fetch_add(1);
    }
  });
  for (int sent = 0; sent < 1000 || returns.load() < 10; ++sent) {
    interrupting_signals::interrupt(sleeper);
    if (sent % 8 == 0) std::this_thread::sleep_for(20us);  // time to fall asleep again
  }
  word.store(1);
  futex_wake_one(word);
  sleeper.join();
  EXPECT_FALSE(errno_changed);
}

// Each signal ends the wait. The deadline is absolute, so repeating the wait does not move the end.
TEST(futex, a_deadline_survives_a_storm_of_signals) {
  const interrupting_signals signals;
  word_type word{0};
  std::atomic<bool> over{false};
  const auto deadline = clock_type::now() + 30ms;
  auto end = clock_type::time_point::min();
  std::thread sleeper([&] {
    while (futex_wait_until(word, 0, deadline) != futex_status::timed_out) {
    }
    end = clock_type::now();
    over.store(true);
  });
  while (!over.load()) {
    interrupting_signals::interrupt(sleeper);
    std::this_thread::sleep_for(50us);
  }
  sleeper.join();
  EXPECT_GE(end, deadline);
}

#endif
