#include "filch/detail/base/thread_usage.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "support/eventually.hpp"

using filch::detail::kernel_state;
using filch::detail::kernel_state_of;
using filch::detail::processor_time;
using filch::detail::reason_for_sleep;
using filch::detail::this_thread_mark;
using filch::detail::thread_mark;
using filch::test::until;

namespace {

/// Runs `f` on a thread of its own, and knows the mark of that thread.
class marked_thread {
 public:
  template <class F>
  explicit marked_thread(F f)
      : thread_([this, f] {
          mark_ = this_thread_mark();
          f();
        }) {
    until([this] { return mark_ != 0; });
  }
  ~marked_thread() { join(); }
  thread_mark mark() const { return mark_; }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  void until_asleep() const {
    until([this] { return kernel_state_of(mark_) == kernel_state::asleep; });
  }

 private:
  std::atomic<thread_mark> mark_{0};
  std::thread thread_;
};

}  // namespace

TEST(thread_usage, the_calling_thread_is_ready_and_uses_processor_time) {
  const thread_mark mine = this_thread_mark();
  EXPECT_EQ(kernel_state_of(mine), kernel_state::ready);
  EXPECT_EQ(filch::detail::number_of(mine), static_cast<std::uint64_t>(::gettid()));
  const auto before = processor_time(mine);
  ASSERT_TRUE(before);
  until([&] { return processor_time(mine) > before; });
}

TEST(thread_usage, a_thread_that_waits_for_a_lock_sleeps_and_uses_no_processor_time) {
  std::mutex mutex;
  std::unique_lock held(mutex);
  const marked_thread other([&] { const std::scoped_lock lock(mutex); });
  other.until_asleep();
  const auto before = processor_time(other.mark());
  EXPECT_TRUE(before);
  EXPECT_EQ(reason_for_sleep(other.mark()), "a lock, a condition variable or another thread");
  EXPECT_EQ(processor_time(other.mark()), before);
  held.unlock();
}

TEST(thread_usage, a_thread_that_reads_waits_for_the_descriptor_that_it_reads) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  marked_thread other([&] {
    char c = 0;
    EXPECT_EQ(::read(ends[0], &c, 1), 1);
  });
  other.until_asleep();
  until([&] { return !reason_for_sleep(other.mark()).empty(); });
  EXPECT_EQ(reason_for_sleep(other.mark()), "input from descriptor " + std::to_string(ends[0]));
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  other.join();
  for (const int end : ends) ::close(end);
}

TEST(thread_usage, of_a_thread_that_has_ended_nothing_is_known) {
  marked_thread other([] {});
  other.join();
  until([&] { return kernel_state_of(other.mark()) == kernel_state::unknown; });
  until([&] { return !processor_time(other.mark()); });
  EXPECT_EQ(reason_for_sleep(other.mark()), "");
}

TEST(thread_usage, of_no_thread_nothing_is_known) {
  EXPECT_EQ(kernel_state_of(0), kernel_state::unknown);
  EXPECT_FALSE(processor_time(0));
  EXPECT_EQ(reason_for_sleep(0), "");
}
