// find, find_if, find_if_not: the first element that equals a value, or for which a predicate
// holds.
#pragma once

#include "filch/detail/kernel/finding.hpp"

namespace filch {

/// Finds the first element for which `pred` holds; with a projection, pred(proj(element)). Standard
/// library: std::ranges::find_if. Rayon: find_first.
///
/// How      The calling thread searches the beginning of the range for about a microsecond: a hit
///          there costs what it costs without threads. Then several threads search parts at once.
///          After a hit, no part behind it starts, and all parts before it are searched. `pred` and
///          `proj` are called by several threads at once, also for elements behind the first hit.
/// Returns  An iterator to the element; the end of the range if there is none; or
///          std::ranges::dangling.
/// Throws   As parallel_for(). What `pred` throws for an element behind the first hit may be thrown
///          too.
/// Options, Threads, Memory, Cost  as parallel_for(). At the end `progress` counts all elements as
///          done, wherever the search has ended.
///
///     auto i = filch::find_if(people, [](const person& p) { return p.age > 100; });
///     auto j = filch::find_if(people, [](int age) { return age > 100; }, &person::age);
///
/// See also `find_any_if`, if any element will do; `position`, for an index.
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto find_if(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                           const options& o = {}) -> detail::borrowed<R> {
  return detail::at(std::ranges::begin(range),
                    detail::index_if<detail::which::first>(range, detail::given(o, pred, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto find_if(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                           const options& o = {})
    -> FILCH_RESULT_OF(filch::find_if(detail::iter_range(first, last), std::move(pred), proj, o));

/// Finds the first element for which `pred` does not hold. Otherwise like find_if(). Standard
/// library: std::ranges::find_if_not.
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto find_if_not(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                               const options& o = {}) -> detail::borrowed<R> {
  return detail::at(std::ranges::begin(range), detail::index_if<detail::which::first, false>(
                                                   range, detail::given(o, pred, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto find_if_not(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                               const options& o = {})
    -> FILCH_RESULT_OF(filch::find_if_not(detail::iter_range(first, last), std::move(pred), proj,
                                          o));

/// Finds the first element with element == value, or proj(element) == value. Otherwise like
/// find_if(). Standard library: std::ranges::find. If the elements are numbers, characters,
/// enumerators or pointers and `value` is of the same type, it runs at memory speed, and the caller
/// alone searches fewer than 8192 elements.
///
///     auto i = filch::find(text, '\n');
template <detail::splittable_range R, class T, class Proj = options>
requires detail::findable<T, detail::or_default_t<Proj>, std::ranges::iterator_t<R>>
[[nodiscard]] auto find(R&& range, const T& value, Proj&& proj = detail::left_out(),
                        const options& o = {}) -> detail::borrowed<R> {
  return detail::at(
      std::ranges::begin(range),
      detail::index_of<detail::which::first>(range, value, detail::given<std::identity>(o, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class T, class Proj = options>
[[nodiscard]] auto find(I first, S last, const T& value, Proj&& proj = detail::left_out(),
                        const options& o = {})
    -> FILCH_RESULT_OF(filch::find(detail::iter_range(first, last), value, proj, o));

}  // namespace filch
