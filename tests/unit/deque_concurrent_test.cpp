// One owner against several thieves: every item is taken exactly once.
//
// On few cores the owner may finish before a thief has run. A round without steals shows nothing,
// so rounds are repeated, with an owner that waits more often, until the thieves have had their
// share.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/deque.hpp"
#include "filch/detail/base/cpu_relax.hpp"
#include "support/ledger.hpp"
#include "support/sanitizers.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/tracked.hpp"
#include "support/watchdog.hpp"

using filch::deque;
using filch::steal_status;
using filch::detail::first_index;
using filch::test::ledger;
using filch::test::seeded_rng;
using filch::test::team;
using filch::test::tracked;
using namespace std::chrono_literals;

namespace {

/// Large enough to be boxed, and wrong in every part if it is read before it was written.
class large_item {
 public:
  explicit large_item(std::uint64_t number) { copies_.fill(number); }
  std::uint64_t number() const {
    for (std::uint64_t copy : copies_)
      if (copy != copies_[0]) return std::numeric_limits<std::uint64_t>::max();
    return copies_[0];
  }

 private:
  std::array<std::uint64_t, 25> copies_;
};

std::uint64_t number_of(std::uint64_t item) { return item; }
std::uint64_t number_of(const std::unique_ptr<std::uint64_t>& item) { return *item; }
std::uint64_t number_of(const large_item& item) { return item.number(); }

template <class T>
T item_of(std::uint64_t number) {
  if constexpr (std::is_same_v<T, std::unique_ptr<std::uint64_t>>)
    return std::make_unique<std::uint64_t>(number);
  else
    return T(number);
}

/// Spins for a while before it lets others run: if a thief always yields, the owner seldom meets a
/// steal in progress.
class idle_thief {
 public:
  void found_something() { looks_ = 0; }
  void found_nothing() {
    if (++looks_ % 64 == 0)
      std::this_thread::yield();
    else
      filch::detail::cpu_relax();
  }

 private:
  unsigned looks_ = 0;
};

template <class T>
void steal_singly(deque<T>& victim, ledger::page& page, const std::atomic<bool>& done) {
  idle_thief idle;
  while (true) {
    const bool last_look = done.load();
    auto s = victim.steal();
    if (s) {
      page.note(number_of(s.item));
      idle.found_something();
    } else if (s.status == steal_status::empty) {
      if (last_look) return;
      idle.found_nothing();
    }
  }
}

template <class T>
void steal_batches(deque<T>& victim, ledger::page& page, const std::atomic<bool>& done) {
  deque<T> mine(1);
  for (unsigned n = 0;; ++n) {
    const bool last_look = done.load();
    steal_status status = steal_status::empty;
    if (n % 2 == 0) {
      status = victim.steal_into(mine, n % 7 + 1).status;
    } else {
      auto s = victim.steal_one_into(mine);
      status = s.status;
      if (s) page.note(number_of(s.item));
    }
    while (auto item = mine.pop()) page.note(number_of(*item));
    if (status == steal_status::empty) {
      if (last_look) return;
      std::this_thread::yield();
    }
  }
}

/// The owner's part: it has to push the numbers below `items`, and may pop.
template <class T>
struct owner_side {
  deque<T>& d;
  ledger::page& page;
  std::uint64_t items;
  filch::detail::rng random;
  unsigned patience;
  std::uint64_t next = 0;

  bool more() const { return next < items; }
  void push(std::uint64_t count) {
    for (; count > 0 && more(); --count) d.push(item_of<T>(next++));
  }
  bool pop() {
    auto item = d.pop();
    if (item) page.note(number_of(*item));
    return item.has_value();
  }
  void pop(std::uint64_t count) {
    while (count > 0 && pop()) --count;
  }
  /// One time in `times`, gives thieves a chance to take everything.
  void sometimes_wait(std::uint32_t times) {
    if (random.bounded(times) != 0) return;
    for (unsigned n = 0; n < patience && !d.empty_hint(); ++n) std::this_thread::yield();
  }
};

/// The parameter is the number of thieves.
class deque_under_theft : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t thieves() const { return GetParam(); }

  /// Plays rounds of `items` items on a deque made by `make`, until the thieves have had a tenth.
  template <class T, class Make, class Owner, class Thief>
  void play(std::uint64_t items, Make make, Owner owner, Thief thief) {
    RecordProperty("seed", std::to_string(filch::test::seed()));
    SCOPED_TRACE(testing::Message() << "seed " << filch::test::seed());
    std::size_t stolen = 0, all = 0;
    std::atomic<std::uint64_t> rounds_done = 0;
    const filch::test::watchdog dog(
        30s, [&] { return rounds_done.load(); },
        [&](std::ostream& out) {
          out << "seed " << filch::test::seed() << ", " << thieves() << " thieves, round "
              << rounds_done << " does not end: an item was lost or doubled\n";
        });
    for (unsigned round = 0; round < max_rounds; ++round) {
      ledger book(items, thieves());
      const auto d = make();
      std::atomic<bool> done = false;
      {
        team band(thieves(), [&](std::size_t n) { thief(*d, book.thief(n), done); });
        band.start();
        owner(owner_side<T>{*d, book.owner(), items, seeded_rng(round), 1 + 4 * round * round});
        done = true;
      }
      ASSERT_TRUE(book.exactly_once());
      ASSERT_TRUE(d->empty_hint());
      stolen += book.stolen();
      all += items;
      ++rounds_done;
      if (round > 0 && 10 * stolen >= all) return;
    }
    FAIL() << "thieves took " << stolen << " of " << all << " items in " << max_rounds
           << " rounds: less than a tenth, so this shows nothing";
  }

  static constexpr unsigned max_rounds = 20;
};

template <class T>
auto of_capacity(std::size_t capacity) {
  return [capacity] { return std::make_unique<deque<T>>(capacity); };
}

/// Pushes and pops at random, in bursts, and sometimes lets others run.
template <class T>
void at_random(owner_side<T> owner) {
  while (owner.more()) {
    owner.push(owner.random.bounded(40));
    owner.pop(owner.random.bounded(25));
    owner.sometimes_wait(4);
  }
  while (owner.pop()) {
  }
}

template <class T>
constexpr auto singly = [](auto&... all) { steal_singly<T>(all...); };
template <class T>
constexpr auto in_batches = [](auto&... all) { steal_batches<T>(all...); };

constexpr std::uint64_t many = filch::test::size_for_build(20'000, 5'000);

}  // namespace

TEST_P(deque_under_theft, every_item_is_taken_exactly_once_while_the_ring_grows_from_one) {
  using item = std::uint64_t;
  play<item>(many, of_capacity<item>(1), at_random<item>, singly<item>);
}

// Pitfalls 3, 4, 5.
TEST_P(deque_under_theft, the_last_item_goes_to_the_owner_or_to_one_thief) {
  using item = std::uint64_t;
  const auto duels = [](owner_side<item> owner) {
    while (owner.more()) {
      owner.push(1);
      for (std::uint32_t spins = owner.random.bounded(30); spins > 0; --spins)
        filch::detail::cpu_relax();
      owner.sometimes_wait(8);
      owner.pop();
    }
  };
  play<item>(many, of_capacity<item>(1), duels, singly<item>);
}

TEST_P(deque_under_theft, the_last_two_items_are_taken_once_each) {
  using item = std::uint64_t;
  const auto duels = [](owner_side<item> owner) {
    while (owner.more()) {
      owner.push(2);
      owner.sometimes_wait(8);
      owner.pop(2);
    }
    while (owner.pop()) {
    }
  };
  play<item>(many, of_capacity<item>(2), duels, singly<item>);
}

// D6.
TEST_P(deque_under_theft, batches_take_every_item_exactly_once) {
  using item = std::uint64_t;
  play<item>(many, of_capacity<item>(1), at_random<item>, in_batches<item>);
}

TEST_P(deque_under_theft, boxed_items_are_handed_over_exactly_once) {
  using item = std::unique_ptr<std::uint64_t>;
  play<item>(many, of_capacity<item>(1), at_random<item>, singly<item>);
}

TEST_P(deque_under_theft, batches_of_boxed_items_are_handed_over_exactly_once) {
  using item = std::unique_ptr<std::uint64_t>;
  play<item>(many, of_capacity<item>(1), at_random<item>, in_batches<item>);
}

// Pitfall 6: the thread that takes an item sees everything that was written before it was pushed.
TEST_P(deque_under_theft, large_items_are_seen_as_they_were_pushed) {
  play<large_item>(many / 2, of_capacity<large_item>(2), at_random<large_item>, singly<large_item>);
}

// Pitfalls 11, 12, 16, D1, D8.
TEST_P(deque_under_theft, growing_and_shrinking_all_the_time_loses_nothing) {
  using item = std::uint64_t;
  const auto cycles = [](owner_side<item> owner) {
    while (owner.more()) {
      owner.push(100 + owner.random.bounded(400));
      owner.sometimes_wait(1);
      while (owner.pop()) owner.sometimes_wait(200);
    }
    EXPECT_LE(owner.d.capacity(), 8u);
  };
  play<item>(2 * many, of_capacity<item>(1), cycles, singly<item>);
}

// Pitfall 15.
TEST_P(deque_under_theft, indices_may_wrap) {
  using item = std::uint64_t;
  const auto before_wrap = [] {
    const std::uint64_t distance = 1 + seeded_rng(99).bounded(2'000);
    return std::make_unique<deque<item>>(2, first_index{0 - distance});
  };
  play<item>(many / 2, before_wrap, at_random<item>, singly<item>);
  play<item>(many / 2, before_wrap, at_random<item>, in_batches<item>);
}

// The ring is always full at its smallest size, so that slots are reused while thieves look at
// them.
TEST_P(deque_under_theft, an_owner_that_only_pushes_overwrites_no_item) {
  using item = std::uint64_t;
  const auto pushes = [](owner_side<item> owner) {
    while (owner.more()) {
      while (owner.d.size_hint() >= 64) std::this_thread::yield();
      owner.push(1 + owner.random.bounded(16));
    }
  };
  play<item>(many, of_capacity<item>(64), pushes, singly<item>);
}

TEST_P(deque_under_theft, a_thief_sees_the_items_in_the_order_of_the_pushes) {
  using item = std::uint64_t;
  const auto pushes = [](owner_side<item> owner) {
    while (owner.more()) {
      owner.push(1 + owner.random.bounded(16));
      owner.sometimes_wait(4);
    }
  };
  const auto in_order = [](deque<item>& d, ledger::page& page, const std::atomic<bool>& done) {
    std::uint64_t expected_at_least = 0;
    while (true) {
      const bool last_look = done.load();
      if (auto s = d.steal()) {
        ASSERT_GE(s.item, expected_at_least);
        expected_at_least = s.item + 1;
        page.note(s.item);
      } else if (s.status == steal_status::empty) {
        if (last_look) return;
        std::this_thread::yield();
      }
    }
  };
  play<item>(many, of_capacity<item>(1), pushes, in_order);
}

TEST_P(deque_under_theft, instances_are_neither_leaked_nor_destroyed_twice) {
  tracked::reset_counts();
  {
    deque<tracked> d(1);
    std::atomic<bool> done = false;
    team band(thieves(), [&](std::size_t) {
      while (!done)
        if (!d.steal()) std::this_thread::yield();
    });
    band.start();
    auto random = seeded_rng(0);
    for (int i = 0; i < 5000; ++i) {
      d.push(tracked(i));
      if (random.bounded(3) == 0) d.pop();
      if (random.bounded(64) == 0) std::this_thread::yield();
    }
    done = true;
    band.join();
    for (int i = 0; i < 100; ++i) d.push(tracked(i));  // some are left for the destructor
  }
  EXPECT_EQ(tracked::live(), 0);
  EXPECT_EQ(tracked::wrong_destructions(), 0);
}

INSTANTIATE_TEST_SUITE_P(thieves, deque_under_theft, testing::Values(1, 2, 4, 8),
                         testing::PrintToStringParamName());

// Several owners that steal from one another in batches, as in a scheduler.
TEST(deque, workers_that_rob_each_other_take_every_item_exactly_once) {
  constexpr std::size_t workers = 4;
  constexpr std::uint64_t items = 20'000;
  ledger book(items, workers);
  std::vector<std::unique_ptr<deque<std::uint64_t>>> deques;
  for (std::size_t n = 0; n < workers; ++n)
    deques.push_back(std::make_unique<deque<std::uint64_t>>(1));
  std::atomic<std::uint64_t> left = items;
  for (std::uint64_t i = 0; i < items; ++i) deques[0]->push(i);
  deques[0]->hand_over();
  team(workers, [&](std::size_t me) {
    auto random = seeded_rng(me);
    deque<std::uint64_t>& mine = *deques[me];
    while (left > 0) {
      while (auto item = mine.pop()) {
        book.thief(me).note(*item);
        --left;
        if (random.bounded(16) == 0) std::this_thread::yield();
      }
      const auto victim = (me + 1 + random.bounded(workers - 1)) % workers;
      if (!deques[victim]->steal_into(mine)) std::this_thread::yield();
    }
  }).join();
  EXPECT_TRUE(book.exactly_once());
}

// The starts and ends of the threads order the handover itself.
TEST(deque, ownership_passes_from_thread_to_thread_under_theft) {
  constexpr std::uint64_t items = 8000;
  constexpr std::uint64_t owners = 8;
  ledger book(items, 2);
  deque<std::uint64_t> d(1);
  std::atomic<bool> done = false;
  team band(2, [&](std::size_t n) { steal_singly(d, book.thief(n), done); });
  band.start();
  for (std::uint64_t n = 0; n < owners; ++n)
    std::thread([&, n] {
      for (std::uint64_t i = 0; i < items / owners; ++i) {
        d.push(n * items / owners + i);
        if (i % 4 == 0)
          if (auto item = d.pop()) book.owner().note(*item);
      }
      d.hand_over();
    }).join();
  done = true;
  band.join();
  EXPECT_TRUE(book.exactly_once());
}
