// Unbalanced tree search (Olivier et al., "UTS: An Unbalanced Tree Search Benchmark", 2006): walks
// a tree that is not stored. A node is 20 bytes. SHA-1 of the node and a child's number is the
// child, and the last four bytes decide how many children there are. So the tree is the same
// everywhere, and its shape cannot be guessed.
//
//   T1  geometric: the number of children is drawn with mean 4 down to a depth. 4,130,071 nodes.
//   T3  binomial: the root has 2000 children, others 8 or none, 0.999 on average. 4,112,897 nodes,
//       1572 deep.
//
// Rayon is left out: the hash is most of the time, and another language has another hash.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "harness.hpp"
#include "uts/sha1.hpp"

namespace uts {

struct node {
  digest state;
  int height;

  static node root(std::uint32_t seed) { return {sha1(digest{0, 0, 0, 0, seed}), 0}; }
  node child(int number) const {
    const auto [a, b, c, d, e] = state;
    return {sha1(std::array{a, b, c, d, e, static_cast<std::uint32_t>(number)}), height + 1};
  }
  /// Returns a number in [0, 1).
  double random() const { return (state[4] & 0x7fffffff) / 2147483648.0; }
};

/// The result of a walk.
struct count {
  long nodes = 0;
  long leaves = 0;
  long depth = 0;

  static count of(const node& n, int children) { return {1, children == 0 ? 1 : 0, n.height}; }
  friend count operator+(const count& a, const count& b) {
    return {a.nodes + b.nodes, a.leaves + b.leaves, std::max(a.depth, b.depth)};
  }
  friend bool operator==(const count&, const count&) = default;
};

/// Returns how many children a node has; the size is the depth.
struct t1 {
  int depth;
  static constexpr std::uint32_t seed = 19;
  int children(const node& n) const {
    constexpr double mean = 4;
    if (n.height >= depth) return 0;
    const double wanted = std::log(1 - n.random()) / std::log(1 - 1 / (1 + mean));
    return std::min(static_cast<int>(wanted), 100);
  }
};

/// The same; the size is the number of the root's children.
struct t3 {
  int of_root;
  static constexpr std::uint32_t seed = 42;
  int children(const node& n) const {
    if (n.height == 0) return of_root;
    return n.random() < 0.124875 ? 8 : 0;
  }
};

/// The answers of the full sizes are those published; the others were computed by this program.
inline count answer_t1(int depth) {
  if (depth == 10) return {4'130'071, 3'305'118, 10};
  if (depth == 5) return {3'987, 3'232, 5};
  throw bench::usage_error("uts_t1: of depth 5 or 10");
}
inline count answer_t3(int of_root) {
  if (of_root == 2000) return {4'112'897, 3'599'034, 1572};
  if (of_root == 10) return {6'123, 5'358, 67};
  throw bench::usage_error("uts_t3: with 10 or 2000 children of the root");
}

inline constexpr bench::problem geometric{"uts_t1", {.full = 10, .quick = 10, .tiny = 5}};
inline constexpr bench::problem binomial{"uts_t3", {.full = 2000, .quick = 2000, .tiny = 10}};

}  // namespace uts
