// transform: a new range from one or two others, element by element.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/split/iter_range.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/splitter.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// An iterator to which f(proj(element)) can be written.
template <class O, class F, class I, class Proj = std::identity>
concept transformed_to =
    std::random_access_iterator<O> && projected_call<F, Proj, I> && std::indirectly_writable<
        O, std::invoke_result_t<F&, std::invoke_result_t<Proj&, std::iter_reference_t<I>>>>;

template <class O, class F, class I1, class I2, class Proj1 = std::identity,
          class Proj2 = std::identity>
concept combined_to = std::random_access_iterator<O> && projection_of<Proj1, I1> &&
    projection_of<Proj2, I2> &&
    requires(F& f, Proj1& p1, Proj2& p2, const I1& i1, const I2& i2, const O& o) {
  *o = std::invoke(f, std::invoke(p1, *i1), std::invoke(p2, *i2));
};

template <fork_policy Fork, class I, class O, class F, class Proj>
void transform_with(const Fork& fork, I first, std::size_t n, O out, F& f, Proj& proj,
                    const options& o) {
  for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
    O result = detail::at(out, from);
    const I last = detail::at(first, to);
    for (I i = detail::at(first, from); i != last; ++i, ++result)
      *result = std::invoke(f, std::invoke(proj, *i));
  });
}

template <fork_policy Fork, class I1, class I2, class O, class F, class Proj1, class Proj2>
void transform_with(const Fork& fork, I1 first1, I2 first2, std::size_t n, O out, F& f,
                    Proj1& proj1, Proj2& proj2, const options& o) {
  for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
    O result = detail::at(out, from);
    I2 j = detail::at(first2, from);
    const I1 last = detail::at(first1, to);
    for (I1 i = detail::at(first1, from); i != last; ++i, ++j, ++result)
      *result = std::invoke(f, std::invoke(proj1, *i), std::invoke(proj2, *j));
  });
}

template <class I, class O, class F, class Proj>
auto transform_of(I first, std::size_t n, O out, F& f, Proj& proj, const options& o)
    -> std::ranges::in_out_result<I, O> {
  launch(o, [&] { detail::transform_with(parallel_fork{}, first, n, out, f, proj, o); });
  return {detail::at(first, n), detail::at(out, n)};
}

template <class I1, class I2, class O, class F, class Proj1, class Proj2>
auto transform_of(I1 first1, I2 first2, std::size_t n, O out, F& f, Proj1& proj1, Proj2& proj2,
                  const options& o) -> std::ranges::in_in_out_result<I1, I2, O> {
  launch(o, [&] {
    detail::transform_with(parallel_fork{}, first1, first2, n, out, f, proj1, proj2, o);
  });
  return {detail::at(first1, n), detail::at(first2, n), detail::at(out, n)};
}

}  // namespace detail

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
template <detail::splittable_range R, class O, class F>
requires detail::transformed_to<O, F, std::ranges::iterator_t<R>>
auto transform(R&& range, O out, F&& f, const options& o = {})
    -> std::ranges::unary_transform_result<std::ranges::borrowed_iterator_t<R>, O> {
  std::identity self;
  return detail::transform_of(std::ranges::begin(range), detail::size_of(range), out, f, self, o);
}

template <detail::splittable_range R, class O, class F, class Proj = std::identity>
requires detail::transformed_to<O, F, std::ranges::iterator_t<R>, Proj>
auto transform(R&& range, O out, F&& f, Proj proj, const options& o = {})
    -> std::ranges::unary_transform_result<std::ranges::borrowed_iterator_t<R>, O> {
  return detail::transform_of(std::ranges::begin(range), detail::size_of(range), out, f, proj, o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class O, class F>
requires detail::transformed_to<O, F, I>
auto transform(I first, S last, O out, F&& f, const options& o = {})
    -> std::ranges::unary_transform_result<I, O> {
  std::identity self;
  return detail::transform_of(first, detail::size_of(first, last), out, f, self, o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, class O, class F,
          class Proj = std::identity>
requires detail::transformed_to<O, F, I, Proj>
auto transform(I first, S last, O out, F&& f, Proj proj, const options& o = {})
    -> std::ranges::unary_transform_result<I, O> {
  return detail::transform_of(first, detail::size_of(first, last), out, f, proj, o);
}

/// Writes f(a, b) for the elements of two ranges, pair by pair, until the shorter one ends; with
/// projections, f(proj1(a), proj2(b)). Otherwise like the transform of one range.
///
///     filch::transform(x, y, y.begin(), [a](float xi, float yi) { return a * xi + yi; });
template <detail::splittable_range R1, detail::splittable_range R2, class O, class F>
requires detail::combined_to<O, F, std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>>
auto transform(R1&& range1, R2&& range2, O out, F&& f, const options& o = {})
    -> std::ranges::binary_transform_result<std::ranges::borrowed_iterator_t<R1>,
                                            std::ranges::borrowed_iterator_t<R2>, O> {
  std::identity self;
  return detail::transform_of(std::ranges::begin(range1), std::ranges::begin(range2),
                              std::min(detail::size_of(range1), detail::size_of(range2)), out, f,
                              self, self, o);
}

template <detail::splittable_range R1, detail::splittable_range R2, class O, class F,
          class Proj1 = std::identity, class Proj2 = std::identity>
requires detail::combined_to<O, F, std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Proj1,
                             Proj2>
auto transform(R1&& range1, R2&& range2, O out, F&& f, Proj1 proj1, Proj2 proj2 = {},
               const options& o = {})
    -> std::ranges::binary_transform_result<std::ranges::borrowed_iterator_t<R1>,
                                            std::ranges::borrowed_iterator_t<R2>, O> {
  return detail::transform_of(std::ranges::begin(range1), std::ranges::begin(range2),
                              std::min(detail::size_of(range1), detail::size_of(range2)), out, f,
                              proj1, proj2, o);
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2, class O, class F>
requires detail::combined_to<O, F, I1, I2>
auto transform(I1 first1, S1 last1, I2 first2, S2 last2, O out, F&& f, const options& o = {})
    -> std::ranges::binary_transform_result<I1, I2, O> {
  return filch::transform(detail::iter_range(first1, last1), detail::iter_range(first2, last2), out,
                          f, o);
}

template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2, class O, class F,
          class Proj1 = std::identity, class Proj2 = std::identity>
requires detail::combined_to<O, F, I1, I2, Proj1, Proj2>
auto transform(I1 first1, S1 last1, I2 first2, S2 last2, O out, F&& f, Proj1 proj1,
               Proj2 proj2 = {}, const options& o = {})
    -> std::ranges::binary_transform_result<I1, I2, O> {
  return filch::transform(detail::iter_range(first1, last1), detail::iter_range(first2, last2), out,
                          f, std::move(proj1), std::move(proj2), o);
}

}  // namespace filch
