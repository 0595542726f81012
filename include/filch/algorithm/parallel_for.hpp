// parallel_for: loops over numbers.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/sizes.hpp"
#include "filch/detail/split/splitter.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// A type that a loop can count with.
template <class T>
concept index = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;

/// Compares `a` and `b` as numbers. (std::cmp_less refuses characters.)
template <index A, index B>
constexpr bool number_less(A a, B b) noexcept {
  if constexpr (std::is_signed_v<A> && std::is_signed_v<B>) return a < b;
  if constexpr (std::is_signed_v<A>)
    if (a < 0) return true;
  if constexpr (std::is_signed_v<B>)
    if (b < 0) return false;
  using number = std::make_unsigned_t<std::common_type_t<A, B>>;
  return static_cast<number>(a) < static_cast<number>(b);
}

/// The numbers from `first` up to `last`, as offsets from `first`.
template <index T>
class counted {
 public:
  /// Throws `usage_error` if there are more numbers than std::size_t can count, which 128-bit
  /// numbers allow.
  template <index A, index B>
  counted(A first, B last)
      : first_(static_cast<T>(first)),
        size_(number_less(first, last) ? detail::size_from(static_cast<unsigned_type>(
                                             static_cast<unsigned_type>(static_cast<T>(last)) -
                                             static_cast<unsigned_type>(first_)))
                                       : 0) {}
  std::size_t size() const noexcept { return size_; }
  T operator[](std::size_t i) const noexcept {
    return static_cast<T>(static_cast<unsigned_type>(static_cast<unsigned_type>(first_) +
                                                     static_cast<unsigned_type>(i)));
  }

 private:
  using unsigned_type = std::make_unsigned_t<T>;
  T first_;
  std::size_t size_;
};

template <index A, index B>
counted(A, B) -> counted<std::common_type_t<A, B>>;

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

}  // namespace detail

/// Calls f(i) for every i from `first` up to, but not including, `last`, several at once.
///
/// How      The range is halved repeatedly. The calling thread takes one half, and a thief may take
///          the other. A part is not halved further when it takes only some microseconds, as
///          measured during the loop. Within a part the order is that of the numbers; between parts
///          no order is promised. `f` is not copied: several threads call it at once. The types of
///          `first` and `last` may differ, and may be character types. They may not be bool, which
///          cannot count. `f` gets their common type. If `last` is not larger than `first`, nothing
///          happens.
/// Options  grain: no part is split into parts with fewer numbers. stop, priority, on, isolate,
/// progress: see `options`. Throws   What `f` threw. If several calls threw, the exception of the
/// call with the lowest
///          number; `filch::suppressed()` has the others, one for each part that threw. Parts that
///          had not started are skipped. `cancelled` if parts were skipped because of `stop`.
///          `usage_error` if there are more numbers than std::size_t can count, which 128-bit
///          numbers allow. On a thread outside of every pool also as join().
/// Threads  Any. A thread outside of every pool is a guest of `default_pool()` during the loop.
/// Memory   `f` sees what came before the call. The caller sees what `f` did when the call returns.
/// Cost     A few forks (see join) for each hundred thousand cheap numbers, and no allocation.
///
///     filch::parallel_for(0, n, [&](int i) { y[i] += a * x[i]; });
template <detail::index A, detail::index B, class F>
requires std::invocable<F&, std::common_type_t<A, B>>
void parallel_for(A first, B last, F&& f, const options& o = {}) {
  detail::launch(o, [&] {
    detail::parallel_for_with(detail::parallel_fork{}, detail::counted(first, last), f, o);
  });
}

/// Calls f(from, to) for parts [from, to) that together cover [first, last). It is for bodies that
/// prepare something once for many numbers. No part is empty. Otherwise like parallel_for().
///
///     filch::parallel_for_blocks(0, n, [&](int from, int to) {
///       buffer scratch;
///       for (int i = from; i != to; ++i) work_on(i, scratch);
///     });
template <detail::index A, detail::index B, class F>
requires std::invocable<F&, std::common_type_t<A, B>, std::common_type_t<A, B>>
void parallel_for_blocks(A first, B last, F&& f, const options& o = {}) {
  detail::launch(o, [&] {
    detail::parallel_for_blocks_with(detail::parallel_fork{}, detail::counted(first, last), f, o);
  });
}

/// Calls f(i, j) for every i from `first_row` up to `last_row` and every j from `first_column` up
/// to `last_column`. A part is a range of pairs in the order of two nested loops, with `j` as the
/// inner one. It may begin and end within a row. `grain` counts pairs. Throws also `usage_error` if
/// there are more pairs than std::size_t can count. Otherwise like the loop over one number.
///
///     filch::parallel_for(0, height, 0, width, [&](int y, int x) { image[y][x] = shade(x, y); });
template <detail::index A, detail::index B, detail::index C, detail::index D, class F>
requires std::invocable<F&, std::common_type_t<A, B>, std::common_type_t<C, D>>
void parallel_for(A first_row, B last_row, C first_column, D last_column, F&& f,
                  const options& o = {}) {
  detail::launch(o, [&] {
    detail::parallel_for_with(detail::parallel_fork{}, detail::counted(first_row, last_row),
                              detail::counted(first_column, last_column), f, o);
  });
}

/// Does the same in three dimensions: f(i, j, k), with `k` as the innermost.
///
///     filch::parallel_for(0, depth, 0, height, 0, width, [&](int z, int y, int x) { ... });
template <detail::index A, detail::index B, detail::index C, detail::index D, detail::index E,
          detail::index G, class F>
requires std::invocable<F&, std::common_type_t<A, B>, std::common_type_t<C, D>,
                        std::common_type_t<E, G>>
void parallel_for(A first_plane, B last_plane, C first_row, D last_row, E first_column,
                  G last_column, F&& f, const options& o = {}) {
  detail::launch(o, [&] {
    detail::parallel_for_with(detail::parallel_fork{}, detail::counted(first_plane, last_plane),
                              detail::counted(first_row, last_row),
                              detail::counted(first_column, last_column), f, o);
  });
}

}  // namespace filch
