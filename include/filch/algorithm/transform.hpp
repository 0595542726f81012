// transform: a new range from one or two others, element by element.
#pragma once

#include "filch/detail/kernel/transform.hpp"

namespace filch {

/// Writes f(element) for every element of `range` to the elements from `out` on, several at once;
/// with a projection, f(proj(element)). Standard library: std::ranges::transform. Rayon: map and
/// collect.
///
/// How      As parallel_for(). `out` may be the beginning of the same range; otherwise the two must
///          not overlap. The output must have space for all results: nothing is inserted.
/// Returns  The ends of the input and of the output.
/// Throws   as parallel_for(). What has been written stays.
/// Options, Threads, Memory, Cost  as parallel_for().
///
///     std::vector<std::size_t> lengths(words.size());
///     filch::transform(words, lengths.begin(), &std::string::size);
template <detail::splittable_range R, class O, class F, class Proj = options>
requires detail::transformed_to<R, O, F, Proj>
auto transform(R&& range, O out, F&& f, Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::unary_transform_result<detail::borrowed<R>, O> {
  auto by = detail::given(o, f, proj);
  detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    detail::transform_with(fork, first, n, out, by.f, by.g, by.o);
  });
  return {detail::end_of(range), detail::at(out, detail::size_of(range))};
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O, class F, class Proj = options>
auto transform(I first, S last, O out, F&& f, Proj&& proj = detail::left_out(),
               const options& o = {})
    -> FILCH_RESULT_OF(filch::transform(detail::iter_range(first, last), out, f, proj, o));

/// Writes f(a, b) for the elements of two ranges, pair by pair, until the shorter one ends; with
/// projections, f(proj1(a), proj2(b)). Otherwise like the transform of one range.
///
///     filch::transform(x, y, y.begin(), [a](float xi, float yi) { return a * xi + yi; });
template <detail::splittable_range R1, detail::splittable_range R2, class O, class F,
          class Proj1 = options, class Proj2 = options>
requires detail::combined_to<R1, R2, O, F, Proj1, Proj2>
auto transform(R1&& range1, R2&& range2, O out, F&& f, Proj1&& proj1 = detail::left_out(),
               Proj2&& proj2 = detail::left_out(), const options& o = {})
    -> std::ranges::binary_transform_result<detail::borrowed<R1>, detail::borrowed<R2>, O> {
  auto by = detail::given(o, f, proj1, proj2);
  const auto second = std::ranges::begin(range2);
  const std::size_t n = std::min(detail::size_of(range1), detail::size_of(range2));
  detail::launch_on(range1, by.o, [&](const auto& fork, auto first, std::size_t) {
    detail::transform_with(fork, first, second, n, out, by.f, by.g, by.h, by.o);
  });
  return {detail::at(std::ranges::begin(range1), n), detail::at(second, n), detail::at(out, n)};
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2, class O,
          class F, class Proj1 = options, class Proj2 = options>
auto transform(I1 first1, S1 last1, I2 first2, S2 last2, O out, F&& f,
               Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
               const options& o = {})
    -> FILCH_RESULT_OF(filch::transform(detail::iter_range(first1, last1),
                                        detail::iter_range(first2, last2), out, f, proj1, proj2,
                                        o));

}  // namespace filch
