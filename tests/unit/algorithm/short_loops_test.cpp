// Many short loops of all kinds, one after the other. Loops that have learned not to fork (see
// detail/loop/cost_history.hpp) give the same results as all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "filch/algorithm/find.hpp"
#include "filch/algorithm/parallel_for.hpp"
#include "filch/algorithm/reduce.hpp"
#include "filch/algorithm/scan.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/hang_guard.hpp"
#include "support/seed.hpp"

namespace {

struct boom {
  std::size_t number;
};

/// One item of a loop, or none, differs from the others.
class short_loops {
 public:
  explicit short_loops(std::uint64_t stream) : random_(filch::test::seeded_rng(stream)) {}

  void run(int rounds) {
    for (int r = 0; r < rounds && !testing::Test::HasFatalFailure(); ++r) {
      n_ = below(10) == 0 ? below(4200) : below(120);
      expensive_ = below(40) == 0;
      loop();
      reduction();
      scans();
      search();
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_.bounded(static_cast<std::uint32_t>(n)); }
  /// The index of one item, or (often) of none.
  std::size_t one_of_them(std::size_t rarity) { return below(rarity) == 0 ? below(n_ + 1) : n_; }
  void work() const {
    if (!expensive_) return;
    for (std::size_t i = 0; i < 3000; ++i) burnt_.fetch_add(i, std::memory_order_relaxed);
  }

  void loop() {
    const std::size_t thrower = one_of_them(3), stopper = one_of_them(4);
    std::stop_source source;
    filch::options o;
    if (below(2) == 0) o.stop = source.get_token();
    if (below(4) == 0) o.grain = below(40);
    std::size_t reported = 0;
    if (below(3) == 0)
      o.progress = [&](std::size_t done, std::size_t total) {
        EXPECT_LT(reported, done);
        EXPECT_EQ(total, n_);
        reported = done;
      };
    std::vector<std::atomic<int>> ran(n_);
    bool threw = false, cancelled = false;
    try {
      filch::parallel_for(
          std::size_t{0}, n_,
          [&](std::size_t i) {
            ++ran[i];
            work();
            if (i == stopper) source.request_stop();
            if (i == thrower) throw boom{i};
          },
          o);
    } catch (const boom& b) {
      threw = true;
      EXPECT_EQ(b.number, thrower);
    } catch (const filch::cancelled&) {
      cancelled = true;
    }
    std::size_t all = 0;
    for (const auto& calls : ran) {
      ASSERT_LE(calls, 1);
      all += static_cast<std::size_t>(calls);
    }
    ASSERT_EQ(threw, thrower < n_ && ran[thrower] == 1);
    if (cancelled) {
      ASSERT_TRUE(o.stop.stop_possible() && stopper < n_ && ran[stopper] == 1 && all < n_);
    } else if (!threw) {
      ASSERT_EQ(all, n_);
      if (o.progress) {
        ASSERT_EQ(reported, n_);
      }
    }
  }

  void reduction() {
    std::vector<std::string> letters(n_);
    std::string word = "#";
    for (std::string& s : letters) word += s = std::string(1, static_cast<char>('a' + below(26)));
    ASSERT_EQ(filch::reduce(letters, std::string("#")), word);
  }

  void scans() {
    std::vector<int> v(n_), out(n_), expected(n_);
    for (int& i : v) i = static_cast<int>(below(100));
    std::partial_sum(v.begin(), v.end(), expected.begin());
    const auto add = [&](int a, int b) {
      work();
      if (b < 0) throw boom{0};
      return a + b;
    };
    filch::inclusive_scan(v, out.begin(), add);
    ASSERT_EQ(out, expected);
    filch::inclusive_scan(out = v, out.begin(), add);
    ASSERT_EQ(out, expected);
    if (n_ < 2) return;
    v[1 + below(n_ - 1)] = -1;
    ASSERT_THROW(filch::inclusive_scan(v, out.begin(), add), boom);
  }

  void search() {
    std::vector<int> v(n_);
    for (int& i : v) i = static_cast<int>(below(100));
    const auto is_fifty = [&](int i) {
      work();
      return i == 50;
    };
    ASSERT_EQ(filch::find_if(v, is_fifty), std::find(v.begin(), v.end(), 50));
  }

  filch::detail::rng random_;
  mutable std::atomic<std::size_t> burnt_{0};
  std::size_t n_ = 0;
  bool expensive_ = false;
};

constexpr int rounds = 150;

TEST(short_loops, of_threads_outside_of_pools) {
  std::thread other([] { short_loops(1).run(rounds); });
  short_loops(2).run(rounds);
  other.join();
}

TEST(short_loops, of_workers) {
  for (const unsigned workers : {1u, 3u}) {
    filch::pool p(workers);
    filch::test::watch(p);
    p.install([&] { short_loops(2 + workers).run(rounds); });
  }
}

/// The inner loops are of the same kind as the outer ones.
TEST(short_loops, within_others_of_their_kind) {
  const std::function<int(int)> leaves = [&](int depth) {
    std::atomic<int> sum = 0;
    filch::parallel_for(0, 4, [&](int) { sum += depth == 0 ? 1 : leaves(depth - 1); });
    return sum.load();
  };
  for (int round = 0; round < 30; ++round) ASSERT_EQ(leaves(3), 256);
}

/// The progress function throws.
TEST(short_loops, whose_progress_throws) {
  for (std::size_t n = 1; n < 300; ++n) {
    const filch::options o{.progress = [](std::size_t, std::size_t) { throw boom{0}; }};
    ASSERT_THROW(filch::parallel_for(
                     std::size_t{0}, n, [](std::size_t) {}, o),
                 boom);
  }
}

}  // namespace
