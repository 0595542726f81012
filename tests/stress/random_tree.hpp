// Random trees of work. A seed determines a tree, its sum, and the function of filch with which
// each node runs its children.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "filch/filch.hpp"

namespace filch::test {

/// A tree is the number of its root. Everything else follows by hashing, so that the sum can also
/// be computed without filch.
class random_tree {
 public:
  /// At most `depth` levels. Most branches have far fewer: the trees are uneven.
  random_tree(std::uint64_t seed, unsigned depth) : root_(mixed(seed)), depth_(depth) {}

  /// By plain recursion.
  std::uint64_t serial_sum() const { return serial(root_, depth_); }

  /// By the current pool, or the default one.
  std::uint64_t parallel_sum(pool& on) const { return parallel(on, root_, depth_); }

 private:
  static constexpr std::size_t most_children = 5;

  static std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 31;
    x *= 0x9E3779B97F4A7C15u;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9u;
    return x ^ (x >> 32);
  }
  static std::uint64_t child(std::uint64_t node, std::size_t n) { return mixed(node + 1 + n); }
  static std::size_t children(std::uint64_t node, unsigned depth) {
    if (depth == 0) return 0;
    return (node >> 8) % (most_children + 1);
  }
  /// The value of a node, after a little work, for a few nodes a lot.
  static std::uint64_t value(std::uint64_t node) {
    const unsigned rounds = node % 512 == 0 ? 20'000 : static_cast<unsigned>(node % 64);
    std::uint64_t x = node;
    for (unsigned i = 0; i < rounds; ++i) x = mixed(x);
    return x & 0xFFFF;
  }

  static std::uint64_t serial(std::uint64_t node, unsigned depth) {
    std::uint64_t sum = value(node);
    for (std::size_t n = 0; n < children(node, depth); ++n)
      sum += serial(child(node, n), depth - 1);
    return sum;
  }

  static std::uint64_t parallel(pool& on, std::uint64_t node, unsigned depth) {
    const std::size_t count = children(node, depth);
    const auto branch = [&on, node, depth](std::size_t n) {
      return [&on, node, depth, n] { return parallel(on, child(node, n), depth - 1); };
    };
    if (count == 2 || count == 3 || count == 4) return value(node) + joined(branch, count);
    if (count == 0) return value(node);
    switch ((node >> 16) % 5) {
      case 0:
        return value(node) + spawned(branch, count);
      case 1:
        return value(node) + promised(branch, count);
      case 2:
        return value(node) + submitted(branch, count);
      case 3:
        return value(node) + on.install([&] { return spawned(branch, count); });
      default:
        return value(node) + failed(branch, count);
    }
  }

  template <class Branch>
  static std::uint64_t joined(const Branch& branch, std::size_t count) {
    if (count == 2) {
      const auto [a, b] = join(branch(0), branch(1));
      return a + b;
    }
    if (count == 3) {
      const auto [a, b, c] = join(branch(0), branch(1), branch(2));
      return a + b + c;
    }
    const auto [a, b, c, d] = join(branch(0), branch(1), branch(2), branch(3));
    return a + b + c + d;
  }

  template <class Branch>
  static std::uint64_t spawned(const Branch& branch, std::size_t count) {
    std::array<std::uint64_t, most_children> sums{};
    scope s;
    for (std::size_t n = 0; n < count; ++n) s.spawn([&, n] { sums[n] = branch(n)(); });
    s.wait();
    std::uint64_t sum = 0;
    for (const std::uint64_t part : sums) sum += part;
    return sum;
  }

  /// Takes half of the futures before the scope has ended, half afterwards.
  template <class Branch>
  static std::uint64_t promised(const Branch& branch, std::size_t count) {
    std::vector<future<std::uint64_t>> parts;
    std::uint64_t sum = 0;
    scoped([&](scope& s) {
      for (std::size_t n = 0; n < count; ++n) parts.push_back(s.async(branch(n)));
      for (std::size_t n = 0; n < count; n += 2) sum += parts[n].get();
    });
    for (std::size_t n = 1; n < count; n += 2) sum += parts[n].get();
    return sum;
  }

  template <class Branch>
  static std::uint64_t submitted(const Branch& branch, std::size_t count) {
    std::vector<future<std::uint64_t>> parts;
    for (std::size_t n = 0; n < count; ++n) parts.push_back(submit(branch(n)));
    std::uint64_t sum = 0;
    for (auto& part : parts) sum += part.get();
    return sum;
  }

  struct interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  /// Every task of a scope throws when it is done, and so does one branch of a join.
  template <class Branch>
  static std::uint64_t failed(const Branch& branch, std::size_t count) {
    std::array<std::uint64_t, most_children> sums{};
    std::size_t thrown = 0;
    try {
      scope s;
      for (std::size_t n = 1; n < count; ++n)
        s.spawn([&, n] {
          sums[n] = branch(n)();
          throw interrupted("a task");
        });
      s.wait();
    } catch (const interrupted&) {
      thrown += 1 + suppressed().size();
    }
    try {
      (void)join([] {},
                 [&] {
                   sums[0] = branch(0)();
                   throw interrupted("a branch");
                 });
    } catch (const interrupted&) {
      ++thrown;
    }
    std::uint64_t sum = thrown == count ? 0 : 1u << 30;  // a wrong sum, if an exception was lost
    for (const std::uint64_t part : sums) sum += part;
    return sum;
  }

  std::uint64_t root_;
  unsigned depth_;
};

}  // namespace filch::test
