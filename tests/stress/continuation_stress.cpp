// Random trees of continuations over several pools, grown outside and inside of them while they
// run. A seed determines a tree and its result: a sum, or an exception.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "filch/filch.hpp"
#include "support/coroutine.hpp"
#include "support/endurance.hpp"
#include "support/seed.hpp"
#include "support/team.hpp"
#include "support/watchdog.hpp"

using filch::future;
using filch::when_all;
using filch::when_any;
using filch::test::eager;

namespace {

constexpr auto patience = std::chrono::seconds(30);
constexpr std::uint64_t trees_per_test = 4'000;
constexpr std::size_t outside_threads = 3;

using number = std::uint64_t;
using numbers = std::vector<number>;

struct withered : std::runtime_error {
  using std::runtime_error::runtime_error;
};

number mixed(number x) {
  x ^= x >> 31;
  x *= 0x9E3779B97F4A7C15u;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

/// A tree is the number of its root; everything follows from that. Its value is a sum over its
/// leaves and forks, or none if a leaf has withered.
class forest {
 public:
  explicit forest(std::array<filch::pool*, 3> pools) : pools_(pools) {}

  std::optional<number> serial(number node, unsigned depth) const {
    if (kind_of(node, depth) == kind::leaf)
      return withers(node) ? std::nullopt : std::optional(leaf(node));
    number sum = node & 0xFF;
    const bool same = kind_of(node, depth) == kind::any;  // all branches are equal
    for (std::size_t n = 0; n < (same ? 1 : branches(node, depth)); ++n) {
      const std::optional<number> part = serial(child(node, n), depth - 1);
      if (!part) return std::nullopt;
      sum += *part;
    }
    return sum;
  }

  future<number> grow(number node, unsigned depth) const {
    const number own = node & 0xFF;
    const auto branch = [&](std::size_t n) { return grow(child(node, n), depth - 1); };
    switch (kind_of(node, depth)) {
      case kind::then:
        return branch(0).then([own](number x) { return x + own; });
      case kind::two:
        return when_all(branch(0), branch(1)).then([own](std::tuple<number, number> x) {
          return own + std::get<0>(x) + std::get<1>(x);
        });
      case kind::all:
        return when_all(several(branch, branches(node, depth))).then([own](const numbers& all) {
          number sum = own;
          for (const number x : all) sum += x;
          return sum;
        });
      case kind::any:
        return when_any(several([&](std::size_t) { return branch(0); }, branches(node, depth)))
            .then([own](std::pair<std::size_t, number> x) { return own + x.second; });
      case kind::inside:  // grown by a task, and taken apart by its worker
        return pool_of(node).submit(
            [this, node, depth, own] { return own + grow(child(node, 0), depth - 1).get(); });
      case kind::leaf:
        break;
    }
    return pool_of(node).submit([node] {
      if (withers(node)) throw withered("a leaf");
      return leaf(node);
    });
  }

  filch::pool& pool_of(number node) const { return *pools_[(node >> 40) % pools_.size()]; }

 private:
  enum class kind : unsigned char { leaf, then, two, all, any, inside };

  static kind kind_of(number node, unsigned depth) {
    return depth == 0 ? kind::leaf : static_cast<kind>((node >> 8) % 6);
  }
  static std::size_t branches(number node, unsigned depth) {
    switch (kind_of(node, depth)) {
      case kind::leaf:
        return 0;
      case kind::two:
        return 2;
      case kind::all:
      case kind::any:
        return 1 + (node >> 16) % 3;
      default:
        return 1;
    }
  }
  static number child(number node, std::size_t n) { return mixed(node + 1 + n); }
  static bool withers(number node) { return node % 64 == 0; }
  static number leaf(number node) {
    number x = node;
    for (number i = 0; i < node % 32; ++i) x = mixed(x);
    return x & 0xFFFF;
  }
  template <class Branch>
  static std::vector<future<number>> several(const Branch& branch, std::size_t count) {
    std::vector<future<number>> all;
    for (std::size_t n = 0; n < count; ++n) all.push_back(branch(n));
    return all;
  }

  std::array<filch::pool*, 3> pools_;
};

eager<number> awaited(filch::pool& on, const forest& f, number root, unsigned depth) {
  co_await on.schedule();
  co_return co_await f.grow(root, depth);
}

/// The result of get(), or none if it throws what a withered leaf throws.
template <class Future>
std::optional<number> harvest(Future f) {
  try {
    return f.get();
  } catch (const withered&) {
    return std::nullopt;
  }
}

}  // namespace

TEST(continuation_stress, every_tree_bears_what_its_seed_says) {
  RecordProperty("seed", std::to_string(filch::test::seed()));
  filch::pool one({.threads = 1, .name = "one"}), two({.threads = 2, .name = "two"}),
      four({.threads = 4, .name = "four"});
  const forest f({&one, &two, &four});
  const filch::test::endurance enough(trees_per_test);
  std::atomic<std::uint64_t> trees = 0;
  const filch::test::watchdog dog(
      patience, [&] { return trees.load(); },
      [&](std::ostream& out) {
        out << "seed " << filch::test::seed() << '\n';
        for (const filch::pool* p : {&one, &two, &four}) p->dump(out);
      });
  filch::test::team outside(outside_threads, [&](std::size_t n) {
    auto random = filch::test::seeded_rng(1 + n);
    while (!enough.over(trees.load())) {
      const number root = mixed(random());
      const unsigned depth = 1 + random.bounded(8);
      switch (random.bounded(4)) {
        case 0:
          EXPECT_EQ(harvest(awaited(f.pool_of(root), f, root, depth)), f.serial(root, depth));
          break;
        case 1:  // no thread waits for it
          (void)f.grow(root, depth);
          break;
        default:
          EXPECT_EQ(harvest(f.grow(root, depth)), f.serial(root, depth));
      }
      ++trees;
    }
  });
  outside.join();
  for (filch::pool* p : {&one, &two, &four}) p->wait_idle();
  const auto all = four.metrics().total();
  std::cout << trees.load() << " trees; of one pool " << all.jobs << " jobs, " << all.steals_taken
            << " stolen\n";
  EXPECT_GE(trees.load(), 1u);
}
