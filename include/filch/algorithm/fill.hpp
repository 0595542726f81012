// fill and generate: assign a value, or the result of a function, to every element.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>

#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/splitter.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

template <fork_policy Fork, class O, class T>
void fill_with(const Fork& fork, O first, std::size_t n, const T& value, const options& o) {
  for_blocks(
      fork, n, o,
      [&](std::size_t from, std::size_t to) {
        std::fill(detail::at(first, from), detail::at(first, to), value);
      },
      worth_a_fork<O>);
}

template <fork_policy Fork, class O, class F>
void generate_with(const Fork& fork, O first, std::size_t n, F& f, const options& o) {
  for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
    const O last = detail::at(first, to);
    for (O i = detail::at(first, from); i != last; ++i) *i = std::invoke(f);
  });
}

template <class O, class T>
O fill_of(O first, std::size_t n, const T& value, const options& o) {
  launch(o, [&] { detail::fill_with(parallel_fork{}, first, n, value, o); });
  return detail::at(first, n);
}

template <class O, class F>
O generate_of(O first, std::size_t n, F& f, const options& o) {
  launch(o, [&] { detail::generate_with(parallel_fork{}, first, n, f, o); });
  return detail::at(first, n);
}

/// An iterator to which the results of `F` can be written.
template <class O, class F>
concept generated_to = std::random_access_iterator<O> && std::invocable<F&> &&
    std::indirectly_writable<O, std::invoke_result_t<F&>>;

}  // namespace detail

/// Assigns `value` to every element of `range`, several at once. Standard library:
/// std::ranges::fill.
///
/// How      As parallel_for().
/// Returns  The end of the range.
/// Throws   What the assignment throws, otherwise as parallel_for().
/// Options, Threads, Memory, Cost  as parallel_for(). The caller alone fills less than 64 KiB of
///          elements that are copied as bytes and have at most 64 bytes each (such as numbers),
///          because that takes less time than waking a worker.
///
///     filch::fill(v, 0.0);
template <detail::splittable_range R, class T>
requires std::indirectly_writable < std::ranges::iterator_t<R>,
const T& > auto fill(R&& range, const T& value, const options& o = {})
               -> std::ranges::borrowed_iterator_t<R> {
  return detail::fill_of(std::ranges::begin(range), detail::size_of(range), value, o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, class T>
requires std::indirectly_writable<I, const T&> I fill(I first, S last, const T& value,
                                                      const options& o = {}) {
  return detail::fill_of(first, detail::size_of(first, last), value, o);
}

/// Does the same for `n` elements from `first` on.
template <std::random_access_iterator I, class T>
requires std::indirectly_writable<I, const T&> I fill_n(I first, std::iter_difference_t<I> n,
                                                        const T& value, const options& o = {}) {
  return detail::fill_of(first, detail::count_of(n), value, o);
}

/// Assigns f() to every element of `range`, several at once. `f` is called once for each element,
/// by several threads at the same time and in no particular order. Standard library:
/// std::ranges::generate.
///
/// Returns  The end of the range.
/// Options, Throws, Threads, Memory, Cost  as parallel_for().
///
///     filch::generate(v, [&] { return next_id.fetch_add(1); });
template <detail::splittable_range R, class F>
requires detail::generated_to<std::ranges::iterator_t<R>, F>
auto generate(R&& range, F&& f, const options& o = {}) -> std::ranges::borrowed_iterator_t<R> {
  return detail::generate_of(std::ranges::begin(range), detail::size_of(range), f, o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, class F>
requires detail::generated_to<I, F> I generate(I first, S last, F&& f, const options& o = {}) {
  return detail::generate_of(first, detail::size_of(first, last), f, o);
}

/// Does the same for `n` elements from `first` on.
template <std::random_access_iterator I, class F>
requires detail::generated_to<I, F> I generate_n(I first, std::iter_difference_t<I> n, F&& f,
                                                 const options& o = {}) {
  return detail::generate_of(first, detail::count_of(n), f, o);
}

}  // namespace filch
