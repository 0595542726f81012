#include "filch/detail/sched/account.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

using filch::detail::account;

TEST(account, counts_what_was_opened_and_what_was_closed) {
  account a;
  EXPECT_EQ(a.opened(), 0u);
  EXPECT_EQ(a.closed(), 0u);
  a.open();
  a.open();
  a.close();
  EXPECT_EQ(a.opened(), 2u);
  EXPECT_EQ(a.closed(), 1u);
  a.close(3);
  EXPECT_EQ(a.closed(), 4u);
}

// Only the sums are meaningful.
TEST(account, a_task_may_end_in_another_account_than_it_was_opened_in) {
  account opener, closer;
  opener.open();
  closer.close();
  EXPECT_EQ(opener.opened() + closer.opened(), opener.closed() + closer.closed());
  EXPECT_GT(closer.closed(), closer.opened());
}

// Pitfall 18. The plain variable is the task's effect: TSan notices a missing edge.
TEST(account, a_thread_that_sees_a_task_closed_sees_what_it_did_and_opened) {
  account a;
  int effect = 0;
  std::thread owner([&] {
    a.open();
    effect = 42;
    a.open();
    a.close();
  });
  while (a.closed() == 0) std::this_thread::yield();
  EXPECT_EQ(effect, 42);
  EXPECT_EQ(a.opened(), 2u);
  owner.join();
}

/// The account of a thread that runs a chain of tasks: between two looks at it, a task opens the
/// next one and ends.
class chain {
 public:
  chain() { tasks_.open(); }
  static std::size_t size() noexcept { return 1; }
  const account& operator[](std::size_t) const noexcept {
    tasks_.open();
    tasks_.close();
    return tasks_;
  }

 private:
  mutable account tasks_;
};

TEST(account, a_task_that_ends_between_the_two_sums_does_not_look_like_the_last_one) {
  EXPECT_FALSE(filch::detail::all_closed(chain(), [] { return std::uint64_t{0}; }));
}

// Closed is read first, so the sums are never equal while a task is on its way.
TEST(account, a_chain_in_which_each_task_opens_the_next_never_looks_finished) {
  account a;
  a.open();
  std::atomic<bool> stop = false;
  std::thread owner([&] {
    while (!stop) {
      a.open();
      a.close();
    }
  });
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t closed = a.closed();
    const std::uint64_t opened = a.opened();
    ASSERT_LT(closed, opened);
  }
  stop = true;
  owner.join();
}
