// position: the index of the first element for which a predicate holds.
#pragma once

#include "filch/detail/kernel/finding.hpp"

namespace filch {

/// Returns the index of the first element for which `pred` holds; with a projection,
/// pred(proj(element)). Rayon: position_first. Standard library: std::ranges::find_if, as a
/// distance from the beginning.
///
/// Returns  The index; nullopt if there is none.
/// How, Options, Throws, Threads, Memory, Cost  as find_if().
///
///     std::optional<std::size_t> i = filch::position(v, [](int n) { return n < 0; });
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto position(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                            const options& o = {}) -> std::optional<std::size_t> {
  const std::size_t i = detail::index_if<detail::which::first>(range, detail::given(o, pred, proj));
  return i == detail::size_of(range) ? std::nullopt : std::optional(i);
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto position(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                            const options& o = {})
    -> FILCH_RESULT_OF(filch::position(detail::iter_range(first, last), std::move(pred), proj, o));

}  // namespace filch
