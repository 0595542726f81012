// What par() makes of its argument.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/sources.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// A parallel range, which has a source.
template <class R>
concept has_source = requires(std::remove_cvref_t<R>& r) {
  typename std::remove_cvref_t<R>::source_type;
  { std::move(r).take_source() } -> std::same_as<typename std::remove_cvref_t<R>::source_type>;
};

/// A type whose namespace has a function that makes a source of it.
template <class R>
concept has_hook = requires(R&& r) {
  { par_source(static_cast<R&&>(r)) } -> plumbing::source;
};

/// What par() accepts.
template <class R>
concept parallel =
    has_source<R> || has_hook<R> || plumbing::source<std::remove_cvref_t<R>> || splittable_range<R>;

/// A parallel range gives its own source away, and a source is one. Elements of a range are
/// borrowed if somebody else keeps them, else owned.
template <parallel R>
auto source_for(R&& range) {
  if constexpr (has_source<R>) {
    static_assert(!std::is_lvalue_reference_v<R>,
                  "filch: a parallel range is taken over by what it goes into: std::move(range)");
    return std::forward<R>(range).take_source();
  } else if constexpr (has_hook<R>) {
    return par_source(static_cast<R&&>(range));
  } else if constexpr (plumbing::source<std::remove_cvref_t<R>>) {
    return std::remove_cvref_t<R>(static_cast<R&&>(range));
  } else if constexpr (std::ranges::borrowed_range<R> || std::is_lvalue_reference_v<R>) {
    return borrowed_source<std::ranges::iterator_t<R>>(std::ranges::begin(range),
                                                       detail::size_of(range));
  } else {
    return owned_source<R>(static_cast<R&&>(range));
  }
}

template <parallel R>
using source_type = decltype(detail::source_for(std::declval<R>()));

/// Something parallel with positions.
template <class R>
concept parallel_indexed = parallel<R> && plumbing::indexed_source<source_type<R>>;

}  // namespace filch::detail
