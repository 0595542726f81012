// One deque, one owner, 1 to 8 thieves, 5e7 operations each (2e8 in all): nothing is lost, nothing
// is taken twice, and at least a tenth is stolen.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "filch/deque.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/cpu_relax.hpp"
#include "support/endurance.hpp"
#include "support/ledger.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/watchdog.hpp"

using filch::deque;
using filch::steal_status;
using filch::test::ledger;

namespace {

constexpr std::uint64_t operations_per_test = 25'000'000;
constexpr std::uint64_t items_per_round = 500'000;
constexpr auto patience = std::chrono::seconds(30);

/// A number that one thread increments and the watchdog reads.
class counter {
 public:
  void add(std::uint64_t n = 1) {
    value_.store(get() + n, std::memory_order_relaxed);  // own value, and a hint for others
  }
  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }  // orders nothing

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

struct alignas(filch::detail::no_sharing_size) player {
  counter pushed, popped, stolen, lost, empty;
  std::atomic<const char*> doing = "waiting for the start";

  /// Finding a deque empty counts neither as an operation nor as progress.
  std::uint64_t operations() const {
    return pushed.get() + popped.get() + stolen.get() + lost.get();
  }
  void describe(std::ostream& out) const {
    out << doing.load() << "; pushed " << pushed.get() << ", popped " << popped.get() << ", stolen "
        << stolen.get() << ", lost " << lost.get() << ", found nothing " << empty.get() << '\n';
  }
};

/// The parameter is the number of thieves.
class deque_stress : public testing::TestWithParam<std::size_t> {
 protected:
  deque_stress() : players(GetParam() + 1) {}

  std::uint64_t operations() const {
    std::uint64_t sum = 0;
    for (const player& p : players) sum += p.operations();
    return sum;
  }

  void dump(std::ostream& out) const {
    out << "seed " << filch::test::seed() << ", round " << round.get() << '\n';
    for (std::size_t n = 0; n < players.size(); ++n) {
      out << (n == 0 ? "owner:   " : "thief " + std::to_string(n) + ": ");
      players[n].describe(out);
    }
    if (const auto* d = current.load()) out << "size_hint " << d->size_hint() << '\n';
  }

  /// Bursts of pushes and pops of 1 to thousands, so that the ring grows and shrinks, is often
  /// empty and sometimes full. The greater the `generosity`, the more often the owner yields.
  void own(deque<std::uint64_t>& d, ledger::page& page, unsigned generosity) {
    player& me = players[0];
    auto random = filch::test::seeded_rng(round.get());
    me.doing = "pushing and popping";
    for (std::uint64_t next = 0; next < items_per_round;) {
      const std::uint32_t scale = 1u << random.bounded(12);
      const std::uint64_t pushes = 1 + random.bounded(scale);
      for (std::uint64_t n = 0; n < pushes && next < items_per_round; ++n, me.pushed.add())
        d.push(next++);
      for (std::uint64_t n = random.bounded(scale + scale / 2); n > 0; --n) {
        const auto item = d.pop();
        if (!item) break;
        page.note(*item);
        me.popped.add();
      }
      if (random.bounded(64) < generosity) std::this_thread::yield();
    }
    me.doing = "draining";
    while (auto item = d.pop()) {
      page.note(*item);
      me.popped.add();
    }
    me.doing = "done";
  }

  /// Odd thieves steal batches, the others single items.
  void rob(deque<std::uint64_t>& d, ledger::page& page, std::size_t n,
           const std::atomic<bool>& done) {
    player& me = players[n + 1];
    deque<std::uint64_t> mine(2);
    me.doing = "stealing";
    while (true) {
      const bool last_look = done.load();
      auto s = n % 2 == 1 ? d.steal_one_into(mine) : d.steal();
      if (s) {
        page.note(s.item);
        me.stolen.add();
        while (auto item = mine.pop()) {
          page.note(*item);
          me.stolen.add();
        }
      } else if (s.status == steal_status::lost) {
        me.lost.add();
      } else {
        if (last_look) break;
        me.empty.add();
        if (me.empty.get() % 64 == 0)  // mostly spins: otherwise it seldom meets the owner
          std::this_thread::yield();
        else
          filch::detail::cpu_relax();
      }
    }
    me.doing = "done";
  }

  std::vector<player> players;
  counter round;
  std::atomic<const deque<std::uint64_t>*> current = nullptr;
};

}  // namespace

TEST_P(deque_stress, every_item_is_taken_exactly_once) {
  const std::size_t thieves = GetParam();
  RecordProperty("seed", std::to_string(filch::test::seed()));
  const filch::test::endurance enough(operations_per_test);
  std::size_t stolen = 0, items = 0;
  unsigned generosity = 4;
  do {
    ledger book(items_per_round, thieves);
    deque<std::uint64_t> d(2);
    current = &d;
    const filch::test::watchdog dog(
        patience, [this] { return operations(); }, [this](std::ostream& out) { dump(out); });
    std::atomic<bool> done = false;
    {
      filch::test::team band(thieves, [&](std::size_t n) { rob(d, book.thief(n), n, done); });
      band.start();
      own(d, book.owner(), generosity);
      done = true;
    }
    current = nullptr;
    ASSERT_TRUE(book.exactly_once()) << "seed " << filch::test::seed() << ", round " << round.get();
    stolen += book.stolen();
    items += items_per_round;
    round.add();
    if (4 * stolen < items && generosity < 64) generosity *= 2;
  } while (!enough.over(operations()) || (10 * stolen < items && round.get() < 10));

  std::cout << thieves << " thieves: " << operations() << " operations, " << round.get()
            << " rounds, " << 100 * stolen / items << " % stolen\n";
  EXPECT_GE(10 * stolen, items) << "less than a tenth was stolen, so this shows nothing";
}

INSTANTIATE_TEST_SUITE_P(thieves, deque_stress, testing::Values(1, 2, 4, 8),
                         testing::PrintToStringParamName());
