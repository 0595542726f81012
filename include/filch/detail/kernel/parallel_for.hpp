// Calls a function with numbers, in one, two or three dimensions.
#pragma once

#include "filch/detail/loop/sizes.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

template <fork_policy Fork, class T, class F>
void parallel_for_blocks_with(const Fork& fork, counted<T> numbers, F& f, const options& o) {
  for_blocks(fork, numbers.size(), o, [&](std::size_t first, std::size_t last) {
    std::invoke(f, numbers[first], numbers[last]);
  });
}

template <fork_policy Fork, class T, class F>
void parallel_for_with(const Fork& fork, counted<T> numbers, F& f, const options& o) {
  for_blocks(fork, numbers.size(), o, [&](std::size_t first, std::size_t last) {
    const T end = numbers[last];
    for (T i = numbers[first]; i != end; ++i) std::invoke(f, i);
  });
}

/// Returns the product of sizes: the number of items of a loop over several dimensions.
inline std::size_t volume(std::size_t a, std::size_t b) {
  return detail::product_of_sizes(a, b, "parallel_for()");
}
inline std::size_t volume(std::size_t a, std::size_t b, std::size_t c) {
  return a == 0 ? 0 : volume(a, c == 0 ? 0 : volume(b, c));
}

/// The items of two dimensions are numbered row by row. A leaf is a range of these numbers: the end
/// of one row, whole rows, and the beginning of another.
template <fork_policy Fork, class T, class U, class F>
void parallel_for_with(const Fork& fork, counted<T> rows, counted<U> columns, F& f,
                       const options& o) {
  const std::size_t width = columns.size();
  for_blocks(fork, volume(rows.size(), width), o, [&](std::size_t first, std::size_t last) {
    std::size_t row = first / width;
    for (std::size_t from = first % width; first != last; ++row, from = 0) {
      const std::size_t count = std::min(last - first, width - from);
      const T i = rows[row];
      const U end = columns[from + count];
      for (U j = columns[from]; j != end; ++j) std::invoke(f, i, j);
      first += count;
    }
  });
}

template <fork_policy Fork, class T, class U, class V, class F>
void parallel_for_with(const Fork& fork, counted<T> planes, counted<U> rows, counted<V> columns,
                       F& f, const options& o) {
  const std::size_t width = columns.size();
  const std::size_t height = rows.size();
  const std::size_t total = volume(planes.size(), height, width);
  for_blocks(fork, total, o, [&](std::size_t first, std::size_t last) {
    std::size_t row = first / width % height;
    std::size_t plane = first / width / height;
    for (std::size_t from = first % width; first != last; from = 0) {
      const std::size_t count = std::min(last - first, width - from);
      const T i = planes[plane];
      const U j = rows[row];
      const V end = columns[from + count];
      for (V k = columns[from]; k != end; ++k) std::invoke(f, i, j, k);
      first += count;
      if (++row == height) {
        row = 0;
        ++plane;
      }
    }
  });
}

}  // namespace filch::detail
