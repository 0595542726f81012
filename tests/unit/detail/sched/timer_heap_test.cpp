#include "filch/detail/sched/timer_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "filch/detail/base/rng.hpp"

using filch::detail::timer_entry;
using filch::detail::timer_heap;

namespace {

std::vector<timer_entry> entries(std::size_t count, filch::detail::rng& random) {
  std::vector<timer_entry> all(count);
  for (timer_entry& e : all)
    e.due += std::chrono::nanoseconds(static_cast<int>(random.bounded(50)));  // some are equal
  return all;
}

/// Takes out everything, and says whether it came in order.
bool comes_in_order(timer_heap& heap, std::size_t count) {
  auto last = std::chrono::steady_clock::time_point::min();
  for (; !heap.empty(); --count) {
    timer_entry& first = heap.first();
    if (count == 0 || first.due < last) return false;
    last = first.due;
    heap.remove(first);
  }
  return count == 0;
}

}  // namespace

TEST(timer_heap, gives_the_earliest_first) {
  filch::detail::rng random(1);
  for (std::size_t count : {0u, 1u, 2u, 3u, 100u}) {
    std::vector<timer_entry> all = entries(count, random);
    timer_heap heap;
    heap.make_room(count);
    for (timer_entry& e : all) heap.add(e);
    EXPECT_TRUE(comes_in_order(heap, count)) << count;
    for (const timer_entry& e : all) EXPECT_EQ(e.heap_index, timer_entry::nowhere);
  }
}

TEST(timer_heap, any_entry_can_be_removed) {
  filch::detail::rng random(2);
  for (int round = 0; round < 50; ++round) {
    std::vector<timer_entry> all = entries(40, random);
    timer_heap heap;
    heap.make_room(all.size());
    for (timer_entry& e : all) heap.add(e);
    for (std::size_t i = 0; i < all.size(); i += 2) heap.remove(all[i]);
    EXPECT_TRUE(comes_in_order(heap, all.size() / 2));
  }
}

TEST(timer_heap, removes_all_of_a_kind_and_keeps_the_others_in_order) {
  filch::detail::rng random(3);
  std::vector<timer_entry> all = entries(60, random);
  timer_heap heap;
  heap.make_room(all.size());
  for (timer_entry& e : all) heap.add(e);
  std::size_t removed = 0;
  heap.remove_if(
      [&](const timer_entry& e) { return (&e - all.data()) % 3 == 0; },
      [&](const timer_entry& e) { removed += e.heap_index == timer_entry::nowhere ? 1 : 0; });
  EXPECT_EQ(removed, 20u);
  EXPECT_TRUE(comes_in_order(heap, 40));
}
