// Uneven loads: the work that the demo gives to every variant.
//
// All of them are chains of steps that depend on each other. So on a core with two hardware threads
// (SMT), two workers are not slower than one: the demo shows balance and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace filch::cli {

/// A load that is a tree. A variant that can fork uses this, not the items.
class tree {
 public:
  /// A subtree, given by its root.
  struct node {
    std::uint64_t seed;
    std::uint64_t size;  ///< the number of nodes, itself included
  };
  virtual ~tree() = default;
  virtual node root() const = 0;
  /// The work of one node. The answer is the sum over all nodes.
  virtual std::uint64_t visit(node n) const = 0;
  /// Its two branches, or nothing if it is a leaf.
  virtual std::optional<std::pair<node, node>> branches(node n) const = 0;
  /// Takes the sum of all visits.
  virtual void set_sum(std::uint64_t sum) = 0;
};

/// Items that may run in any order and at once, but take very different times.
class load {
 public:
  virtual ~load() = default;
  virtual std::string_view name() const = 0;
  /// A description in one line.
  virtual std::string about(std::size_t workers) const = 0;
  virtual std::size_t items() const = 0;
  /// Restores the state before a run. Not timed.
  virtual void prepare() = 0;
  /// Runs one item. Different items may run at once.
  virtual void run(std::size_t item) = 0;
  /// A number that depends on the result of every item. Not timed.
  virtual std::uint64_t answer() const = 0;
  virtual tree* as_tree() { return nullptr; }
};

/// `scale` is the amount of work. With 1, a load takes about a quarter of a second on one worker.
std::unique_ptr<load> make_imbalance(double scale);
std::unique_ptr<load> make_sort(double scale);
std::unique_ptr<load> make_mandelbrot(double scale);
std::unique_ptr<load> make_tree(double scale);

/// One step of work. It depends on the result of the one before, and no compiler can shorten it.
inline std::uint64_t step(std::uint64_t x) { return (x ^ (x >> 29)) * 6'364'136'223'846'793'005U; }

/// A number that shows whether results are the same, in the same order.
inline std::uint64_t checksum(const std::vector<std::uint64_t>& results) {
  std::uint64_t sum = results.size();
  for (const std::uint64_t r : results) sum = step(sum + r);
  return sum;
}

}  // namespace filch::cli
