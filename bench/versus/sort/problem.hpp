// Sorting a vector with one call, as a user would. Rows without "compare" leave the order to the
// library, which may then use the digits of numbers; the others pass a function. Most rows have ten
// million numbers from all over their range; strings and structs are a fifth of that. Input that is
// already sorted, reversed or all equal should take much less time.
//
// Making the input and checking the output are not timed. Memory that a sort needs for itself is
// part of its time. oneTBB has no stable sort.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "harness.hpp"

namespace sorting {

/// 64 bytes, of which 8 are the key.
struct record {
  std::uint64_t key;
  std::array<std::uint64_t, 7> rest;
  bool operator<(const record& other) const { return key < other.key; }
};

enum class order { random, sorted, reversed, equal };

/// Returns eight to sixteen characters, sometimes fewer: some fit into a std::string without an
/// allocation, some do not.
inline std::string text_of(std::uint64_t x) {
  std::array<char, 16> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), x >> (x & 31), 16).ptr;
  return {digits.data(), end};
}

template <class T>
T element_of(std::uint64_t x) {
  if constexpr (std::is_same_v<T, std::string>)
    return text_of(x);
  else if constexpr (std::is_same_v<T, record>)
    return {x, {x, x, x, x, x, x, x}};
  else
    return static_cast<T>(x);
}

/// Returns a number that differs for most elements.
template <class T>
std::uint64_t number_of(const T& element) {
  if constexpr (std::is_same_v<T, std::string>)
    return element.size() * 256 + static_cast<unsigned char>(element.back());
  else if constexpr (std::is_same_v<T, record>)
    return element.key ^ element.rest.back() << 1;
  else
    return static_cast<std::uint64_t>(element);
}

template <class T, order Order = order::random>
class input {
 public:
  explicit input(int count) {
    all_.reserve(static_cast<std::size_t>(count));
    std::uint64_t x = 88'172'645'463'325'252;
    for (int i = 0; i < count; ++i) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      const auto index = static_cast<std::uint64_t>(i);
      all_.push_back(element_of<T>(Order == order::random     ? x
                                   : Order == order::sorted   ? index
                                   : Order == order::reversed ? ~index
                                                              : 42));
    }
    sum_ = sum();
  }
  std::vector<T>& all() { return all_; }
  bool correct() const { return sum_ == sum() && std::is_sorted(all_.begin(), all_.end()); }

 private:
  std::uint64_t sum() const {
    std::uint64_t s = 0;
    for (const T& element : all_) s += number_of(element);
    return s;
  }

  std::vector<T> all_;
  std::uint64_t sum_ = 0;
};

inline constexpr bench::sizes many{.full = 10'000'000, .quick = 1'000'000, .tiny = 5000};
inline constexpr bench::sizes fewer{.full = 2'000'000, .quick = 200'000, .tiny = 5000};

inline constexpr auto less = [](const auto& a, const auto& b) { return a < b; };

/// Adds the rows that `sort(vector)` and `sort_by(vector, less)` sort.
template <class Page, class Sort, class SortBy>
void add_unstable(Page& page, Sort sort, SortBy sort_by) {
  using u64 = std::uint64_t;
  using i32 = std::int32_t;
  const auto in_its_order = [sort](auto& in) { sort(in.all()); };
  const auto by_comparing = [sort_by](auto& in) { sort_by(in.all(), less); };
  page.template timed_on<input<u64>>({"sort_u64", many}, in_its_order);
  page.template timed_on<input<i32>>({"sort_i32", many}, in_its_order);
  page.template timed_on<input<u64>>({"sort_u64_compare", many}, by_comparing);
  page.template timed_on<input<i32>>({"sort_i32_compare", many}, by_comparing);
  page.template timed_on<input<u64, order::sorted>>({"sort_sorted", many}, in_its_order);
  page.template timed_on<input<u64, order::reversed>>({"sort_reversed", many}, in_its_order);
  page.template timed_on<input<u64, order::equal>>({"sort_equal", many}, in_its_order);
  page.template timed_on<input<std::string>>({"sort_strings", fewer}, in_its_order);
  page.template timed_on<input<record>>({"sort_structs", fewer}, by_comparing);
}

/// Adds the rows for sorts that keep the order of equal elements.
template <class Page, class Sort, class SortBy>
void add_stable(Page& page, Sort sort, SortBy sort_by) {
  using u64 = std::uint64_t;
  page.template timed_on<input<u64>>({"stable_sort_u64", many},
                                     [sort](auto& in) { sort(in.all()); });
  page.template timed_on<input<u64>>({"stable_sort_u64_compare", many},
                                     [sort_by](auto& in) { sort_by(in.all(), less); });
}

}  // namespace sorting
