// unique and unique_copy: keep only the first of equal neighbours.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/subrange.hpp"
#include "filch/detail/split/blocks.hpp"
#include "filch/detail/split/iter_range.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/scanners.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// Two neighbours can be compared after the projection.
template <class Equal, class Proj, class I>
concept compares_neighbours = projection_of<Proj, I> &&
    requires(Equal& equal, std::invoke_result_t<Proj&, std::iter_reference_t<I>> a,
             std::invoke_result_t<Proj&, std::iter_reference_t<I>> b) {
  static_cast<bool>(std::invoke(equal, static_cast<decltype(a)>(a), static_cast<decltype(b)>(b)));
};

/// Returns a function that compares an element with the one before `end`. That is the previous
/// element, or a kept one that equals it.
template <class I, class Equal, class Proj>
auto differs_from_previous(Equal& equal, Proj& proj) {
  return [&](const I& i, const I& end) {
    return !static_cast<bool>(
        std::invoke(equal, std::invoke(proj, *std::ranges::prev(end)), std::invoke(proj, *i)));
  };
}

/// The options of a loop over all elements except the first. Its progress counts the first element
/// as done.
class but_for_first {
 public:
  /// `o` outlives this object.
  explicit but_for_first(const options& o) : all_(o) {
    if (!o.progress) return;
    adjusted_.emplace(o).progress = [&o](std::size_t done, std::size_t total) {
      o.progress(done + 1, total + 1);
    };
  }
  const options& operator*() const noexcept { return adjusted_ ? *adjusted_ : all_; }

 private:
  const options& all_;
  std::optional<options> adjusted_;
};

/// The number of comparisons of neighbours that are worth a fork.
template <class I, class Equal, class Proj>
inline constexpr std::size_t least_for_neighbours =
    std::same_as<std::remove_cvref_t<Equal>, std::ranges::equal_to>
        ? least_for_value<I, std::iter_value_t<I>, Proj>
        : 1;

template <fork_policy Fork, std::random_access_iterator I, class Equal, class Proj>
subrange<I> unique_with(const Fork& fork, I first, std::size_t n, Equal& equal, Proj& proj,
                        const options& o) {
  if (n < 2) {
    const I last = alone(n, o, [&] { return detail::at(first, n); });
    return {last, last};
  }
  const but_for_first rest(o);
  const std::size_t kept = detail::keep_with<true>(fork, detail::at(first, 1), n - 1, *rest,
                                                   detail::differs_from_previous<I>(equal, proj),
                                                   least_for_neighbours<I, Equal, Proj>);
  return {detail::at(first, 1 + kept), detail::at(first, n)};
}

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator O,
          class Equal, class Proj>
O unique_copy_with(const Fork& fork, I first, std::size_t n, O out, Equal& equal, Proj& proj,
                   const options& o) {
  const auto one = [&] {
    if (n != 0) *out = *first;
    return detail::at(out, n);
  };
  if (n < 2) return alone(n, o, one);
  const but_for_first rest(o);
  const auto differs = detail::differs_from_previous<I>(equal, proj);
  const O end = detail::copy_selected_with(
      fork, detail::at(first, 1), n - 1, detail::at(out, 1), *rest,
      [&](const I& i) { return differs(i, i); }, least_for_neighbours<I, Equal, Proj>);
  *out = *first;
  return end;
}

template <class I, class Equal, class Proj>
subrange<I> unique_of(I first, std::size_t n, Equal& equal, Proj& proj, const options& o) {
  return launch(o, [&] { return detail::unique_with(parallel_fork{}, first, n, equal, proj, o); });
}

template <class I, class O, class Equal, class Proj>
std::ranges::unique_copy_result<I, O> unique_copy_of(I first, std::size_t n, O out, Equal& equal,
                                                     Proj& proj, const options& o) {
  return launch(o, [&]() -> std::ranges::unique_copy_result<I, O> {
    return {detail::at(first, n),
            detail::unique_copy_with(parallel_fork{}, first, n, out, equal, proj, o)};
  });
}

}  // namespace detail

/// Moves the first element of every group of equal neighbours to the front, in their order.
/// Standard library: std::ranges::unique.
///
/// How      Every element is compared with the one before it, several at once, before any element
///          moves: equal(proj(previous), proj(element)), an equivalence relation. Then as
///          remove_if().
/// Returns, Options, Throws, Threads, Memory, Cost  as remove_if(). Without `equal` and `proj`, the
///          caller alone does fewer than 8192 numbers.
///
///     filch::sort(v);
///     const auto doubles = filch::unique(v);
///     v.erase(doubles.begin(), doubles.end());
template <detail::splittable_range R>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::compares_neighbours<std::ranges::equal_to, std::identity, std::ranges::iterator_t<R>>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    R&& range, const options& o = {}) -> detail::borrowed_part<R> {
  std::ranges::equal_to equal;
  std::identity self;
  return detail::unique_of(std::ranges::begin(range), detail::size_of(range), equal, self, o);
}

template <detail::splittable_range R, class Equal = std::ranges::equal_to>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::compares_neighbours<Equal, std::identity, std::ranges::iterator_t<R>>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    R&& range, Equal&& equal, const options& o = {}) -> detail::borrowed_part<R> {
  std::identity self;
  return detail::unique_of(std::ranges::begin(range), detail::size_of(range), equal, self, o);
}

template <detail::splittable_range R, class Equal = std::ranges::equal_to,
          class Proj = std::identity>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::compares_neighbours<Equal, Proj, std::ranges::iterator_t<R>>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    R&& range, Equal&& equal, Proj proj, const options& o = {}) -> detail::borrowed_part<R> {
  return detail::unique_of(std::ranges::begin(range), detail::size_of(range), equal, proj, o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::permutable I, detail::splittable_end<I> S, class Equal = std::ranges::equal_to,
          class Proj = std::identity>
requires detail::compares_neighbours<Equal, Proj, I>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    I first, S last, Equal equal = {}, Proj proj = {}, const options& o = {}) -> subrange<I> {
  return detail::unique_of(first, detail::size_of(first, last), equal, proj, o);
}

template <std::permutable I, detail::splittable_end<I> S, class Equal = std::ranges::equal_to>
requires detail::compares_neighbours<Equal, std::identity, I>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(I first, S last,
                                                                                   Equal equal,
                                                                                   const options& o)
    -> subrange<I> {
  return filch::unique(detail::iter_range(first, last), equal, o);
}

template <std::permutable I, detail::splittable_end<I> S>
requires detail::compares_neighbours<std::ranges::equal_to, std::identity, I>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(I first, S last,
                                                                                   const options& o)
    -> subrange<I> {
  return filch::unique(detail::iter_range(first, last), o);
}

/// Copies the first element of every group of equal neighbours to the elements from `out` on.
/// Standard library: std::ranges::unique_copy. It compares like unique() and copies like copy_if().
template <detail::splittable_range R, std::random_access_iterator O,
          class Equal = std::ranges::equal_to, class Proj = std::identity>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O> &&
    detail::compares_neighbours<Equal, Proj, std::ranges::iterator_t<R>>
auto unique_copy(R&& range, O out, Equal&& equal, Proj proj = {}, const options& o = {})
    -> std::ranges::unique_copy_result<std::ranges::borrowed_iterator_t<R>, O> {
  return detail::unique_copy_of(std::ranges::begin(range), detail::size_of(range), out, equal, proj,
                                o);
}

template <detail::splittable_range R, std::random_access_iterator O,
          class Equal = std::ranges::equal_to>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O> &&
    detail::compares_neighbours<Equal, std::identity, std::ranges::iterator_t<R>>
auto unique_copy(R&& range, O out, Equal&& equal, const options& o)
    -> std::ranges::unique_copy_result<std::ranges::borrowed_iterator_t<R>, O> {
  return filch::unique_copy(std::forward<R>(range), out, equal, std::identity(), o);
}

template <detail::splittable_range R, std::random_access_iterator O>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O> &&
    detail::compares_neighbours<std::ranges::equal_to, std::identity, std::ranges::iterator_t<R>>
auto unique_copy(R&& range, O out, const options& o = {})
    -> std::ranges::unique_copy_result<std::ranges::borrowed_iterator_t<R>, O> {
  return filch::unique_copy(std::forward<R>(range), out, std::ranges::equal_to(), o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, std::random_access_iterator O,
          class Equal = std::ranges::equal_to, class Proj = std::identity>
requires std::indirectly_copyable<I, O> && detail::compares_neighbours<Equal, Proj, I>
auto unique_copy(I first, S last, O out, Equal equal = {}, Proj proj = {}, const options& o = {})
    -> std::ranges::unique_copy_result<I, O> {
  return filch::unique_copy(detail::iter_range(first, last), out, equal, std::move(proj), o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, std::random_access_iterator O,
          class Equal = std::ranges::equal_to>
requires std::indirectly_copyable<I, O> && detail::compares_neighbours<Equal, std::identity, I>
auto unique_copy(I first, S last, O out, Equal equal, const options& o)
    -> std::ranges::unique_copy_result<I, O> {
  return filch::unique_copy(detail::iter_range(first, last), out, equal, o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, std::random_access_iterator O>
requires std::indirectly_copyable<I, O> &&
    detail::compares_neighbours<std::ranges::equal_to, std::identity, I>
auto unique_copy(I first, S last, O out, const options& o)
    -> std::ranges::unique_copy_result<I, O> {
  return filch::unique_copy(detail::iter_range(first, last), out, o);
}

}  // namespace filch
