// Joins of other shapes than those of fib: walks over a full tree, all fork and no work. The leaves
// have numbers, and their sum is the answer.
//
//   shapes_captures   branches that capture by reference
//   shapes_void       branches without a result, which write to an array
//   shapes_24_bytes   a result of three numbers
//   shapes_move_only  a result that cannot be copied
//   shapes_noinline   a function that the compiler must not inline into itself
//   shapes_three      three children: a join of three
//   shapes_four       four children: a join of four
//
// The size is the depth; a fork is a branch that another worker could have run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "harness.hpp"

namespace shapes {

constexpr int power(int base, int exponent) {
  int result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

/// Returns the sum of the leaves' numbers in a tree in which a node has `Children` children: child
/// i of node n has the number n * Children + i, and the root is 0.
template <int Children>
long answer(int depth) {
  const long leaves = power(Children, depth);
  return leaves * (leaves - 1) / 2;
}
template <int Children>
double forks(int depth) {
  return power(Children, depth) - 1;
}

struct three_numbers {
  long sum = 0;
  long leaves = 0;
  long largest = 0;

  static three_numbers of(long leaf) { return {leaf, 1, leaf}; }
  friend three_numbers operator+(const three_numbers& a, const three_numbers& b) {
    return {a.sum + b.sum, a.leaves + b.leaves, a.largest > b.largest ? a.largest : b.largest};
  }
  friend bool operator==(const three_numbers&, const three_numbers&) = default;
};
static_assert(sizeof(three_numbers) == 24);

inline three_numbers answer_of_three_numbers(int depth) {
  const long leaves = power(2, depth);
  return {answer<2>(depth), leaves, leaves - 1};
}

struct move_only {
  long value;
  explicit move_only(long v) : value(v) {}
  move_only(move_only&&) = default;
  move_only& operator=(move_only&&) = default;
  move_only(const move_only&) = delete;
  move_only& operator=(const move_only&) = delete;
  ~move_only() = default;
};

/// The array to which branches without a result write: every leaf adds one.
class marks {
 public:
  explicit marks(int depth) : marks_(static_cast<std::size_t>(power(2, depth))), depth_(depth) {}
  void mark(long leaf) { ++marks_[static_cast<std::size_t>(leaf)]; }
  int depth() const { return depth_; }
  bool correct() const {
    return std::all_of(marks_.begin(), marks_.end(), [](int m) { return m == 1; });
  }

 private:
  std::vector<int> marks_;
  int depth_;
};

template <int Children>
constexpr bench::problem problem(const char* name) {
  constexpr bench::sizes size[] = {{22, 18, 6}, {14, 11, 4}, {11, 9, 3}};
  return {name, size[Children - 2], "fork", forks<Children>};
}
inline constexpr bench::problem captures = problem<2>("shapes_captures");
inline constexpr bench::problem without_result = problem<2>("shapes_void");
inline constexpr bench::problem of_24_bytes = problem<2>("shapes_24_bytes");
inline constexpr bench::problem only_moved = problem<2>("shapes_move_only");
inline constexpr bench::problem not_inlined = problem<2>("shapes_noinline");
inline constexpr bench::problem of_three = problem<3>("shapes_three");
inline constexpr bench::problem of_four = problem<4>("shapes_four");

/// Returns a page of all of them. `Walks` has a function for each.
template <class Runtime, class Walks>
bench::page<Runtime> page_of() {
  bench::page<Runtime> page;
  page.timed(captures, answer<2>, [](int depth) { return Walks::captures(depth, 0); })
      .template timed_on<marks>(without_result,
                                [](marks& m) { Walks::without_result(m, m.depth(), 0); })
      .timed(of_24_bytes, answer_of_three_numbers,
             [](int depth) { return Walks::of_24_bytes(depth, 0); })
      .timed(only_moved, answer<2>, [](int depth) { return Walks::only_moved(depth, 0).value; })
      .timed(not_inlined, answer<2>, [](int depth) { return Walks::not_inlined(depth, 0); })
      .timed(of_three, answer<3>, [](int depth) { return Walks::of_three(depth, 0); })
      .timed(of_four, answer<4>, [](int depth) { return Walks::of_four(depth, 0); });
  return page;
}

}  // namespace shapes
