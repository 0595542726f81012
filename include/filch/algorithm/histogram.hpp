// histogram: how often each number of a small range occurs.
#pragma once

#include "filch/detail/base/config.hpp"

#include <ranges>

#include "filch/detail/kernel/histogram.hpp"
#include "filch/detail/kernel/optional_arguments.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/iter_range.hpp"
#include "filch/detail/loop/launch.hpp"

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
  auto&& number = detail::or_default(key);
  const options& all = detail::options_of(o, key);
  return detail::launch(all, [&] {
    return detail::histogram_with(detail::parallel_fork{}, std::ranges::begin(range),
                                  detail::size_of(range), keys, number, all);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Key = options>
[[nodiscard]] auto histogram(I first, S last, std::size_t keys, Key&& key = detail::left_out(),
                             const options& o = {})
    -> decltype(filch::histogram(detail::iter_range(first, last), keys, key, o)) {
  return filch::histogram(detail::iter_range(first, last), keys, key, o);
}

}  // namespace filch
