// Stealing several items at once.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "filch/detail/queue/counted_rings.hpp"
#include "filch/detail/queue/ring.hpp"

namespace {
/// Called once, in the middle of the next steal from a deque of bytes.
std::function<void()> meanwhile;  // NOLINT
}  // namespace

/// For deques of bytes, rings that let a test act in the middle of a steal.
template <>
class filch::detail::counted_rings<std::uint8_t> {
 public:
  using ring_type = ring<std::uint8_t>;
  static constexpr unsigned max_level = 47;

  explicit counted_rings(ring_type* first) { replace(first); }
  counted_rings(const counted_rings&) = delete;
  counted_rings& operator=(const counted_rings&) = delete;
  ~counted_rings() {
    for (ring_type* r : rings_) ring_type::destroy(r);
  }
  ring_type* current() const { return rings_.back(); }
  bool may_shrink_to(unsigned) const { return true; }
  void replace(ring_type* next) { rings_.push_back(next); }

  class visit {
   public:
    explicit visit(counted_rings& rings) : at_(rings.current()) {
      if (meanwhile) std::exchange(meanwhile, nullptr)();
    }
    const ring_type* operator->() const { return at_; }

   private:
    ring_type* at_;
  };

 private:
  std::vector<ring_type*> rings_;
};

#include "filch/deque.hpp"
#include "support/allocations.hpp"
#include "support/tracked.hpp"

using filch::batch_result;
using filch::deque;
using filch::steal_status;
using filch::test::fail_allocation;
using filch::test::tracked;

namespace {

template <class T = int>
void fill(deque<T>& d, int items) {
  for (int i = 0; i < items; ++i) d.push(static_cast<T>(i));
}

}  // namespace

TEST(deque_batch, brings_half_rounded_up) {
  for (int items = 0; items <= 40; ++items) {
    SCOPED_TRACE(items);
    deque<int> victim(1), mine(1);
    fill(victim, items);
    const batch_result got = victim.steal_into(mine);
    const auto half = static_cast<std::size_t>((items + 1) / 2);
    EXPECT_EQ(got.count, half);
    EXPECT_EQ(got.status, items == 0 ? steal_status::empty : steal_status::taken);
    EXPECT_EQ(static_cast<bool>(got), items > 0);
    EXPECT_EQ(mine.size_hint(), half);
    EXPECT_EQ(victim.size_hint(), static_cast<std::size_t>(items) - half);
  }
}

TEST(deque_batch, brings_at_most_max) {
  deque<int> victim, mine;
  fill(victim, 20);
  EXPECT_EQ(victim.steal_into(mine, 3).count, 3u);
  EXPECT_EQ(victim.steal_into(mine, 100).count, 9u);
  EXPECT_EQ(mine.size_hint(), 12u);
}

TEST(deque_batch, a_max_of_zero_takes_nothing) {
  deque<int> victim, mine;
  fill(victim, 20);
  EXPECT_EQ(victim.steal_into(mine, 0).count, 0u);
  EXPECT_FALSE(victim.steal_into(mine, 0));
  EXPECT_FALSE(victim.steal_one_into(mine, 0));
  EXPECT_EQ(victim.size_hint(), 20u);
  EXPECT_TRUE(mine.empty_hint());
}

TEST(deque_batch, mine_hands_out_the_items_in_the_victims_order) {
  deque<int> victim(1), mine(1);
  fill(victim, 100);
  ASSERT_EQ(victim.steal_into(mine).count, 50u);
  for (int i = 0; i < 25; ++i) ASSERT_EQ(mine.steal().item, i);
  for (int i = 49; i >= 25; --i) ASSERT_EQ(mine.pop(), i);
  for (int i = 50; i < 100; ++i) ASSERT_EQ(victim.steal().item, i);
}

TEST(deque_batch, items_arrive_below_those_that_mine_had) {
  deque<int> victim, mine;
  mine.push(100);
  fill(victim, 4);
  ASSERT_EQ(victim.steal_into(mine).count, 2u);
  EXPECT_EQ(mine.steal().item, 100);
  EXPECT_EQ(mine.steal().item, 0);
  EXPECT_EQ(mine.pop(), 1);
}

TEST(deque_batch, one_of_the_batch_can_be_returned_and_it_is_the_oldest) {
  deque<int> victim(1), mine(1);
  fill(victim, 10);
  auto first = victim.steal_one_into(mine);
  ASSERT_TRUE(first);
  EXPECT_EQ(first.item, 0);
  EXPECT_EQ(mine.size_hint(), 4u);
  for (int i = 1; i < 5; ++i) ASSERT_EQ(mine.steal().item, i);
  EXPECT_EQ(victim.steal_one_into(mine, 1).item, 5);
  EXPECT_TRUE(mine.empty_hint());
  EXPECT_EQ(victim.steal_one_into(mine, 2).item, 6);
  EXPECT_EQ(mine.pop(), 7);
}

TEST(deque_batch, from_an_empty_deque_brings_nothing) {
  deque<int> victim, mine;
  EXPECT_EQ(victim.steal_into(mine).status, steal_status::empty);
  EXPECT_EQ(victim.steal_one_into(mine).status, steal_status::empty);
  victim.push(1);
  victim.pop();
  EXPECT_EQ(victim.steal_into(mine).status, steal_status::empty);
  EXPECT_TRUE(mine.empty_hint());
}

TEST(deque_batch, from_a_deque_to_itself_does_nothing) {
  deque<int> d;
  fill(d, 10);
  EXPECT_FALSE(d.steal_into(d));
  EXPECT_FALSE(d.steal_one_into(d));
  EXPECT_EQ(d.size_hint(), 10u);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(d.steal().item, i);
}

TEST(deque_batch, without_memory_for_mine_takes_nothing) {
  deque<int> victim, mine(1);
  fill(victim, 20);
  {
    const fail_allocation next(1);
    EXPECT_THROW(victim.steal_into(mine), std::bad_alloc);
  }
  {
    const fail_allocation next(1);
    EXPECT_THROW(victim.steal_one_into(mine), std::bad_alloc);
  }
  EXPECT_EQ(victim.size_hint(), 20u);
  EXPECT_TRUE(mine.empty_hint());
  EXPECT_EQ(victim.steal_into(mine).count, 10u);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(mine.steal().item, i);
}

TEST(deque_batch, grows_once_for_the_whole_batch) {
  deque<int> victim, mine(1);
  fill(victim, 1000);
  const auto before = filch::test::allocations().made;
  ASSERT_EQ(victim.steal_into(mine).count, 500u);
  EXPECT_EQ(filch::test::allocations().made, before + 1);
}

// Room that is reserved for a batch must survive that `mine` notices only then how empty it has
// become.
TEST(deque_batch, a_sparse_mine_shrinks_no_further_than_the_batch_needs) {
  deque<int> victim, mine(1);
  fill(victim, 600);
  fill(mine, 4097);
  ASSERT_EQ(mine.capacity(), 8192u);
  while (mine.steal()) {  // the owner does not read the top, so it does not see this
  }
  for (int pushed = 4097; pushed < 8092; ++pushed) {  // up to 100 pushes before it has to read it
    mine.push(pushed);
    if (mine.size_hint() > 10) mine.steal();
  }
  ASSERT_EQ(mine.size_hint(), 10u);
  ASSERT_EQ(mine.capacity(), 8192u);

  batch_result got{};
  const auto before = filch::test::allocations().made;
  {
    const fail_allocation after_the_first(2, fail_allocation::for_ever);
    got = victim.steal_into(mine);
  }
  EXPECT_EQ(filch::test::allocations().made, before + 1);
  ASSERT_EQ(got.count, 300u);
  EXPECT_EQ(mine.capacity(), 1024u);
  for (int i = 8082; i < 8092; ++i) ASSERT_EQ(mine.steal().item, i);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(mine.steal().item, i);
}

TEST(deque_batch, boxed_items_are_handed_on_unmoved) {
  tracked::reset_counts();
  {
    deque<tracked> victim(1), mine(1);
    for (int i = 0; i < 20; ++i) victim.push(tracked(i));
    const int moves = tracked::moves();
    ASSERT_EQ(victim.steal_into(mine).count, 10u);
    EXPECT_EQ(tracked::moves(), moves);
    EXPECT_EQ(victim.steal_one_into(mine).item.number(), 10);
    EXPECT_EQ(tracked::moves(), moves + 1);
    EXPECT_EQ(tracked::live(), 19);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(mine.steal().item.number(), i);
  }
  EXPECT_EQ(tracked::live(), 0);
  EXPECT_EQ(tracked::wrong_destructions(), 0);
}

// Pitfall 9: three values, not two.
TEST(deque_batch, a_steal_that_comes_too_late_is_lost_and_not_empty) {
  deque<std::uint8_t> victim, mine;
  fill(victim, 10);
  meanwhile = [&] { EXPECT_EQ(victim.steal().item, 0); };
  EXPECT_EQ(victim.steal().status, steal_status::lost);
  meanwhile = [&] { EXPECT_EQ(victim.steal().item, 1); };
  const batch_result got = victim.steal_into(mine);
  EXPECT_EQ(got.status, steal_status::lost);
  EXPECT_EQ(got.count, 0u);
  meanwhile = [&] { EXPECT_EQ(victim.steal().item, 2); };
  EXPECT_EQ(victim.steal_one_into(mine).status, steal_status::lost);
  EXPECT_TRUE(mine.empty_hint());
  EXPECT_EQ(victim.size_hint(), 7u);
}

// D6: a batch that claims several items with one step would take what the owner has popped
// meanwhile.
TEST(deque_batch, never_takes_what_the_owner_pops_meanwhile) {
  for (int pops = 0; pops <= 10; ++pops) {
    SCOPED_TRACE(pops);
    deque<std::uint8_t> victim, mine;
    fill(victim, 10);
    std::vector<int> popped;
    meanwhile = [&] {
      for (int n = 0; n < pops; ++n) popped.push_back(*victim.pop());
    };
    const batch_result got = victim.steal_into(mine);
    EXPECT_EQ(got.count, pops < 5 ? 5u : static_cast<unsigned>(10 - pops));
    EXPECT_EQ(got.status, pops < 10 ? steal_status::taken : steal_status::lost);
    std::vector<int> times(10, 0);
    for (int item : popped) ++times[static_cast<std::size_t>(item)];
    while (auto item = mine.pop()) ++times[*item];
    while (auto item = victim.pop()) ++times[*item];
    EXPECT_EQ(times, std::vector<int>(10, 1));
  }
}

// Pitfall 16, D5, D10: the thief has the old ring while the owner grows, pops and pushes.
TEST(deque_batch, a_thief_that_sleeps_through_growth_takes_the_right_item_or_none) {
  deque<std::uint8_t> victim(4), mine;
  fill(victim, 4);
  meanwhile = [&] {
    for (int i = 4; i < 40; ++i) victim.push(static_cast<std::uint8_t>(i));
  };
  auto s = victim.steal();
  ASSERT_TRUE(s);
  EXPECT_EQ(s.item, 0);
  meanwhile = [&] {
    while (victim.pop()) {
    }
    for (int i = 100; i < 104; ++i) victim.push(static_cast<std::uint8_t>(i));
  };
  EXPECT_EQ(victim.steal().status, steal_status::lost);
  EXPECT_EQ(victim.steal().item, 100);
}
