// count and count_if: the number of elements that equal a value, or for which a predicate holds.
#pragma once

#include "filch/detail/kernel/count.hpp"
#include "filch/detail/kernel/finding.hpp"

namespace filch {

/// Returns the number of elements for which `pred` holds; with a projection, pred(proj(element)).
/// Standard library: std::ranges::count_if. Rayon: filter and count.
///
/// How      In parts, as parallel_for(). `pred` and `proj` are called once for each element, by
///          several threads at once.
/// Options, Throws, Threads, Memory, Cost  as parallel_for().
///
///     auto adults = filch::count_if(people, [](int age) { return age >= 18; }, &person::age);
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto count_if(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                            const options& o = {}) -> detail::count_in<R> {
  auto by = detail::given(o, pred, proj);
  return static_cast<detail::count_in<R>>(
      detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
        return detail::count_if_with(fork, first, n, by.f, by.g, by.o);
      }));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto count_if(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                            const options& o = {})
    -> FILCH_RESULT_OF(filch::count_if(detail::iter_range(first, last), std::move(pred), proj, o));

/// Returns the number of elements that equal `value`, after the projection if there is one.
/// Otherwise like count_if(). Standard library: std::ranges::count. If the elements are numbers,
/// characters, enumerators or pointers and `value` is of the same type, it runs at memory speed,
/// and the caller alone does fewer than 8192 elements.
///
///     auto lines = filch::count(text, '\n');
template <detail::splittable_range R, class T, class Proj = options>
requires detail::findable<T, detail::or_default_t<Proj>, std::ranges::iterator_t<R>>
[[nodiscard]] auto count(R&& range, const T& value, Proj&& proj = detail::left_out(),
                         const options& o = {}) -> detail::count_in<R> {
  auto by = detail::given<std::identity>(o, proj);
  return static_cast<detail::count_in<R>>(
      detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
        return detail::count_with(fork, first, n, value, by.f, by.o);
      }));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class T, class Proj = options>
[[nodiscard]] auto count(I first, S last, const T& value, Proj&& proj = detail::left_out(),
                         const options& o = {})
    -> FILCH_RESULT_OF(filch::count(detail::iter_range(first, last), value, proj, o));

}  // namespace filch
