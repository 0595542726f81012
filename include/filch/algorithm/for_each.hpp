// for_each: calls a function for every element of a range.
#pragma once

#include "filch/detail/kernel/for_each.hpp"
#include "filch/detail/kernel/front.hpp"

namespace filch {

/// Calls f(element) for every element of `range`, several at once; with a projection,
/// f(proj(element)). Standard library: std::ranges::for_each; std::for_each with
/// std::execution::par.
///
/// How      As parallel_for(): in parts, within which the order is that of the range. `f` and
///          `proj` are not copied: several threads call them at once.
/// Returns  The end of the range, or std::ranges::dangling. (std::ranges::for_each also returns
///          `f`, because it moved it. Here `f` is not moved.)
/// Options, Throws, Threads, Memory, Cost  as parallel_for(). Elements for which `f` was not called
///          are unchanged. Elements that share a word, such as those of a std::vector<bool>, must
///          not be written, because two threads may work on neighbours.
///
///     filch::for_each(v, [](auto& e) { e *= 2; });
///     filch::for_each(v, f, {.grain = 64});
///     filch::for_each(people, greet, &person::name);
template <detail::splittable_range R, class F, class Proj = options>
requires detail::takes<R, F, Proj>
auto for_each(R&& range, F&& f, Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed<R> {
  auto by = detail::given(o, f, proj);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::for_each_with(fork, first, n, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class F, class Proj = options>
auto for_each(I first, S last, F&& f, Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::for_each(detail::iter_range(first, last), f, proj, o));

/// Does the same for `n` elements from `first` on.
template <std::random_access_iterator I, class F, class Proj = options>
auto for_each_n(I first, std::iter_difference_t<I> n, F&& f, Proj&& proj = detail::left_out(),
                const options& o = {})
    -> FILCH_RESULT_OF(filch::for_each(detail::first_items(first, n), f, proj, o));

}  // namespace filch
