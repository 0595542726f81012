// Loops whose items differ in cost, without a hint to the runtime: how good is the division that a
// runtime finds by itself? Half of the serial time on two workers would be perfect.
//
//   imbalance_triangular  item i costs i: the second half of the range is three times the first
//   imbalance_head        item i costs 1 / (i + 1): the first one alone is a tenth of the total,
//                         the first hundred are half. A runtime that starts with large parts has
//                         them all in one
//
// The size is the number of items; together they take about 25 million steps at full size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness.hpp"

namespace imbalance {

enum class shape { triangular, head };

template <shape Kind>
inline constexpr bench::problem problem{
    Kind == shape::triangular ? "imbalance_triangular" : "imbalance_head",
    {.full = 10'000, .quick = 10'000, .tiny = 64}};

/// Returns how many steps item `i` of `n` takes: 2500 on average.
template <shape Kind>
int cost(int i, int n) {
  if constexpr (Kind == shape::triangular) return static_cast<int>(5000LL * i / n);
  // The sum of 1 / (i + 1) is 9.8 for ten thousand items.
  return static_cast<int>(2500.0 / 9.8 * n / (i + 1));
}

/// Does the work of an item: a chain of steps that no compiler knows how to shorten.
template <shape Kind>
std::uint64_t work(int i, int n) {
  std::uint64_t x = static_cast<std::uint64_t>(i) + 1;
  for (int step = cost<Kind>(i, n); step > 0; --step)
    x = (x ^ (x >> 29)) * 6'364'136'223'846'793'005U;
  return x;
}

template <shape Kind>
class input {
 public:
  explicit input(int n) : items(n), results(static_cast<std::size_t>(n)) {}
  void run(int i) { results[static_cast<std::size_t>(i)] = work<Kind>(i, items); }
  bool correct() const {
    for (int i = 0; i < items; ++i)
      if (results[static_cast<std::size_t>(i)] != work<Kind>(i, items)) return false;
    return true;
  }

  int items;
  std::vector<std::uint64_t> results;
};

/// Returns a page of both, given `loop(runtime, input)`.
template <class Runtime, class Loop>
bench::page<Runtime> page_of(Loop loop) {
  bench::page<Runtime> page;
  page.template timed_on<input<shape::triangular>>(problem<shape::triangular>, loop);
  page.template timed_on<input<shape::head>>(problem<shape::head>, loop);
  return page;
}

}  // namespace imbalance
