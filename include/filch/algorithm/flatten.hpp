// flatten: the elements of several ranges, one after the other.
#pragma once

#include "filch/detail/kernel/flatten.hpp"
#include "filch/detail/kernel/front.hpp"

namespace filch {

/// Returns the elements of all ranges in `ranges`, one after the other, as a new vector. Rayon:
/// flatten. Standard library: std::views::join.
///
/// How      The elements are divided among threads, not the ranges: several threads copy a range
///          that is much larger than the others. The inner ranges have random access and a size.
/// Options, Threads, Memory  as parallel_for(); its numbers are the elements.
/// Throws   As parallel_for(); what copying throws; `std::bad_alloc`; `usage_error` if there are
///          more elements than a vector can have. The ranges stay unchanged.
/// Cost     A copy for each element, and a number for each range. Elements that cannot be copied as
///          bytes are moved once more, as in pack(). The caller alone does less than 64 KiB of
///          elements that are copied as bytes.
///
///     std::vector<std::vector<int>> found = ...;
///     const std::vector<int> all = filch::flatten(found);
template <detail::range_of_ranges R>
[[nodiscard]] auto flatten(R&& ranges, const options& o = {})
    -> std::vector<std::iter_value_t<detail::inner_iterator<R>>> {
  using value = std::iter_value_t<detail::inner_iterator<R>>;
  return detail::launch_on(ranges, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::flatten_with<value>(fork, first, n, o);
  });
}

/// Does the same for the ranges from `first` up to `last`.
template <class I, detail::splittable_end<I> S>
[[nodiscard]] auto flatten(I first, S last, const options& o = {})
    -> FILCH_RESULT_OF(filch::flatten(detail::iter_range(first, last), o));

/// Copies to the elements from `out` on instead: random access, existing elements, no overlap.
/// Throws `usage_error` if there are more elements than std::size_t can count.
///
/// Returns  The end of the copies.
template <detail::range_of_ranges R, std::random_access_iterator O>
requires std::indirectly_copyable<detail::inner_iterator<R>, O>
auto flatten(R&& ranges, O out, const options& o = {}) -> O {
  return detail::launch_on(ranges, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::flatten_with(fork, first, n, out, o);
  });
}

template <class I, detail::splittable_end<I> S, class O>
auto flatten(I first, S last, O out, const options& o = {})
    -> FILCH_RESULT_OF(filch::flatten(detail::iter_range(first, last), out, o));

}  // namespace filch
