// The loops that users parallelise first, to compare filch with plain OpenMP loops under several
// compilers and flags. bench/flags.py compiles and runs them. The size of a row is the number
// of items.
//
// A sample calls its loop several times, and the fastest call counts. So making the input, first
// touching its memory and waking workers do not count. Items are random, so that no branch
// predictor knows which of them pass a filter. They are whole numbers, so that sums are exact in
// any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace flags {

inline constexpr int calls = 10;

constexpr bench::problem row_of(const char* name, int items = 10'000'000) {
  return {name, {.full = items, .quick = items / 10, .tiny = 1000}};
}
/// Returns the name of a row that exists for long and for double.
template <class T>
constexpr bench::problem row_of(const char* with_long, const char* with_double) {
  return flags::row_of(std::is_same_v<T, long> ? with_long : with_double);
}

/// Makes `n` random numbers from 0 to 999.
template <class T>
std::vector<T> numbers(int n) {
  std::uint32_t random = 2'463'534'242;
  std::vector<T> made(static_cast<std::size_t>(n));
  for (T& x : made) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    x = static_cast<T>(random % 1000);
  }
  return made;
}

// Not plain functions: code that gets a function pointer calls it for every item.

inline constexpr auto three_x_plus_one = [](auto x) { return 3 * x + 1; };
inline constexpr auto is_small = [](auto x) { return x < 500; };
inline constexpr auto is_even = [](auto x) { return x % 2 == 0; };
inline constexpr auto is_below_1500 = [](double x) { return x < 1500; };
inline constexpr auto long_three_x_plus_one = [](int x) { return 3L * x + 1; };

// ---- One item for each item
// ----------------------------------------------------------------------

template <class T>
struct axpy {
  static constexpr bench::problem what = flags::row_of<T>("axpy_long", "axpy_double");
  T a = bench::opaque(T{3});
  std::vector<T> x;
  std::vector<T> y;

  explicit axpy(int n) : x(flags::numbers<T>(n)), y(x.rbegin(), x.rend()) {}
  bool correct() const {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (y[i] != x[x.size() - 1 - i] + calls * a * x[i]) return false;
    return true;
  }
};

template <class T>
struct transform {
  static constexpr bench::problem what = flags::row_of<T>("transform_long", "transform_double");
  std::vector<T> in;
  std::vector<T> out;  // what is to be made

  explicit transform(int n) : in(flags::numbers<T>(n)), out(in.size()) {}
  bool correct() const {
    for (std::size_t i = 0; i < in.size(); ++i)
      if (out[i] != three_x_plus_one(in[i])) return false;
    return true;
  }
};

// ---- One value for all items
// ---------------------------------------------------------------------

template <class T>
struct reduce {
  static constexpr bench::problem what = flags::row_of<T>("reduce_long", "reduce_double");
  std::vector<T> in;
  T found = 0;

  explicit reduce(int n) : in(flags::numbers<T>(n)) {}
  bool correct() const {
    T expected = 0;
    for (const T x : in) expected += x;
    return found == expected;
  }
};

template <class T>
struct dot {
  static constexpr bench::problem what = flags::row_of<T>("dot_long", "dot_double");
  std::vector<T> x;
  std::vector<T> y;
  T found = 0;

  explicit dot(int n) : x(flags::numbers<T>(n)), y(x.rbegin(), x.rend()) {}
  bool correct() const {
    T expected = 0;
    for (std::size_t i = 0; i < x.size(); ++i) expected += x[i] * y[i];
    return found == expected;
  }
};

template <class T>
struct count_if {
  static constexpr bench::problem what = flags::row_of<T>("count_if_long", "count_if_double");
  std::vector<T> in;
  std::ptrdiff_t found = 0;

  explicit count_if(int n) : in(flags::numbers<T>(n)) {}
  bool correct() const { return found == std::count_if(in.begin(), in.end(), is_small); }
};

/// Of ints, as longs: 3 x + 1 of those for which that is even.
struct map_filter_sum_long {
  static constexpr bench::problem what = flags::row_of("map_filter_sum_long", 20'000'000);
  std::vector<int> in;
  long found = 0;

  explicit map_filter_sum_long(int n) : in(flags::numbers<int>(n)) {}
  bool correct() const {
    long expected = 0;
    for (const int x : in)
      if (const long y = long_three_x_plus_one(x); is_even(y)) expected += y;
    return found == expected;
  }
};

/// 3 x + 1 of those for which that is below 1500.
struct map_filter_sum_double {
  static constexpr bench::problem what = flags::row_of("map_filter_sum_double");
  std::vector<double> in;
  double found = 0;

  explicit map_filter_sum_double(int n) : in(flags::numbers<double>(n)) {}
  bool correct() const {
    double expected = 0;
    for (const double x : in)
      if (const double y = three_x_plus_one(x); is_below_1500(y)) expected += y;
    return found == expected;
  }
};

template <class T>
struct min {
  static constexpr bench::problem what = flags::row_of<T>("min_long", "min_double");
  std::vector<T> in;
  T found = -1;

  explicit min(int n) : in(flags::numbers<T>(n)) {}
  bool correct() const { return found == *std::min_element(in.begin(), in.end()); }
};

template <class T>
struct max {
  static constexpr bench::problem what = flags::row_of<T>("max_long", "max_double");
  std::vector<T> in;
  T found = -1;

  explicit max(int n) : in(flags::numbers<T>(n)) {}
  bool correct() const { return found == *std::max_element(in.begin(), in.end()); }
};

template <class T>
struct minmax {
  static constexpr bench::problem what = flags::row_of<T>("minmax_long", "minmax_double");
  std::vector<T> in;
  T smallest = -1;
  T largest = -1;

  explicit minmax(int n) : in(flags::numbers<T>(n)) {}
  bool correct() const {
    const auto [low, high] = std::minmax_element(in.begin(), in.end());
    return smallest == *low && largest == *high;
  }
};

// ---- Results that depend on all items before
// -----------------------------------------------------

/// The even items of ints, in order.
struct copy_if {
  static constexpr bench::problem what = flags::row_of("copy_if");
  std::vector<int> in;
  std::vector<int> out;  // what is to be made, with `copied`
  std::size_t copied = 0;

  explicit copy_if(int n) : in(flags::numbers<int>(n)), out(in.size()) {}
  bool correct() const {
    std::size_t k = 0;
    for (const int x : in)
      if (is_even(x) && (k >= copied || out[k++] != x)) return false;
    return k == copied;
  }
};

struct scan {
  static constexpr bench::problem what = flags::row_of("scan");
  std::vector<long> in;
  std::vector<long> out;  // what is to be made

  explicit scan(int n) : in(flags::numbers<long>(n)), out(in.size()) {}
  bool correct() const {
    long sum = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (out[i] != (sum += in[i])) return false;
    return true;
  }
};

// ---- Pages
// ---------------------------------------------------------------------------------------

/// Makes a page of `Rows`; solve(runtime, row) is what is timed.
template <class Runtime, class... Rows, class Solve>
bench::page<Runtime> page_of(Solve solve) {
  bench::page<Runtime> page;
  (page.measured(Rows::what,
                 [solve](Runtime& runtime, int size) {
                   Rows row(size);
                   double fastest = std::numeric_limits<double>::infinity();
                   for (int i = 0; i < calls; ++i) {
                     bench::touch(row);
                     const bench::stopwatch watch;
                     solve(runtime, row);
                     fastest = std::min(fastest, watch.seconds());
                   }
                   bench::require(row.correct(), "wrong answer");
                   return fastest;
                 }),
   ...);
  return page;
}

template <class Runtime, class Solve>
bench::page<Runtime> page_of_all(Solve solve) {
  return flags::page_of<Runtime, axpy<long>, axpy<double>, transform<long>, transform<double>,
                        reduce<long>, reduce<double>, dot<long>, dot<double>, count_if<long>,
                        count_if<double>, map_filter_sum_long, map_filter_sum_double, min<long>,
                        min<double>, max<long>, max<double>, minmax<long>, minmax<double>, copy_if,
                        scan>(std::move(solve));
}

}  // namespace flags
