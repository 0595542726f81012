#include "filch/detail/queue/injector.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/hang_guard.hpp"
#include "support/team.hpp"

using filch::test::team;

namespace {

struct node {
  std::uint64_t number = 0;
  std::size_t producer = 0;
  node* next = nullptr;
};
using queue = filch::detail::injector<node>;

std::vector<std::uint64_t> numbers(node* list) {
  std::vector<std::uint64_t> all;
  for (; list != nullptr; list = list->next) all.push_back(list->number);
  return all;
}

std::vector<node> nodes(std::size_t count) {
  std::vector<node> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i].number = i;
  return all;
}

void link(std::vector<node>& all) {
  for (std::size_t i = 1; i < all.size(); ++i) all[i - 1].next = &all[i];
}

using list = std::vector<std::uint64_t>;

}  // namespace

TEST(injector, is_empty_at_first) {
  queue q;
  EXPECT_TRUE(q.empty_hint());
  EXPECT_EQ(q.take(16), nullptr);
}

TEST(injector, gives_back_what_was_put_in) {
  queue q;
  node n;
  q.push(&n);
  EXPECT_FALSE(q.empty_hint());
  EXPECT_EQ(q.take(16), &n);
  EXPECT_EQ(n.next, nullptr);
  EXPECT_TRUE(q.empty_hint());
}

TEST(injector, is_first_in_first_out) {
  queue q;
  auto all = nodes(5);
  for (node& n : all) q.push(&n);
  EXPECT_EQ(numbers(q.take(2)), (list{0, 1}));
  EXPECT_EQ(numbers(q.take(2)), (list{2, 3}));
  EXPECT_EQ(numbers(q.take(2)), (list{4}));
  EXPECT_EQ(q.take(2), nullptr);
}

TEST(injector, what_arrives_later_comes_after_what_waits) {
  queue q;
  auto all = nodes(6);
  for (std::size_t i = 0; i < 3; ++i) q.push(&all[i]);
  EXPECT_EQ(numbers(q.take(1)), (list{0}));
  for (std::size_t i = 3; i < 6; ++i) q.push(&all[i]);
  list taken;
  while (node* some = q.take(4))
    for (const std::uint64_t n : numbers(some)) taken.push_back(n);
  EXPECT_EQ(taken, (list{1, 2, 3, 4, 5}));
}

TEST(injector, a_chain_goes_in_as_a_whole_and_in_order) {
  queue q;
  auto all = nodes(4);
  link(all);
  q.push_chain(&all.front(), &all.back());
  node last{.number = 4};
  q.push(&last);
  EXPECT_EQ(numbers(q.take(SIZE_MAX)), (list{0, 1, 2, 3, 4}));
}

// The list that a node came from must not leak into the queue.
TEST(injector, only_the_nodes_up_to_the_last_one_go_in) {
  queue q;
  auto all = nodes(4);
  link(all);
  q.push_chain(&all[0], &all[1]);
  EXPECT_EQ(numbers(q.take(SIZE_MAX)), (list{0, 1}));
}

TEST(injector, taking_none_takes_none) {
  queue q;
  node n;
  q.push(&n);
  EXPECT_EQ(numbers(q.take(1)), (list{0}));
  EXPECT_EQ(q.take(1), nullptr);
}

TEST(injector, has_no_limit) {
  constexpr std::size_t many = 200'000;
  queue q;
  auto all = nodes(many);
  for (node& n : all) q.push(&n);
  std::uint64_t expected = 0;
  while (node* some = q.take(32))
    for (; some != nullptr; some = some->next) ASSERT_EQ(some->number, expected++);
  EXPECT_EQ(expected, many);
}

// Pitfalls 32 and 34. The nodes that one consumer takes from one producer are in that producer's
// order.
TEST(injector, many_producers_and_consumers_lose_and_double_nothing) {
  constexpr std::size_t producers = 4, consumers = 3, each = 10'000;
  queue q;
  std::vector<std::vector<node>> all(producers);
  for (std::size_t p = 0; p < producers; ++p) {
    all[p] = nodes(each);
    for (node& n : all[p]) n.producer = p;
  }
  std::vector<std::atomic<int>> taken(producers * each);
  std::atomic<std::size_t> left = producers * each;
  team(producers + consumers, [&](std::size_t me) {
    if (me < producers) {
      for (std::size_t i = 0; i < each; i += 4) {
        std::vector<node>& mine = all[me];
        if (i % 8 == 0) {
          for (std::size_t k = i; k + 1 < i + 4; ++k) mine[k].next = &mine[k + 1];
          q.push_chain(&mine[i], &mine[i + 3]);
        } else {
          for (std::size_t k = i; k < i + 4; ++k) q.push(&mine[k]);
        }
      }
      return;
    }
    std::vector<std::uint64_t> next(producers, 0);
    while (left > 0) {
      for (node* n = q.take(1 + me); n != nullptr; --left) {
        node* const after = n->next;
        EXPECT_GE(n->number, next[n->producer]);
        next[n->producer] = n->number + 1;
        ++taken[n->producer * each + n->number];
        n = after;
      }
    }
  }).join();
  for (const auto& times : taken) ASSERT_EQ(times.load(), 1);
  EXPECT_TRUE(q.empty_hint());
}
