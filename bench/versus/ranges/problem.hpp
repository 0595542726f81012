// Chains over a range: what a user of parallel ranges writes, against the loop by hand.
//
//   map_filter_sum    of random doubles x, the sum of those x * x + 1 that are below a bound. Half
//                     of them are, so that no branch predictor knows which. In thousands.
//   map_to_vector     3 x + 1 of doubles in a new vector. In thousands.
//   filter_to_vector  those below the bound in a new vector, in order. In thousands.
//   find_first        the first of ten million numbers for which a predicate holds, which is the
//                     one at position `size`: how long a search takes that ends near the front. A
//                     sample is a thousand searches.
//   dot               the sum of x[i] * y[i]: limited by memory. In thousands.
//   flat_map          `size` inner ranges, of which the first tenth has nine tenths of the items,
//                     and some work for each item.
//
// New vectors are made, filled and destroyed within the time, as users do; filling is what first
// touches their memory. OpenMP and the serial code may vectorise sums (`omp simd`), because the
// library may as well; nothing is written with intrinsics.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness.hpp"

namespace ranges {

inline std::size_t thousands(int size) {
  return std::size_t{1000} * static_cast<std::size_t>(size);
}

/// Random numbers between 0 and 1.
class random_numbers {
 public:
  double next() {
    x_ ^= x_ << 13;
    x_ ^= x_ >> 17;
    x_ ^= x_ << 5;
    return static_cast<double>(x_) / 4294967296.0;
  }

 private:
  std::uint32_t x_ = 2'463'534'242;
};

inline std::vector<double> some_numbers(std::size_t n) {
  random_numbers random;
  std::vector<double> numbers(n);
  for (double& x : numbers) x = random.next();
  return numbers;
}

/// Sums in different orders differ by rounding.
inline bool nearly(double found, double expected) {
  return std::abs(found - expected) <= 1e-9 * std::abs(expected);
}

// Not plain functions: code that gets a function pointer calls it for every element.

inline constexpr auto square_plus_one = [](double x) { return x * x + 1.0; };
inline constexpr auto is_wanted = [](double x) { return x < 1.25; };  // holds for half of them

struct map_filter_sum_input {
  std::vector<double> in;
  double sum = 0;  // what is to be found out

  explicit map_filter_sum_input(int size) : in(some_numbers(thousands(size))) {}
  bool correct() const {
    double expected = 0;
    for (const double x : in)
      if (is_wanted(square_plus_one(x))) expected += square_plus_one(x);
    return nearly(sum, expected);
  }
};

inline constexpr auto three_x_plus_one = [](double x) { return 3.0 * x + 1.0; };

struct map_input {
  std::vector<double> in;
  std::vector<double> out = {};  // what is to be made

  explicit map_input(int size) : in(some_numbers(thousands(size))) {}
  bool correct() const {
    if (out.size() != in.size()) return false;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (!nearly(out[i], three_x_plus_one(in[i]))) return false;
    return true;
  }
};

inline constexpr auto is_small = [](double x) { return x < 0.5; };

struct filter_input {
  std::vector<double> in;
  std::vector<double> out = {};  // what is to be made

  explicit filter_input(int size) : in(some_numbers(thousands(size))) {}
  bool correct() const {
    std::size_t k = 0;
    for (const double x : in)
      if (is_small(x) && (k >= out.size() || out[k++] != x)) return false;
    return k == out.size();
  }
};

inline constexpr std::size_t searches = 1000;

/// Numbers from 0 on; the search is for those from `bound` on.
struct search_input {
  std::vector<std::int64_t> in;
  std::int64_t bound;
  std::size_t right = 0;  // what is to be counted

  explicit search_input(int size) : in(10'000'000), bound(size) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int64_t>(i);
  }
  /// Calls search(pred) many times. It returns an optional of what it found.
  template <class Search>
  void run(Search search) {
    for (std::size_t k = 0; k < searches; ++k) {
      bench::touch(bound);
      const std::optional<std::int64_t> found =
          search([this](std::int64_t x) { return x >= bound; });
      right += found && *found == bound ? 1 : 0;
    }
  }
  bool correct() const { return right == searches; }
};

struct dot_input {
  std::vector<double> x;
  std::vector<double> y;
  double sum = 0;  // what is to be found out

  explicit dot_input(int size) : x(some_numbers(thousands(size))), y(x.rbegin(), x.rend()) {}
  bool correct() const {
    double expected = 0;
    for (std::size_t i = 0; i < x.size(); ++i) expected += x[i] * y[i];
    return nearly(sum, expected);
  }
};

/// Some divisions, of which no compiler does several at once: about 20 ns.
inline constexpr auto work = [](std::uint64_t x) {
  for (int k = 0; k < 4; ++k) x = (x * x + 1) % 1'000'003;
  return x;
};

struct flat_input {
  std::vector<std::uint64_t> numbers;  // inner ranges are the first few of these
  std::vector<std::size_t> lengths;    // so many each
  std::uint64_t sum = 0;               // what is to be found out

  explicit flat_input(int size) : numbers(8100), lengths(static_cast<std::size_t>(size), 100) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i + 1;
    for (std::size_t i = 0; i < lengths.size() / 10; ++i) lengths[i] = numbers.size();
  }
  std::span<const std::uint64_t> inner(std::size_t length) const {
    return std::span(numbers).first(length);
  }
  std::uint64_t sum_of(std::size_t length) const {
    std::uint64_t found = 0;
    for (const std::uint64_t x : inner(length)) found += work(x);
    return found;
  }
  bool correct() const {
    std::uint64_t expected = 0;
    for (const std::size_t length : lengths) expected += sum_of(length);
    return sum == expected;
  }
};

// ---- sizes -------------------------------------------------------------------------------------

inline constexpr bench::sizes large{.full = 40'000, .quick = 10'000, .tiny = 10};
inline constexpr bench::problem map_filter_sum{
    "map_filter_sum", large, "item", [](int size) { return static_cast<double>(thousands(size)); }};
inline constexpr bench::problem map_to_vector{"map_to_vector", large};
inline constexpr bench::problem filter_to_vector{"filter_to_vector", large};
inline constexpr bench::problem find_first{
    "find_first", {.full = 10, .quick = 10, .tiny = 10}, "search", [](int) {
      return static_cast<double>(searches);
    }};
inline constexpr bench::problem dot{"dot", large};
inline constexpr bench::problem flat_map{"flat_map", {.full = 10'000, .quick = 2'000, .tiny = 100}};

}  // namespace ranges
