// histogram: how often each number of a small range occurs.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/histogram.hpp"

namespace filch {

/// Counts how often each number from 0 up to, but not including, `keys` occurs in `range`; with
/// `key`, how often it is key(element). ParlayLib: histogram_by_index.
///
/// How      Every part of the range is counted in a table of its own; then the tables are added.
///          `key` is called once for each element, several at once.
/// Returns  A vector of `keys` counts.
/// Options, Threads, Memory  as parallel_for().
/// Throws   `usage_error` if there is another number in the range, or if a vector cannot have
///          `keys` elements; as parallel_for(); `std::bad_alloc`.
/// Cost     Up to eight tables for each worker. With fewer than 8 * keys elements there is one
///          table, and the calling thread counts alone. If there are many keys, or they are not
///          numbers, see count_by_key().
///
///     const std::vector<std::size_t> grey = filch::histogram(pixels, 256);
///     const auto ages = filch::histogram(people, 150, &person::age);
template <detail::splittable_range R, class Key = options>
requires detail::histogram_key<detail::or_default_t<Key>, std::ranges::iterator_t<R>>
[[nodiscard]] auto histogram(R&& range, std::size_t keys, Key&& key = detail::left_out(),
                             const options& o = {}) -> std::vector<std::size_t> {
  auto by = detail::given<std::identity>(o, key);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::histogram_with(fork, first, n, keys, by.f, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Key = options>
[[nodiscard]] auto histogram(I first, S last, std::size_t keys, Key&& key = detail::left_out(),
                             const options& o = {})
    -> FILCH_RESULT_OF(filch::histogram(detail::iter_range(first, last), keys, key, o));

}  // namespace filch
