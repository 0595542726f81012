// fill and generate: assign a value, or the result of a function, to every element.
#pragma once

#include "filch/detail/kernel/fill.hpp"
#include "filch/detail/kernel/front.hpp"

namespace filch {

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
template <class R, class T>
requires detail::filled_with<R, T>
auto fill(R&& range, const T& value, const options& o = {}) -> detail::borrowed<R> {
  return detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::fill_with(fork, first, n, value, o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class T>
auto fill(I first, S last, const T& value, const options& o = {})
    -> FILCH_RESULT_OF(filch::fill(detail::iter_range(first, last), value, o));

/// Does the same for `n` elements from `first` on.
template <std::random_access_iterator I, class T>
auto fill_n(I first, std::iter_difference_t<I> n, const T& value, const options& o = {})
    -> FILCH_RESULT_OF(filch::fill(detail::first_items(first, n), value, o));

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
auto generate(R&& range, F&& f, const options& o = {}) -> detail::borrowed<R> {
  return detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::generate_with(fork, first, n, f, o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class F>
auto generate(I first, S last, F&& f, const options& o = {})
    -> FILCH_RESULT_OF(filch::generate(detail::iter_range(first, last), f, o));

/// Does the same for `n` elements from `first` on.
template <std::random_access_iterator I, class F>
auto generate_n(I first, std::iter_difference_t<I> n, F&& f, const options& o = {})
    -> FILCH_RESULT_OF(filch::generate(detail::first_items(first, n), f, o));

}  // namespace filch
