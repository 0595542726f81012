// What a deque allocates, when it frees it, and what it does without memory.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <type_traits>

#include "filch/deque.hpp"
#include "support/allocations.hpp"

using filch::deque;
using filch::test::allocations;
using filch::test::fail_allocation;

namespace {

constexpr int million = 1'000'000;
constexpr std::size_t small_memory = 64 * 1024;

/// Live rings of all deques together: nothing else here is over-aligned.
std::size_t live_rings() { return allocations().live_aligned; }

/// Every test ends with as much memory as it began with.
class deque_memory : public testing::Test {
 protected:
  std::size_t bytes() const { return allocations().live_bytes - bytes_before_; }

  void TearDown() override { EXPECT_EQ(live_rings(), rings_before_); }

 private:
  std::size_t bytes_before_ = allocations().live_bytes;
  std::size_t rings_before_ = live_rings();
};

}  // namespace

TEST_F(deque_memory, a_deque_that_held_a_million_and_now_holds_ten_gives_the_memory_back) {
  deque<std::size_t> d;
  for (int i = 0; i < million; ++i) d.push(1);
  EXPECT_GE(bytes(), 8u * million);
  for (int i = 0; i < million - 10; ++i) d.pop();
  EXPECT_EQ(d.size_hint(), 10u);
  EXPECT_LE(d.capacity(), 256u);
  EXPECT_LT(bytes(), small_memory);
  EXPECT_EQ(live_rings(), 1u);
}

TEST_F(deque_memory, boxes_are_given_back_too) {
  deque<std::string> d;
  for (int i = 0; i < million / 10; ++i) d.push(std::string(100, 'x'));
  for (int i = 0; i < million / 10 - 10; i += 2) {
    d.pop();
    d.steal();
  }
  EXPECT_LT(bytes(), small_memory);
}

TEST_F(deque_memory, a_pop_after_thieves_took_almost_all_gives_the_memory_back) {
  deque<std::size_t> d;
  for (int i = 0; i < million; ++i) d.push(1);
  for (int i = 0; i < million - 11; ++i) ASSERT_TRUE(d.steal());
  EXPECT_GE(bytes(), 8u * million);  // thieves do not resize
  EXPECT_TRUE(d.pop());
  EXPECT_LE(d.capacity(), 256u);
  EXPECT_LT(bytes(), small_memory);
}

TEST_F(deque_memory, a_pop_that_finds_nothing_after_thieves_took_all_gives_the_memory_back) {
  deque<std::size_t> d(1);
  for (int i = 0; i < million; ++i) d.push(1);
  while (d.steal()) {
  }
  EXPECT_FALSE(d.pop());
  EXPECT_EQ(d.capacity(), 1u);
  EXPECT_LT(bytes(), small_memory);
}

TEST_F(deque_memory, an_owner_that_only_pushes_gives_the_memory_back_once_thieves_drained_it) {
  deque<std::size_t> d(1);
  for (int i = 0; i < million; ++i) d.push(1);
  while (d.steal()) {
  }
  const std::size_t once_needed = d.capacity();
  for (std::size_t i = 0; i < once_needed; ++i) {
    d.push(1);
    ASSERT_TRUE(d.steal());
  }
  EXPECT_LE(d.capacity(), 64u);
  EXPECT_LT(bytes(), small_memory);
}

TEST_F(deque_memory, a_retired_ring_is_freed_at_once_while_no_steal_runs) {
  deque<int> d(1);
  for (int i = 0; i < 10'000; ++i) {
    d.push(i);
    ASSERT_EQ(live_rings(), 1u) << i;
  }
  for (int i = 0; i < 10'000; ++i) {
    i % 3 == 0 ? static_cast<void>(d.steal()) : static_cast<void>(d.pop());
    ASSERT_EQ(live_rings(), 1u) << i;
  }
}

TEST_F(deque_memory, a_ring_that_was_robbed_is_freed_at_once_too) {
  deque<int> d(1);
  for (int i = 0; i < 10'000; ++i) {
    d.push(i);
    d.push(i);
    d.steal();
    ASSERT_EQ(live_rings(), 1u) << i;
  }
}

TEST_F(deque_memory, it_never_shrinks_below_the_capacity_asked_for) {
  deque<int> d(1000);
  for (int i = 0; i < 10'000; ++i) d.push(i);
  EXPECT_EQ(d.capacity(), 16'384u);
  while (d.pop()) {
  }
  EXPECT_EQ(d.capacity(), 1024u);
  const auto before = allocations().made;
  for (int i = 0; i < 1000; ++i) d.push(i);
  while (d.pop()) {
  }
  EXPECT_EQ(allocations().made, before);
}

// For every size, so also for the worst: one push and one pop more or less do not resize each time.
TEST_F(deque_memory, going_back_and_forth_around_any_size_does_not_resize_each_time) {
  for (int swing : {1, 2, 7}) {
    deque<int> d(1);
    for (int i = 0; i < 5000; ++i) d.push(i);
    std::size_t resizes = 0;
    for (int size = 5000; size > 2 * swing; --size) {  // below that, the swing is most of the size
      const auto before = allocations().made;
      for (int n = 0; n < 20; ++n) {
        for (int i = 0; i < swing; ++i) d.pop();
        for (int i = 0; i < swing; ++i) d.push(i);
      }
      const auto made = allocations().made - before;
      ASSERT_LE(made, 1u) << "at " << size << " items";
      resizes += made;
      d.pop();
    }
    EXPECT_LT(resizes, 40u);
  }
}

TEST_F(deque_memory, resizing_is_amortised_constant) {
  deque<int> d(1);
  const auto before = allocations().made;
  std::size_t operations = 0;
  for (int size = 1; size <= 1 << 16; size *= 2) {
    for (int i = 0; i < size; ++i) d.push(i);
    for (int i = 0; i < size; ++i) d.pop();
    operations += static_cast<std::size_t>(2 * size);
  }
  EXPECT_LT(allocations().made - before, 17u * 2 * 17) << operations << " operations";
}

TEST_F(deque_memory, without_memory_to_grow_a_push_leaves_the_deque_as_it_was) {
  deque<int> d(4);
  for (int i = 0; i < 4; ++i) d.push(i);
  for (int attempt = 0; attempt < 3; ++attempt) {
    const fail_allocation next(1);
    EXPECT_THROW(d.push(4), std::bad_alloc);
    EXPECT_EQ(d.size_hint(), 4u);
    EXPECT_EQ(d.capacity(), 4u);
  }
  EXPECT_EQ(d.steal().item, 0);
  {
    const fail_allocation next(1);
    d.push(4);  // there is room now
  }
  EXPECT_EQ(d.pop(), 4);
  d.push(4);
  d.push(5);
  for (int i : {5, 4, 3, 2, 1}) EXPECT_EQ(d.pop(), i);
}

TEST_F(deque_memory, without_memory_for_a_box_a_push_leaves_the_deque_as_it_was) {
  deque<std::unique_ptr<int>> d(4);
  d.push(std::make_unique<int>(0));
  auto item = std::make_unique<int>(1);
  {
    const fail_allocation next(1);
    EXPECT_THROW(d.push(std::move(item)), std::bad_alloc);
  }
  EXPECT_EQ(d.size_hint(), 1u);
  EXPECT_EQ(**d.pop(), 0);
}

TEST_F(deque_memory, without_memory_for_a_first_ring_there_is_no_deque) {
  const fail_allocation next(1);
  EXPECT_THROW(deque<int>(8), std::bad_alloc);
  EXPECT_THROW(deque<int>(std::size_t{1} << 47), std::bad_alloc);
}

TEST_F(deque_memory, a_failed_shrink_is_not_an_error_and_is_tried_again_later) {
  deque<int> d(1);
  for (int i = 0; i < 4096; ++i) d.push(i);
  {
    const fail_allocation all(1, fail_allocation::for_ever);
    for (int i = 4095; i >= 100; --i) ASSERT_EQ(d.pop(), i);
    EXPECT_GT(fail_allocation::seen(), 0u);
    EXPECT_LT(fail_allocation::seen(), 10u) << "it should not be tried with every operation";
    EXPECT_EQ(d.capacity(), 4096u);
  }
  for (int n = 0; n < 1000; ++n) {
    d.push(100);
    ASSERT_EQ(d.pop(), 100);
  }
  EXPECT_LE(d.capacity(), 1024u);
  for (int i = 99; i >= 0; --i) ASSERT_EQ(d.pop(), i);
}

namespace {

int number_of(int item) { return item; }
int number_of(const std::unique_ptr<int>& item) { return *item; }

template <class T>
T item_of(int number) {
  if constexpr (std::is_same_v<T, int>)
    return number;
  else
    return std::make_unique<int>(number);
}

/// A scenario of pushes, pops, steals and batches in which the k-th allocation fails. Every item
/// that was pushed without an exception comes out exactly once. Returns false if there were fewer
/// allocations.
template <class T>
bool play_with_failure_of_allocation(std::size_t k) {
  constexpr int items = 300;
  std::array<int, items> pushed{}, taken{};
  bool failed = false;
  {
    std::unique_ptr<deque<T>> d, mine;
    const auto take = [&](const T& item) { ++taken.at(static_cast<std::size_t>(number_of(item))); };
    const auto attempt = [&](auto what) {
      try {
        what();
      } catch (const std::bad_alloc&) {
      }
    };
    {
      const fail_allocation chosen(k);
      attempt([&] { d = std::make_unique<deque<T>>(1); });
      attempt([&] { mine = std::make_unique<deque<T>>(2); });
      if (d && mine) {
        int next = 0;
        const auto push = [&](int count) {
          for (; count > 0; --count, ++next)
            attempt([&] {
              d->push(item_of<T>(next));
              pushed[static_cast<std::size_t>(next)] = 1;
            });
        };
        const auto pop = [&](int count) {
          for (; count > 0; --count)
            if (auto item = d->pop()) take(*item);
        };
        push(100);
        attempt([&] { d->steal_into(*mine); });
        attempt([&] {
          if (auto s = d->steal_one_into(*mine)) take(s.item);
        });
        pop(20);
        push(150);
        while (auto item = mine->pop()) take(*item);
        pop(1000);
        push(50);
        attempt([&] { d->steal_into(*mine, 5); });
      }
      failed = fail_allocation::seen() > 0;
    }
    for (deque<T>* left : {d.get(), mine.get()})
      while (left != nullptr && !left->empty_hint())
        if (auto s = left->steal()) take(s.item);
  }
  EXPECT_EQ(pushed, taken) << "when allocation " << k << " fails";
  return failed;
}

}  // namespace

TEST_F(deque_memory, whichever_allocation_fails_no_item_is_lost_or_doubled) {
  std::size_t k = 1;
  while (play_with_failure_of_allocation<int>(k)) ++k;
  EXPECT_GT(k, 15u) << "the game should grow and shrink several times";
  const std::size_t blocks = allocations().live_blocks;
  for (k = 1; play_with_failure_of_allocation<std::unique_ptr<int>>(k);) ++k;
  EXPECT_GT(k, 600u);
  EXPECT_EQ(allocations().live_blocks, blocks);
}
