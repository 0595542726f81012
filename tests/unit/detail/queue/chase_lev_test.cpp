// Pops that stop at an index, which filch::deque does not offer.
#include "filch/detail/queue/chase_lev.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

using filch::steal_status;
using filch::detail::chase_lev;
using filch::detail::first_index;

namespace {

using deque = chase_lev<int>;

/// The popped items, newest first, of those pushed from index `first` on.
std::vector<int> popped_since(deque& d, std::uint64_t first) {
  std::vector<int> all;
  for (int word = 0; d.pop_since(first, word);) all.push_back(word);
  return all;
}

}  // namespace

TEST(chase_lev, pop_since_leaves_what_was_there_before) {
  deque d(2);
  d.push(1);
  d.push(2);
  const std::uint64_t first = d.next_index();
  for (int i = 3; i <= 5; ++i) d.push(i);
  EXPECT_EQ(popped_since(d, first), (std::vector{5, 4, 3}));
  EXPECT_EQ(d.size_hint(), 2u);
  EXPECT_EQ(popped_since(d, first - 2), (std::vector{2, 1}));
}

TEST(chase_lev, pop_since_finds_nothing_after_thieves_took_everything_and_leaves_it_usable) {
  deque d(4);
  const std::uint64_t first = d.next_index();
  d.push(1);
  d.push(2);
  for (int word = 0; d.steal(word) == steal_status::taken;) EXPECT_LE(word, 2);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(popped_since(d, first), std::vector<int>{});
  d.push(3);
  EXPECT_EQ(popped_since(d, first), std::vector{3});
}

TEST(chase_lev, pop_since_is_right_where_indices_wrap) {
  deque d(4, first_index{UINT64_MAX - 1});
  d.push(1);
  const std::uint64_t first = d.next_index();
  d.push(2);
  d.push(3);
  ASSERT_LT(d.next_index(), first);
  EXPECT_EQ(popped_since(d, first), (std::vector{3, 2}));
  EXPECT_EQ(d.size_hint(), 1u);
}

TEST(chase_lev, pops_give_memory_back_whichever_they_are) {
  deque d(4);
  const std::uint64_t first = d.next_index();
  for (int i = 0; i < 1000; ++i) d.push(i);
  ASSERT_EQ(d.capacity(), 1024u);
  EXPECT_EQ(popped_since(d, first).size(), 1000u);
  EXPECT_EQ(d.capacity(), 4u);
}
