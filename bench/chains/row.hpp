// The rows that bench/chains.py counts: chains of parallel ranges, and the same by hand.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <typeinfo>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

namespace chains {

/// Numbers of several types. Their sums are exact in any order.
struct numbers {
  std::vector<int> ints;
  std::vector<int> others;
  std::vector<long> longs;
  std::vector<double> doubles;
  std::vector<double> factors;
  std::vector<unsigned char> bytes;
  std::vector<int> lengths;             // of short inner ranges: 0 to 23
  std::vector<std::vector<int>> lists;  // of so many
  std::vector<std::list<int>> links;    // the same
};
numbers make_numbers(std::size_t n);

/// The length of leaves depends on the clock, and under callgrind leaves would be far too short.
inline const filch::options long_leaves{.grain = 20'000};

/// How many items of short inner ranges run between two checks for thieves also depends on the
/// clock. With a clock that stands still it is the largest number.
struct still_clock : filch::detail::parallel_fork {
  filch::detail::ticks now() const noexcept { return 0; }
};
template <class R>
auto par_without_clock(R& range) {
  auto source = filch::detail::source_for(range);
  return filch::par_range<decltype(source), still_clock>(std::move(source), long_leaves);
}

inline constexpr int rounds = 3;

/// Makes the compiler assume that `x` is read and changed here.
template <class T>
[[gnu::always_inline]] inline void keep(T& x) {
  asm volatile("" : : "r"(&x) : "memory");
}

// chains.py looks for these names. The name of the row in them keeps compilers from merging two
// functions that do the same.
template <class Row>
[[gnu::noinline]] void counted_chain(const numbers& in) {
  chains::keep(typeid(Row));
  for (int i = 0; i != rounds; ++i) {
    auto result = Row::chain(in);
    chains::keep(result);
  }
}
template <class Row>
[[gnu::noinline]] void counted_loop(const numbers& in) {
  chains::keep(typeid(Row));
  for (int i = 0; i != rounds; ++i) {
    auto result = Row::loop(in);
    chains::keep(result);
  }
}

/// A row has chain(numbers) and loop(numbers), which return the same. Each runs once before it is
/// counted.
template <class Row>
void run_row(const numbers& in) {
  if (Row::chain(in) != Row::loop(in)) {
    std::fprintf(stderr, "chains: the results of %s differ\n", typeid(Row).name());
    std::exit(1);
  }
  chains::counted_chain<Row>(in);
  chains::counted_loop<Row>(in);
}

}  // namespace chains
