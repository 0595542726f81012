// partial_sort, partial_sort_copy, top_k: the elements that order first, sorted.
#pragma once

#include "filch/detail/kernel/partial_sort.hpp"

namespace filch {

/// Sorts the elements that belong before `middle`, and puts them there. The others follow in
/// unspecified order. Standard library: std::ranges::partial_sort.
///
/// Returns  The end of the range.
/// How, NaN, Options, Throws, Threads, Memory  as sort().
/// Cost     As nth_element(), and then sort() of the elements before `middle`.
///
///     filch::partial_sort(v, v.begin() + 10);
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::sortable_by<R, Comp, Proj>
auto partial_sort(R&& range, std::ranges::iterator_t<R> middle, Comp&& comp = detail::left_out(),
                  Proj&& proj = detail::left_out(), const options& o = {}) -> detail::borrowed<R> {
  auto by = detail::given<std::ranges::less>(o, comp, proj);
  return detail::order_range(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    detail::partial_sort_with(fork, first, detail::size_of(first, middle), n, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
auto partial_sort(I first, I middle, S last, Comp&& comp = detail::left_out(),
                  Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::partial_sort(detail::iter_range(first, last), middle, comp, proj, o));

/// Copies the elements of `range` that order first to `out`, sorted: as many as fit there, at most
/// all. `range` stays unchanged. Standard library: std::ranges::partial_sort_copy. Unlike there,
/// the comparator sees only elements of `range`, by the first projection; the second projection,
/// which std applies to the copies, is not called.
///
/// Returns  The end of the range, and the end of the copies (in, out).
/// Throws   What `comp`, `proj1` and copying throw; `std::bad_alloc`; `cancelled`; `usage_error` if
///          a vector cannot have twice as many positions as there are copies.
/// Options, Threads, Memory  as sort().
/// Cost     O(n + k log k) comparisons for k copies of elements in random order, O(n log k) at
///          worst; memory for k positions per part.
template <detail::splittable_range R1, detail::splittable_range R2, class Comp = options,
          class Proj1 = options, class Proj2 = options>
requires detail::copies_first<R1, R2, Comp, Proj1, Proj2>
auto partial_sort_copy(R1&& range, R2&& out, Comp&& comp = detail::left_out(),
                       Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                       const options& o = {})
    -> std::ranges::partial_sort_copy_result<detail::borrowed<R1>, detail::borrowed<R2>> {
  auto by = detail::given<std::ranges::less>(o, comp, proj1, proj2);
  auto to = std::ranges::begin(out);
  detail::with_first_positions(range, detail::size_of(out), by, [&](const auto& found) {
    for (const auto& position : found) {
      *to = *position;
      ++to;
    }
  });
  return {detail::end_of(range), std::move(to)};
}

/// Does the same for the elements from `first1` up to `last1`, and the output from `first2` up to
/// `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2,
          class Comp = options, class Proj1 = options, class Proj2 = options>
auto partial_sort_copy(I1 first1, S1 last1, I2 first2, S2 last2, Comp&& comp = detail::left_out(),
                       Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                       const options& o = {})
    -> FILCH_RESULT_OF(filch::partial_sort_copy(detail::iter_range(first1, last1),
                                                detail::iter_range(first2, last2), comp, proj1,
                                                proj2, o));

/// Returns copies of the `k` elements that order first by `comp`, in that order; all elements if
/// there are fewer than k. By default these are the largest, and the largest of all is the first.
/// Equal elements come in unspecified order.
///
/// Options, Throws, Threads, Memory, Cost  as partial_sort_copy().
///
///     const std::vector<score> best = filch::top_k(scores, 10);
///     const auto nearest = filch::top_k(cities, 3, std::less{}, distance_from_here);
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::copies_best<R, Comp, Proj>
[[nodiscard]] auto top_k(R&& range, std::size_t k, Comp&& comp = detail::left_out(),
                         Proj&& proj = detail::left_out(), const options& o = {})
    -> std::vector<std::ranges::range_value_t<R>> {
  auto by = detail::given<std::ranges::greater>(o, comp, proj);
  std::vector<std::ranges::range_value_t<R>> best;
  detail::with_first_positions(range, k, by, [&](const auto& found) {
    best.reserve(found.size());
    for (const auto& position : found) best.push_back(*position);
  });
  return best;
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
[[nodiscard]] auto top_k(I first, S last, std::size_t k, Comp&& comp = detail::left_out(),
                         Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::top_k(detail::iter_range(first, last), k, comp, proj, o));

}  // namespace filch
