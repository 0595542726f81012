// Ten thousand pools that are made and destroyed, some with work in progress, and two that keep
// calling each other.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "filch/filch.hpp"
#include "support/endurance.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/watchdog.hpp"

using filch::pool;

namespace {

constexpr auto patience = std::chrono::seconds(30);

/// Lets the watchdog observe pools that are made and destroyed.
class watched_pool {
 public:
  void dump(std::ostream& out) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !pool_)
      out << "no pool, or one that is being made or ended\n";
    else
      pool_->dump(out);
  }
  pool& make(const filch::pool_options& settings) {
    const std::scoped_lock lock(mutex_);
    return pool_.emplace(settings);
  }
  void end() {
    const std::scoped_lock lock(mutex_);
    pool_.reset();
  }

 private:
  std::mutex mutex_;
  std::optional<pool> pool_;
};

constexpr filch::idle policies[] = {filch::idle::latency, filch::idle::balanced,
                                    filch::idle::power};

class lifetime_stress : public testing::Test {
 protected:
  lifetime_stress() { RecordProperty("seed", std::to_string(filch::test::seed())); }
  std::atomic<std::uint64_t> steps = 0;
};

}  // namespace

TEST_F(lifetime_stress, pools_come_and_go) {
  const filch::test::endurance enough(5'000);
  watched_pool current;
  const filch::test::watchdog dog(
      patience, [this] { return steps.load(); },
      [&](std::ostream& out) {
        out << "seed " << filch::test::seed() << '\n';
        current.dump(out);
      });
  auto random = filch::test::seeded_rng(1);
  for (; !enough.over(steps) && !HasFailure(); ++steps) {
    std::atomic<unsigned> accepted = 0, ran = 0;
    pool& p = current.make({.threads = 1 + random.bounded(4), .idle = policies[steps % 3]});
    filch::future<unsigned> late;
    const unsigned kind = random.bounded(8);
    if (kind >= 1) {  // 0: nothing at all
      for (unsigned n = random.bounded(20); n > 0; --n, ++accepted)
        p.detach([&, more = n % 2 == 0] {
          if (more) {
            ++accepted;
            filch::detach([&] { ++ran; });
          }
          ++ran;
        });
    }
    if (kind == 2) p.wait_idle();
    if (kind == 3) {
      late = p.submit([&] { return ran.load(); });
      p.close();
    }
    if (kind == 4) {
      p.broadcast([&] { ++ran; });
      accepted += static_cast<unsigned>(p.size());
    }
    if (kind == 5) {
      filch::scope s({.on = &p});
      s.spawn([&] { ++ran; });
      ++accepted;
    }
    std::thread other;
    if (kind == 6) {  // another thread submits until it is refused
      std::atomic<bool> began = false;
      other = std::thread([&] {
        try {
          while (true) {
            p.detach([&] { ++ran; });
            ++accepted;
            began = true;
          }
        } catch (const filch::pool_closed&) {
        }
      });
      while (!began) std::this_thread::yield();
      p.close();
      other.join();
    }
    current.end();
    EXPECT_EQ(ran.load(), accepted.load()) << "kind " << kind;
    if (late.valid()) {
      EXPECT_TRUE(late.ready());
      EXPECT_LE(late.get(), ran.load());
    }
  }
  std::cout << steps << " pools\n";
}

TEST_F(lifetime_stress, joins_across_two_pools) {
  const filch::test::endurance enough(100'000);
  pool a(2), b({.threads = 2, .idle = filch::idle::power});
  const filch::test::watchdog dog(
      patience, [this] { return steps.load(); },
      [&](std::ostream& out) {
        out << "seed " << filch::test::seed() << '\n';
        a.dump(out);
        b.dump(out);
      });
  // A join on one pool whose two branches continue in the other.
  const std::function<int(pool&, pool&, int)> play = [&](pool& here, pool& there, int depth) {
    ++steps;
    const auto deeper = [&] {
      return depth == 0 ? 1 : there.install([&] { return play(there, here, depth - 1); });
    };
    const auto [left, right] = filch::join(deeper, deeper);
    return left + right;
  };
  std::atomic<int> wrong = 0;
  filch::test::team outside(2, [&](std::size_t n) {
    pool& first = n == 0 ? a : b;
    pool& second = n == 0 ? b : a;
    while (!enough.over(steps)) {
      constexpr int depth = 5;
      if (first.install([&] { return play(first, second, depth); }) != 1 << (depth + 1)) ++wrong;
    }
  });
  outside.join();
  EXPECT_EQ(wrong.load(), 0);
  std::cout << steps << " joins\n";
}
