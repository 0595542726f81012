#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "filch/detail/base/pages.hpp"
#include "filch/detail/queue/split_stack_slow_path.hpp"

namespace {

using filch::steal_status;

struct alignas(64) slot {
  int number = 0;
};
using stack = filch::detail::split_stack<slot>;

/// An open stack of 15 slots and one behind them, as its owner and as a thief see it.
class split_stack : public testing::TestWithParam<bool> {
 protected:
  split_stack() { open(); }
  void open(bool first_is_public = false) {
    s.open(base(), base() + 15, GetParam(), first_is_public);
  }
  slot* base() { return static_cast<slot*>(memory_.start()); }

  /// What join does before it calls its first branch.
  slot* fork(int number) {
    slot* const h = s.next();
    h->number = number;
    if (!s.push(h)) (void)s.answer(h);
    return h;
  }
  bool comes_back(slot* h) { return s.pop(h) || s.take_back(h); }
  int steal() {
    slot* taken = nullptr;
    return s.steal(taken) == steal_status::taken ? taken->number : -1;
  }

  stack s;

 private:
  filch::detail::pages memory_{std::size_t{1} << 16};
};

TEST_P(split_stack, gives_back_what_no_thief_took_newest_first) {
  std::vector<slot*> forks;
  for (int i = 0; i < 10; ++i) forks.push_back(fork(i));
  EXPECT_EQ(s.size_hint(), 10u);
  for (int i = 9; i >= 0; --i) EXPECT_TRUE(comes_back(forks[static_cast<std::size_t>(i)])) << i;
  EXPECT_EQ(s.next(), base());
  EXPECT_FALSE(s.has_work());
}

// Pitfall 31: half of one is one, and half of none is none.
TEST_P(split_stack, an_answer_exposes_half_rounded_up) {
  if (GetParam()) return;  // everything is public there
  for (std::ptrdiff_t n = 0; n <= 8; ++n) {
    open();
    (void)fork(0);  // the first push is always heard
    ASSERT_EQ(steal(), 0);
    for (std::ptrdiff_t i = 0; i < n; ++i) ASSERT_TRUE(s.push(s.next())) << "no thief asked";
    EXPECT_EQ(s.answer(s.next() - 1), n != 0);
    std::ptrdiff_t shared = 0;
    while (steal() != -1) ++shared;
    EXPECT_EQ(shared, (n + 1) / 2) << n;
  }
}

TEST_P(split_stack, thieves_take_the_oldest_first) {
  for (int i = 0; i < 3; ++i) (void)fork(i);
  s.expose_all();
  EXPECT_EQ(steal(), 0);
  EXPECT_EQ(steal(), 1);
  EXPECT_EQ(steal(), 2);
  EXPECT_EQ(steal(), -1);
}

TEST_P(split_stack, what_was_taken_stays_reserved_until_it_is_released) {
  slot* const h = fork(1);
  s.expose_all();
  EXPECT_EQ(steal(), 1);
  EXPECT_FALSE(comes_back(h));
  slot* const above = fork(2);
  EXPECT_EQ(above, h + 1);
  EXPECT_TRUE(comes_back(above));
  s.release(h);
  EXPECT_EQ(fork(3), h);
}

TEST_P(split_stack, a_question_is_answered_by_the_next_push) {
  slot* const first = fork(1);
  s.ask();
  EXPECT_TRUE(s.asked());
  slot* const second = fork(2);
  EXPECT_TRUE(s.has_public());
  EXPECT_EQ(steal(), 1);
  EXPECT_TRUE(comes_back(second));
  EXPECT_FALSE(comes_back(first));
}

TEST_P(split_stack, a_thief_exposes_for_an_owner_that_does_not_answer) {
  (void)fork(1);
  (void)fork(2);
  EXPECT_EQ(steal(), 1);
  EXPECT_EQ(s.has_public(), GetParam());  // without membarrier everything is public at once
  EXPECT_EQ(s.expose_for_owner(), !GetParam());
  EXPECT_EQ(steal(), 2);
}

TEST_P(split_stack, nothing_is_exposed_of_an_empty_stack) {
  EXPECT_FALSE(s.expose_for_owner());
  EXPECT_EQ(steal(), -1);
  EXPECT_FALSE(s.has_work());
}

TEST_P(split_stack, the_slot_at_the_end_is_never_taken) {
  std::vector<slot*> forks;
  for (int i = 0; i < 16; ++i) forks.push_back(fork(i));
  EXPECT_TRUE(s.is_last(forks.back()));
  s.expose_all();
  for (int i = 0; i < 15; ++i) EXPECT_EQ(steal(), i);
  EXPECT_EQ(steal(), -1);
  EXPECT_FALSE(s.shares(forks.back()));
}

TEST_P(split_stack, a_first_slot_that_is_public_never_comes_back_by_pop) {
  open(true);
  slot* const first = fork(1);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(comes_back(fork(2)));
  EXPECT_FALSE(s.pop(first));
  EXPECT_TRUE(s.take_back(first));
}

TEST_P(split_stack, closed_it_has_no_next_slot_and_nothing_to_take) {
  s.close();
  EXPECT_EQ(s.next(), nullptr);
  EXPECT_FALSE(s.is_open());
  EXPECT_EQ(steal(), -1);
  EXPECT_EQ(s.size_hint(), 0u);
}

TEST_P(split_stack, goes_back_to_where_it_was_when_it_is_closed) {
  slot elsewhere[2];
  s.close();
  s.go_on_at(elsewhere);
  open();
  EXPECT_EQ(s.next(), base());
  s.close();
  EXPECT_EQ(s.next(), elsewhere);
  s.go_nowhere();
  EXPECT_EQ(s.next(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(membarrier, split_stack, testing::Values(false, true),
                         [](const auto& i) { return i.param ? "missing" : "there"; });

}  // namespace
