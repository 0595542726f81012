// What comes out of a deque, and in which order, on one thread.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "filch/deque.hpp"

using filch::deque;
using filch::steal_status;
using filch::detail::first_index;

TEST(deque, the_owner_sees_a_stack) {
  deque<int> d;
  for (int i : {1, 2, 3}) d.push(i);
  EXPECT_EQ(d.pop(), 3);
  EXPECT_EQ(d.pop(), 2);
  EXPECT_EQ(d.pop(), 1);
  EXPECT_EQ(d.pop(), std::nullopt);
}

TEST(deque, a_thief_sees_a_queue) {
  deque<int> d;
  for (int i : {1, 2, 3}) d.push(i);
  EXPECT_EQ(d.steal().item, 1);
  EXPECT_EQ(d.steal().item, 2);
  EXPECT_EQ(d.steal().item, 3);
  EXPECT_EQ(d.steal().status, steal_status::empty);
}

TEST(deque, both_ends_meet_in_the_middle) {
  deque<int> d;
  for (int i = 0; i < 6; ++i) d.push(i);
  for (int i : {0, 1, 2}) {
    EXPECT_EQ(d.steal().item, i);
    EXPECT_EQ(d.pop(), 5 - i);
  }
  EXPECT_EQ(d.pop(), std::nullopt);
  EXPECT_EQ(d.steal().status, steal_status::empty);
}

// Pitfall 3.
TEST(deque, an_item_pushed_after_the_last_was_popped_is_not_lost) {
  deque<int> d;
  for (int i = 0; i < 1000; ++i) {
    d.push(i);
    ASSERT_EQ(d.pop(), i);
    d.push(-i);
    ASSERT_EQ(d.steal().item, -i);
  }
}

// Pitfall 4, D3.
TEST(deque, taking_from_an_empty_deque_leaves_it_usable) {
  deque<int> d(1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(d.pop(), std::nullopt);
    ASSERT_EQ(d.pop(), std::nullopt);
    ASSERT_EQ(d.steal().status, steal_status::empty);
    ASSERT_EQ(d.size_hint(), 0u);
    d.push(i);
    ASSERT_EQ(d.size_hint(), 1u);
    ASSERT_EQ(i % 2 == 0 ? d.pop() : d.steal().item, i);
  }
}

TEST(deque, pop_finds_nothing_after_thieves_took_everything) {
  deque<int> d;
  d.push(1);
  d.push(2);
  ASSERT_TRUE(d.steal());
  ASSERT_TRUE(d.steal());
  EXPECT_EQ(d.pop(), std::nullopt);
  d.push(3);
  EXPECT_EQ(d.pop(), 3);
}

// Pitfall 2, D1.
TEST(deque, growing_keeps_every_item_and_its_order) {
  for (std::size_t capacity : {0u, 1u, 2u, 3u, 8u}) {
    SCOPED_TRACE(capacity);
    deque<int> d(capacity);
    for (int i = 0; i < 100; ++i) d.push(i);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(d.steal().item, i);
    for (int i = 99; i >= 50; --i) ASSERT_EQ(d.pop(), i);
    EXPECT_TRUE(d.empty_hint());
  }
}

TEST(deque, growing_after_steals_keeps_every_item_and_its_order) {
  for (int stolen = 0; stolen <= 8; ++stolen) {
    SCOPED_TRACE(stolen);
    deque<int> d(8);
    for (int i = 0; i < 8; ++i) d.push(i);
    for (int i = 0; i < stolen; ++i) ASSERT_EQ(d.steal().item, i);
    for (int i = 8; i < 40; ++i) d.push(i);
    for (int i = stolen; i < 40; ++i) ASSERT_EQ(d.steal().item, i);
  }
}

// Pitfall 1.
TEST(deque, indices_are_masked_so_a_small_ring_serves_many_pushes) {
  deque<int> d(4);
  for (int i = 0; i < 10'000; ++i) {
    d.push(2 * i);
    d.push(2 * i + 1);
    ASSERT_EQ(d.steal().item, 2 * i);
    ASSERT_EQ(d.pop(), 2 * i + 1);
  }
  EXPECT_EQ(d.capacity(), 4u);
}

TEST(deque, a_full_ring_of_which_thieves_took_some_is_used_again_without_growing) {
  deque<int> d(8);
  for (int i = 0; i < 8; ++i) d.push(i);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(d.steal().item, i);
    d.push(i + 8);
  }
  EXPECT_EQ(d.capacity(), 8u);
  for (int i = 1007; i >= 1000; --i) ASSERT_EQ(d.pop(), i);
}

// Pitfall 15.
TEST(deque, indices_may_wrap) {
  constexpr auto last = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t before = 0; before < 12; ++before) {
    for (std::size_t capacity : {1u, 4u}) {
      SCOPED_TRACE(testing::Message()
                   << before << " indices before the wrap, room for " << capacity);
      deque<int> d(capacity, first_index{last - before});
      EXPECT_EQ(d.pop(), std::nullopt);
      EXPECT_EQ(d.steal().status, steal_status::empty);
      for (int i = 0; i < 10; ++i) d.push(i);
      EXPECT_EQ(d.size_hint(), 10u);
      for (int i = 0; i < 5; ++i) ASSERT_EQ(d.steal().item, i);
      for (int i = 9; i >= 5; --i) ASSERT_EQ(d.pop(), i);
      EXPECT_EQ(d.pop(), std::nullopt);
      EXPECT_EQ(d.steal().status, steal_status::empty);
      EXPECT_TRUE(d.empty_hint());
      for (int i = 0; i < 10; ++i) d.push(i);
      deque<int> mine(1, first_index{last - before});
      EXPECT_EQ(d.steal_into(mine).count, 5u);
      for (int i = 0; i < 5; ++i) ASSERT_EQ(mine.steal().item, i);
    }
  }
}

TEST(deque, indices_may_pass_the_largest_signed_number) {
  deque<int> d(2,
               first_index{static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())});
  for (int i = 0; i < 10; ++i) d.push(i);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(d.steal().item, i);
  for (int i = 9; i >= 5; --i) ASSERT_EQ(d.pop(), i);
  EXPECT_EQ(d.pop(), std::nullopt);
}

TEST(deque, capacity_is_rounded_up_to_a_power_of_two) {
  EXPECT_EQ(deque<int>().capacity(), 256u);
  const std::vector<std::pair<std::size_t, std::size_t>> asked_and_given = {
      {0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {1000, 1024}, {1024, 1024}, {1025, 2048}};
  for (auto [asked, given] : asked_and_given) EXPECT_EQ(deque<int>(asked).capacity(), given);
}

TEST(deque, a_capacity_out_of_reach_is_an_error_that_names_it) {
  for (std::size_t absurd : {std::numeric_limits<std::size_t>::max(), std::size_t{1} << 63,
                             (std::size_t{1} << 47) + 1}) {
    try {
      deque<int> d(absurd);
      FAIL() << "no exception for " << absurd;
    } catch (const std::length_error& e) {
      EXPECT_NE(std::string(e.what()).find(std::to_string(absurd)), std::string::npos) << e.what();
    }
  }
}

TEST(deque, hints_are_exact_while_no_other_thread_uses_the_deque) {
  deque<int> d(2);
  EXPECT_TRUE(d.empty_hint());
  for (std::size_t n = 1; n <= 20; ++n) {
    d.push(7);
    EXPECT_EQ(d.size_hint(), n);
    EXPECT_FALSE(d.empty_hint());
  }
  d.pop();
  EXPECT_EQ(d.size_hint(), 19u);
  EXPECT_TRUE(d.steal());
  EXPECT_EQ(d.size_hint(), 18u);
}

TEST(stealer, does_what_the_deque_does) {
  deque<int> d;
  for (int i = 0; i < 8; ++i) d.push(i);
  const filch::stealer<int> thief = d.get_stealer();
  const filch::stealer<int> copy = thief;
  EXPECT_EQ(thief.size_hint(), 8u);
  EXPECT_EQ(copy.steal().item, 0);
  deque<int> mine;
  EXPECT_EQ(thief.steal_into(mine, 2).count, 2u);
  EXPECT_EQ(mine.steal().item, 1);
  EXPECT_EQ(copy.steal_one_into(mine, 2).item, 3);
  EXPECT_EQ(mine.pop(), 4);
  EXPECT_EQ(mine.pop(), 2);
  while (thief.steal()) {
  }
  EXPECT_TRUE(copy.empty_hint());
}
