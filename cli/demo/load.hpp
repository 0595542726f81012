// Uneven loads: what the demo has every variant do.
//
// All of them are chains of steps that wait for each other, so that a CPU that is two half CPUs
// (SMT) does not make two workers slower than one: what is shown is balance, nothing else.
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

/// A load that is a tree: those who can fork need not know its items.
class tree {
 public:
  /// A part of the tree, by its top.
  struct node {
    std::uint64_t seed;
    std::uint64_t size;  ///< how many nodes it has, itself included
  };
  virtual ~tree() = default;
  virtual node root() const = 0;
  /// The work of one node, of which the answer is the sum.
  virtual std::uint64_t visit(node n) const = 0;
  /// Its two branches; nothing if it is a leaf.
  virtual std::optional<std::pair<node, node>> branches(node n) const = 0;
  /// Takes the sum of all visits.
  virtual void set_sum(std::uint64_t sum) = 0;
};

/// Items that may run in any order and at once, but take very different times.
class load {
 public:
  virtual ~load() = default;
  virtual std::string_view name() const = 0;
  /// What it is, in a line.
  virtual std::string about(std::size_t workers) const = 0;
  virtual std::size_t items() const = 0;
  /// Makes it as if it had not run. Not timed.
  virtual void prepare() = 0;
  /// Runs one item. Different items may run at once.
  virtual void run(std::size_t item) = 0;
  /// A number that depends on the result of every item. Not timed.
  virtual std::uint64_t answer() const = 0;
  virtual tree* as_tree() { return nullptr; }
};

/// How much there is of each; 1 takes a quarter of a second on one worker, more or less.
std::unique_ptr<load> make_imbalance(double scale);
std::unique_ptr<load> make_sort(double scale);
std::unique_ptr<load> make_mandelbrot(double scale);
std::unique_ptr<load> make_tree(double scale);

/// A step of work: it takes what the last one has given, and no compiler knows a shorter way.
inline std::uint64_t step(std::uint64_t x) { return (x ^ (x >> 29)) * 6'364'136'223'846'793'005U; }

/// A number that tells whether results are the same, in the same order.
inline std::uint64_t checksum(const std::vector<std::uint64_t>& results) {
  std::uint64_t sum = results.size();
  for (const std::uint64_t r : results) sum = step(sum + r);
  return sum;
}

}  // namespace filch::cli
