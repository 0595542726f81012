// mismatch, equal, lexicographical_compare: compare two ranges.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <utility>

#include "filch/detail/split/hits.hpp"
#include "filch/detail/split/iter_range.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/scanners.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

template <class F, class R1, class R2, class Proj1, class Proj2>
concept compares = std::indirectly_comparable<std::ranges::iterator_t<R1>,
                                              std::ranges::iterator_t<R2>, F, Proj1, Proj2>;

template <class F, class R1, class R2, class Proj1, class Proj2>
concept orders_both =
    std::indirect_strict_weak_order<F, std::projected<std::ranges::iterator_t<R1>, Proj1>,
                                    std::projected<std::ranges::iterator_t<R2>, Proj2>>;

/// Both ranges have numbers of one type, and == compares them.
template <class I1, class I2, class F, class Proj1, class Proj2>
concept plain_pairs = plain_items<I1> && plain_items<I2> &&
    std::same_as<std::iter_value_t<I1>, std::iter_value_t<I2>> &&
    (std::same_as<F, std::ranges::equal_to> || std::same_as<F, std::equal_to<>>)&&std::same_as<
        Proj1, std::identity>&& std::same_as<Proj2, std::identity>;

/// Returns the first index of [0, n), or any index, at which two ranges differ; `n` if they do not.
template <which Which, fork_policy Fork, class I1, class I2, class F, class Proj1, class Proj2>
std::size_t mismatch_with(const Fork& fork, I1 a, I2 b, std::size_t n, F& f, Proj1& proj1,
                          Proj2& proj2, const options& o) {
  if constexpr (plain_pairs<I1, I2, F, Proj1, Proj2>) {
    if (n == 0) return 0;
    const auto scan = [p = std::to_address(a), q = std::to_address(b)](std::size_t from,
                                                                       std::size_t to) {
      return detail::scan_for_difference(p, q, from, to);
    };
    return detail::find_hit<Which>(fork, n, o, scan, cheap_items);
  } else {
    const auto scan = [&](std::size_t from, std::size_t to) {
      I1 i = detail::at(a, from);
      for (I2 j = detail::at(b, from); from != to; ++from, ++i, ++j)
        if (!std::invoke(f, std::invoke(proj1, *i), std::invoke(proj2, *j))) return from;
      return to;
    };
    return detail::find_hit<Which>(fork, n, o, scan);
  }
}

template <which Which, splittable_range R1, splittable_range R2, class F, class Proj1, class Proj2>
std::size_t mismatch_of(R1& a, R2& b, F& f, Proj1& proj1, Proj2& proj2, const options& o) {
  return launch(o, [&] {
    return detail::mismatch_with<Which>(
        parallel_fork{}, std::ranges::begin(a), std::ranges::begin(b),
        std::min(detail::size_of(a), detail::size_of(b)), f, proj1, proj2, o);
  });
}

/// Returns the first index at which one of the two elements orders before the other; the shorter
/// length if there is none.
template <splittable_range R1, splittable_range R2, class F, class Proj1, class Proj2>
std::size_t first_of_other_rank(R1& a, R2& b, F& f, Proj1& proj1, Proj2& proj2, const options& o) {
  if constexpr (std::same_as<F, std::ranges::less> && std::same_as<Proj1, std::identity> &&
                std::same_as<Proj2, std::identity> &&
                std::integral<std::ranges::range_value_t<R1>> &&
                std::same_as<std::ranges::range_value_t<R1>, std::ranges::range_value_t<R2>>) {
    std::ranges::equal_to equal;  // integers are equal if neither is smaller
    return detail::mismatch_of<which::first>(a, b, equal, proj1, proj2, o);
  } else {
    const auto same_rank = [&](auto&& x, auto&& y) {
      return !std::invoke(f, x, y) && !std::invoke(f, y, x);
    };
    return detail::mismatch_of<which::first>(a, b, same_rank, proj1, proj2, o);
  }
}

}  // namespace detail

/// Finds the first position at which two ranges differ: where `f`, by default ==, does not hold for
/// the two elements after their projections. Standard library: std::ranges::mismatch.
///
/// How      As find_if(), over as many elements as both ranges have.
/// Returns  Both iterators; if nothing differs, those behind the last pair.
/// Options, Throws, Threads, Memory, Cost  as find_if(). Numbers, characters, enumerators and
///          pointers of one type are compared at memory speed; the caller alone compares fewer than
///          8192 of them.
///
///     auto [i, j] = filch::mismatch(before, after);
template <detail::splittable_range R1, detail::splittable_range R2, class Proj1 = std::identity,
          class Proj2 = std::identity,
          detail::compares<R1, R2, Proj1, Proj2> F = std::ranges::equal_to>
[[nodiscard]] auto mismatch(R1&& a, R2&& b, F f = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
                            const options& o = {})
    -> std::ranges::mismatch_result<std::ranges::borrowed_iterator_t<R1>,
                                    std::ranges::borrowed_iterator_t<R2>> {
  const std::size_t i = detail::mismatch_of<detail::which::first>(a, b, f, proj1, proj2, o);
  return {detail::at(std::ranges::begin(a), i), detail::at(std::ranges::begin(b), i)};
}
template <detail::splittable_range R1, detail::splittable_range R2>
[[nodiscard]] auto mismatch(R1&& a, R2&& b, const options& o)
    -> std::ranges::mismatch_result<std::ranges::borrowed_iterator_t<R1>,
                                    std::ranges::borrowed_iterator_t<R2>> {
  return filch::mismatch(std::forward<R1>(a), std::forward<R2>(b), std::ranges::equal_to{},
                         std::identity{}, std::identity{}, o);
}
template <detail::splittable_range R1, detail::splittable_range R2,
          detail::compares<R1, R2, std::identity, std::identity> F = std::ranges::equal_to>
[[nodiscard]] auto mismatch(R1&& a, R2&& b, F f, const options& o)
    -> std::ranges::mismatch_result<std::ranges::borrowed_iterator_t<R1>,
                                    std::ranges::borrowed_iterator_t<R2>> {
  return filch::mismatch(std::forward<R1>(a), std::forward<R2>(b), std::move(f), std::identity{},
                         std::identity{}, o);
}
/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2,
          class Proj1 = std::identity, class Proj2 = std::identity,
          detail::compares<detail::iter_range<I1>, detail::iter_range<I2>, Proj1, Proj2> F =
              std::ranges::equal_to>
[[nodiscard]] auto mismatch(I1 first1, S1 last1, I2 first2, S2 last2, F f = {}, Proj1 proj1 = {},
                            Proj2 proj2 = {}, const options& o = {})
    -> std::ranges::mismatch_result<I1, I2> {
  return filch::mismatch(detail::iter_range(first1, last1), detail::iter_range(first2, last2),
                         std::move(f), std::move(proj1), std::move(proj2), o);
}
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2>
[[nodiscard]] auto mismatch(I1 first1, S1 last1, I2 first2, S2 last2, const options& o)
    -> std::ranges::mismatch_result<I1, I2> {
  return filch::mismatch(detail::iter_range(first1, last1), detail::iter_range(first2, last2), o);
}
template <
    std::random_access_iterator I1, detail::splittable_end<I1> S1, std::random_access_iterator I2,
    detail::splittable_end<I2> S2,
    detail::compares<detail::iter_range<I1>, detail::iter_range<I2>, std::identity, std::identity>
        F = std::ranges::equal_to>
[[nodiscard]] auto mismatch(I1 first1, S1 last1, I2 first2, S2 last2, F f, const options& o)
    -> std::ranges::mismatch_result<I1, I2> {
  return filch::mismatch(detail::iter_range(first1, last1), detail::iter_range(first2, last2),
                         std::move(f), o);
}

/// Returns true if two ranges have the same length and equal elements. Otherwise like mismatch(),
/// but any difference ends the search. If the lengths differ, no element is compared. Standard
/// library: std::ranges::equal.
///
///     bool same = filch::equal(before, after);
template <detail::splittable_range R1, detail::splittable_range R2, class Proj1 = std::identity,
          class Proj2 = std::identity,
          detail::compares<R1, R2, Proj1, Proj2> F = std::ranges::equal_to>
[[nodiscard]] auto equal(R1&& a, R2&& b, F f = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
                         const options& o = {}) -> bool {
  if (detail::size_of(a) != detail::size_of(b)) return false;
  return detail::mismatch_of<detail::which::any>(a, b, f, proj1, proj2, o) == detail::size_of(a);
}
template <detail::splittable_range R1, detail::splittable_range R2>
[[nodiscard]] auto equal(R1&& a, R2&& b, const options& o) -> bool {
  return filch::equal(std::forward<R1>(a), std::forward<R2>(b), std::ranges::equal_to{},
                      std::identity{}, std::identity{}, o);
}
template <detail::splittable_range R1, detail::splittable_range R2,
          detail::compares<R1, R2, std::identity, std::identity> F = std::ranges::equal_to>
[[nodiscard]] auto equal(R1&& a, R2&& b, F f, const options& o) -> bool {
  return filch::equal(std::forward<R1>(a), std::forward<R2>(b), std::move(f), std::identity{},
                      std::identity{}, o);
}
/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2,
          class Proj1 = std::identity, class Proj2 = std::identity,
          detail::compares<detail::iter_range<I1>, detail::iter_range<I2>, Proj1, Proj2> F =
              std::ranges::equal_to>
[[nodiscard]] auto equal(I1 first1, S1 last1, I2 first2, S2 last2, F f = {}, Proj1 proj1 = {},
                         Proj2 proj2 = {}, const options& o = {}) -> bool {
  return filch::equal(detail::iter_range(first1, last1), detail::iter_range(first2, last2),
                      std::move(f), std::move(proj1), std::move(proj2), o);
}
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2>
[[nodiscard]] auto equal(I1 first1, S1 last1, I2 first2, S2 last2, const options& o) -> bool {
  return filch::equal(detail::iter_range(first1, last1), detail::iter_range(first2, last2), o);
}
template <
    std::random_access_iterator I1, detail::splittable_end<I1> S1, std::random_access_iterator I2,
    detail::splittable_end<I2> S2,
    detail::compares<detail::iter_range<I1>, detail::iter_range<I2>, std::identity, std::identity>
        F = std::ranges::equal_to>
[[nodiscard]] auto equal(I1 first1, S1 last1, I2 first2, S2 last2, F f, const options& o) -> bool {
  return filch::equal(detail::iter_range(first1, last1), detail::iter_range(first2, last2),
                      std::move(f), o);
}

/// Returns true if `a` orders before `b` lexicographically, with `f` (by default <) as the order of
/// elements. Otherwise like mismatch(). Standard library: std::ranges::lexicographical_compare.
///
///     bool before = filch::lexicographical_compare(a, b);
template <detail::splittable_range R1, detail::splittable_range R2, class Proj1 = std::identity,
          class Proj2 = std::identity,
          detail::orders_both<R1, R2, Proj1, Proj2> F = std::ranges::less>
[[nodiscard]] auto lexicographical_compare(R1&& a, R2&& b, F f = {}, Proj1 proj1 = {},
                                           Proj2 proj2 = {}, const options& o = {}) -> bool {
  const std::size_t n = std::min(detail::size_of(a), detail::size_of(b));
  const std::size_t i = detail::first_of_other_rank(a, b, f, proj1, proj2, o);
  if (i == n) return detail::size_of(a) < detail::size_of(b);
  return static_cast<bool>(std::invoke(f, std::invoke(proj1, *detail::at(std::ranges::begin(a), i)),
                                       std::invoke(proj2, *detail::at(std::ranges::begin(b), i))));
}
template <detail::splittable_range R1, detail::splittable_range R2>
[[nodiscard]] auto lexicographical_compare(R1&& a, R2&& b, const options& o) -> bool {
  return filch::lexicographical_compare(std::forward<R1>(a), std::forward<R2>(b),
                                        std::ranges::less{}, std::identity{}, std::identity{}, o);
}
template <detail::splittable_range R1, detail::splittable_range R2,
          detail::orders_both<R1, R2, std::identity, std::identity> F = std::ranges::less>
[[nodiscard]] auto lexicographical_compare(R1&& a, R2&& b, F f, const options& o) -> bool {
  return filch::lexicographical_compare(std::forward<R1>(a), std::forward<R2>(b), std::move(f),
                                        std::identity{}, std::identity{}, o);
}
/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2,
          class Proj1 = std::identity, class Proj2 = std::identity,
          detail::orders_both<detail::iter_range<I1>, detail::iter_range<I2>, Proj1, Proj2> F =
              std::ranges::less>
[[nodiscard]] auto lexicographical_compare(I1 first1, S1 last1, I2 first2, S2 last2, F f = {},
                                           Proj1 proj1 = {}, Proj2 proj2 = {},
                                           const options& o = {}) -> bool {
  return filch::lexicographical_compare(detail::iter_range(first1, last1),
                                        detail::iter_range(first2, last2), std::move(f),
                                        std::move(proj1), std::move(proj2), o);
}
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2>
[[nodiscard]] auto lexicographical_compare(I1 first1, S1 last1, I2 first2, S2 last2,
                                           const options& o) -> bool {
  return filch::lexicographical_compare(detail::iter_range(first1, last1),
                                        detail::iter_range(first2, last2), o);
}
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2,
          detail::orders_both<detail::iter_range<I1>, detail::iter_range<I2>, std::identity,
                              std::identity>
              F = std::ranges::less>
[[nodiscard]] auto lexicographical_compare(I1 first1, S1 last1, I2 first2, S2 last2, F f,
                                           const options& o) -> bool {
  return filch::lexicographical_compare(detail::iter_range(first1, last1),
                                        detail::iter_range(first2, last2), std::move(f), o);
}

}  // namespace filch
