// When an old ring is freed. A visit that is held open stands for a thief that stalls.
#include "filch/detail/queue/counted_rings.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/queue/ring.hpp"
#include "support/allocations.hpp"

using filch::steal_status;
using filch::detail::chase_lev;
using filch::detail::counted_rings;
using filch::detail::ring;
using filch::test::allocations;

namespace {

using rings = counted_rings<int>;
using visit = rings::visit;

std::size_t live_rings() { return allocations().live_aligned; }

/// Counted rings that let a test act in the middle of a steal.
class interrupted_rings : public counted_rings<int> {
 public:
  using counted_rings<int>::counted_rings;
  static inline std::function<void()> meanwhile;  ///< Called once, during the next visit.

  class visit : public counted_rings<int>::visit {
   public:
    explicit visit(interrupted_rings& at) : counted_rings<int>::visit(at) {
      if (meanwhile) std::exchange(meanwhile, nullptr)();
    }
  };
};

}  // namespace

// Pitfall 12: the mask belongs to the ring.
TEST(ring, an_index_is_taken_modulo_the_capacity) {
  ring<int>* r = ring<int>::make(4);
  EXPECT_EQ(r->capacity(), 4u);
  for (int i = 0; i < 4; ++i) r->put(UINT64_MAX - 1 + static_cast<unsigned>(i), i);
  EXPECT_EQ(r->get(2), 0);
  EXPECT_EQ(r->get(3), 1);
  EXPECT_EQ(r->get(0), 2);
  EXPECT_EQ(r->get(5), 3);
  ring<int>::destroy(r);
}

TEST(counted_rings, a_replaced_ring_is_freed_at_once_if_no_thread_visits) {
  const std::size_t before = live_rings();
  {
    rings r(ring<int>::make(1));
    for (int n = 0; n < 1000; ++n) {
      { const visit v(r); }
      r.replace(ring<int>::make(2));
      ASSERT_EQ(live_rings(), before + 1);
    }
  }
  EXPECT_EQ(live_rings(), before);
}

// Pitfall 11, D8.
TEST(counted_rings, a_ring_with_a_visitor_outlives_its_replacement_until_the_visit_ends) {
  const std::size_t before = live_rings();
  rings r(ring<int>::make(1));
  r.current()->put(0, 7);
  {
    const visit slow(r);
    r.replace(ring<int>::make(2));
    EXPECT_EQ(live_rings(), before + 2);
    { const visit quick(r); }
    r.replace(ring<int>::make(4));  // the ring between had no visitor left
    EXPECT_EQ(live_rings(), before + 2);
    EXPECT_EQ(slow->get(0), 7);
  }
  EXPECT_EQ(live_rings(), before + 1);
}

TEST(counted_rings, the_last_of_several_visitors_frees_the_ring) {
  const std::size_t before = live_rings();
  rings r(ring<int>::make(1));
  auto a = std::make_unique<visit>(r), b = std::make_unique<visit>(r),
       c = std::make_unique<visit>(r);
  b.reset();
  r.replace(ring<int>::make(2));
  EXPECT_EQ(live_rings(), before + 2);
  a.reset();
  EXPECT_EQ(live_rings(), before + 2);
  c.reset();
  EXPECT_EQ(live_rings(), before + 1);
}

TEST(counted_rings, a_stalled_visitor_of_every_ring_delays_memory_but_never_growth) {
  const std::size_t before = live_rings();
  {
    rings r(ring<int>::make(1));
    std::vector<std::unique_ptr<visit>> stalled;
    // Shrinks and grows between levels 0 and 1 with a visitor in each ring, as long as that is
    // allowed.
    while (r.may_shrink_to(0) && stalled.size() < 100) {
      stalled.push_back(std::make_unique<visit>(r));
      r.replace(ring<int>::make(1));
    }
    ASSERT_GE(stalled.size(), 8u);
    ASSERT_LT(stalled.size(), 64u);
    // From here it can still double to the largest size, though no place becomes free.
    for (unsigned level = 1; level <= rings::max_level; ++level) {
      stalled.push_back(std::make_unique<visit>(r));
      r.replace(ring<int>::make(1));  // its size does not matter here
    }
    EXPECT_EQ(live_rings(), before + 1 + stalled.size());
    EXPECT_FALSE(r.may_shrink_to(0));
    stalled.clear();
    EXPECT_EQ(live_rings(), before + 1);
    EXPECT_TRUE(r.may_shrink_to(0));
  }
  EXPECT_EQ(live_rings(), before);
}

class stalled_thief : public testing::Test {
 protected:
  using deque = chase_lev<int, interrupted_rings>;

  void push(int from, int to) {
    for (int i = from; i < to; ++i) d.push(i);
  }
  steal_status steal() { return d.steal(item); }

  deque d{4};
  int item = -1;
  std::function<void()>& meanwhile = interrupted_rings::meanwhile;
};

// Pitfall 11, D8, D5: the thief reads the ring that it came to, which is still there.
TEST_F(stalled_thief, takes_the_right_item_from_a_ring_that_was_replaced) {
  const std::size_t before = live_rings();
  push(0, 4);
  meanwhile = [&] {
    push(4, 100);
    EXPECT_EQ(live_rings(), before + 1) << "the oldest ring waits for the thief, no other does";
  };
  ASSERT_EQ(steal(), steal_status::taken);
  EXPECT_EQ(item, 0);
  EXPECT_EQ(live_rings(), before);
}

TEST_F(stalled_thief, does_not_hinder_growing_and_shrinking) {
  const std::size_t before = live_rings();
  push(0, 4);
  meanwhile = [&] {
    for (int n = 0; n < 100; ++n) {
      push(0, 1000);
      for (int i = 999, got = -1; i >= 0; --i) ASSERT_TRUE(d.pop(got) && got == i);
      ASSERT_LE(d.capacity(), 16u);
      ASSERT_EQ(live_rings(), before + 1);
    }
  };
  ASSERT_EQ(steal(), steal_status::taken);
  EXPECT_EQ(item, 0);
}

TEST_F(stalled_thief, loses_an_item_that_another_thief_took) {
  push(0, 4);
  meanwhile = [&] { ASSERT_EQ(steal(), steal_status::taken); };
  EXPECT_EQ(steal(), steal_status::lost);
  ASSERT_EQ(steal(), steal_status::taken);
  EXPECT_EQ(item, 1);
}

// Pitfall 5.
TEST_F(stalled_thief, loses_the_last_item_to_the_owner) {
  push(0, 1);
  meanwhile = [&] {
    int popped = -1;
    EXPECT_TRUE(d.pop(popped));
    EXPECT_EQ(popped, 0);
  };
  EXPECT_EQ(steal(), steal_status::lost);
  EXPECT_EQ(item, -1);
  EXPECT_EQ(steal(), steal_status::empty);
}

// Pitfall 8, 15: the slot that the thief is about to read is overwritten. It must not take the new
// item for the old one, nor take the new one by the old one's index.
TEST_F(stalled_thief, loses_when_its_slot_was_used_again) {
  push(0, 4);
  meanwhile = [&] {
    for (int n = 0; n < 4; ++n) ASSERT_EQ(steal(), steal_status::taken);
    push(10, 14);
  };
  EXPECT_EQ(steal(), steal_status::lost);
  ASSERT_EQ(steal(), steal_status::taken);
  EXPECT_EQ(item, 10);
}
