// count and count_if: the number of elements that equal a value, or for which a predicate holds.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <utility>

#include "filch/detail/split/finding.hpp"
#include "filch/detail/split/iter_range.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/reduce_blocks.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// Returns for how many indices of [from, to) `hit` holds. Hits in bytes are counted in bytes, so
/// that the processor counts as many at a time as it compares.
template <class Hit>
std::size_t count_numbers(std::size_t from, std::size_t to, const Hit& hit) {
  constexpr std::size_t stride = 32;
  std::size_t sum = 0;
  while (to - from >= stride) {
    unsigned char counts[stride] = {};
    for (unsigned char round = 0; round != 255 && to - from >= stride; ++round, from += stride)
      for (std::size_t k = 0; k != stride; ++k)
        counts[k] = static_cast<unsigned char>(counts[k] + static_cast<unsigned>(hit(from + k)));
    for (const unsigned char c : counts) sum += c;
  }
  for (; from != to; ++from) sum += static_cast<std::size_t>(hit(from));
  return sum;
}

template <fork_policy Fork, std::random_access_iterator I, class Pred, class Proj>
std::size_t count_if_with(const Fork& fork, I first, std::size_t n, Pred& pred, Proj& proj,
                          const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    std::size_t sum = 0;
    detail::each_of(first, from, to, [&](auto&& item) {
      if (std::invoke(pred, std::invoke(proj, static_cast<decltype(item)>(item)))) ++sum;
    });
    return sum;
  };
  return detail::reduce_blocks(fork, n, o, leaf, std::plus<std::size_t>{}).value_or(0);
}

template <fork_policy Fork, std::random_access_iterator I, class T, class Proj>
std::size_t count_with(const Fork& fork, I first, std::size_t n, const T& value, Proj& proj,
                       const options& o) {
  if constexpr (plain_search<I, T, Proj>) {
    const auto leaf = [p = n == 0 ? nullptr : std::to_address(first), v = value](std::size_t from,
                                                                                 std::size_t to) {
      return detail::count_numbers(from, to, [p, v](std::size_t i) { return p[i] == v; });
    };
    return detail::reduce_blocks(fork, n, o, leaf, std::plus<std::size_t>{}, cheap_items)
        .value_or(0);
  } else {
    auto equal = [&](auto&& item) { return static_cast<decltype(item)>(item) == value; };
    return detail::count_if_with(fork, first, n, equal, proj, o);
  }
}

template <class R>
using count_in = std::ranges::range_difference_t<R>;

template <splittable_range R, class Pred, class Proj>
count_in<R> count_if_of(R& range, Pred& pred, Proj& proj, const options& o) {
  return static_cast<count_in<R>>(launch(o, [&] {
    return detail::count_if_with(parallel_fork{}, std::ranges::begin(range), detail::size_of(range),
                                 pred, proj, o);
  }));
}

template <splittable_range R, class T, class Proj>
count_in<R> count_of(R& range, const T& value, Proj& proj, const options& o) {
  return static_cast<count_in<R>>(launch(o, [&] {
    return detail::count_with(parallel_fork{}, std::ranges::begin(range), detail::size_of(range),
                              value, proj, o);
  }));
}

}  // namespace detail

/// Returns the number of elements for which `pred` holds; with a projection, pred(proj(element)).
/// Standard library: std::ranges::count_if. Rayon: filter and count.
///
/// How      In parts, as parallel_for(). `pred` and `proj` are called once for each element, by
///          several threads at once.
/// Options, Throws, Threads, Memory, Cost  as parallel_for().
///
///     auto adults = filch::count_if(people, [](int age) { return age >= 18; }, &person::age);
template <detail::splittable_range R, detail::asks<std::identity, R> Pred>
[[nodiscard]] auto count_if(R&& range, Pred pred, const options& o = {}) -> detail::count_in<R> {
  std::identity self;
  return detail::count_if_of(range, pred, self, o);
}
template <detail::splittable_range R, class Proj = std::identity, detail::asks<Proj, R> Pred>
[[nodiscard]] auto count_if(R&& range, Pred pred, Proj proj, const options& o = {})
    -> detail::count_in<R> {
  return detail::count_if_of(range, pred, proj, o);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::asks<std::identity, detail::iter_range<I>> Pred>
[[nodiscard]] auto count_if(I first, S last, Pred pred, const options& o = {})
    -> std::iter_difference_t<I> {
  return filch::count_if(detail::iter_range(first, last), std::move(pred), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::asks<Proj, detail::iter_range<I>> Pred>
[[nodiscard]] auto count_if(I first, S last, Pred pred, Proj proj, const options& o = {})
    -> std::iter_difference_t<I> {
  return filch::count_if(detail::iter_range(first, last), std::move(pred), std::move(proj), o);
}

/// Returns the number of elements that equal `value`, after the projection if there is one.
/// Otherwise like count_if(). Standard library: std::ranges::count. If the elements are numbers,
/// characters, enumerators or pointers and `value` is of the same type, it runs at memory speed,
/// and the caller alone does fewer than 8192 elements.
///
///     auto lines = filch::count(text, '\n');
template <detail::splittable_range R, class T>
requires detail::findable<T, std::identity, std::ranges::iterator_t<R>>
[[nodiscard]] auto count(R&& range, const T& value, const options& o = {}) -> detail::count_in<R> {
  std::identity self;
  return detail::count_of(range, value, self, o);
}
template <detail::splittable_range R, class T, class Proj = std::identity>
requires detail::findable<T, Proj, std::ranges::iterator_t<R>>
[[nodiscard]] auto count(R&& range, const T& value, Proj proj, const options& o = {})
    -> detail::count_in<R> {
  return detail::count_of(range, value, proj, o);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class T>
requires detail::findable<T, std::identity, I>
[[nodiscard]] auto count(I first, S last, const T& value, const options& o = {})
    -> std::iter_difference_t<I> {
  return filch::count(detail::iter_range(first, last), value, o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class T,
          class Proj = std::identity>
requires detail::findable<T, Proj, I>
[[nodiscard]] auto count(I first, S last, const T& value, Proj proj, const options& o = {})
    -> std::iter_difference_t<I> {
  return filch::count(detail::iter_range(first, last), value, std::move(proj), o);
}

}  // namespace filch
