// What par() makes of its argument.
#pragma once

#include <initializer_list>

#include "filch/detail/chain/range_part.hpp"
#include "filch/detail/chain/sources.hpp"

namespace filch::detail {

template <class R>
inline constexpr bool is_par_range = false;
template <class Source, class Fork>
inline constexpr bool is_par_range<par_range<Source, Fork>> = true;

/// A parallel range, which has a source.
template <class R>
concept has_source = is_par_range<std::remove_cvref_t<R>>;

/// What par() accepts.
template <class R>
concept parallel = has_source<R> || plumbing::hooked<R> ||
    plumbing::source<std::remove_cvref_t<R>> || splittable_range<R>;

template <class R>
inline constexpr bool is_owning_view = false;
template <class R>
inline constexpr bool is_owning_view<std::ranges::single_view<R>> = true;
#if defined(__cpp_lib_ranges) && __cpp_lib_ranges >= 202110L
template <class R>
inline constexpr bool is_owning_view<std::ranges::owning_view<R>> = true;
#endif

/// A type like a view that is not declared as one: constness of the range does not make its
/// elements const, so it does not own them.
template <class R>
concept refers_to_elements = std::ranges::range<const R> &&
    std::is_lvalue_reference_v<std::ranges::range_reference_t<const R>> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<const R>>>;

/// A range, given as an R&&, whose elements may be moved out. It is not an lvalue, and not a view
/// of a range that another object owns.
template <class R>
concept gives_elements =
    !std::is_lvalue_reference_v<R> && !std::ranges::borrowed_range<R> && !refers_to_elements<R> &&
    (!std::ranges::view<std::remove_cvref_t<R>> || is_owning_view<std::remove_cvref_t<R>>);

template <splittable_range R>
auto source_of_borrowed(R& range) {
  if constexpr (separate_elements<std::ranges::iterator_t<R>>) {
    return borrowed_source<std::ranges::iterator_t<R>>{std::ranges::begin(range),
                                                       detail::size_of(range)};
  } else {
    static_assert(
        separate_elements<std::ranges::iterator_t<const R>>,
        "filch: several threads cannot write to a std::vector<bool>, whose elements share "
        "words, and this is a part of one. Take a part of it as const");
    return detail::source_of_borrowed(std::as_const(range));
  }
}

/// A parallel range hands over its source, and a source is one itself. An lvalue or a borrowed
/// range is borrowed. Any other range is owned, and its elements are moved out if it owns them.
template <parallel R>
auto source_for(R&& range) {
  if constexpr (has_source<R>) {
    static_assert(!std::is_const_v<std::remove_reference_t<R>>,
                  "filch: a parallel range that is const cannot be taken over by what it goes "
                  "into. Declare it without const, and move it: std::move(range)");
    static_assert(!std::is_lvalue_reference_v<R>,
                  "filch: a parallel range is taken over by what it goes into: std::move(range)");
    return std::forward<R>(range).take_source();
  } else if constexpr (plumbing::hooked<R>) {
    return par_source(static_cast<R&&>(range));
  } else if constexpr (plumbing::source<std::remove_cvref_t<R>>) {
    return std::remove_cvref_t<R>(static_cast<R&&>(range));
  } else if constexpr (std::ranges::borrowed_range<R> || std::is_lvalue_reference_v<R>) {
    return detail::source_of_borrowed(range);
  } else if constexpr (std::same_as<std::remove_cv_t<R>,
                                    std::initializer_list<std::ranges::range_value_t<R>>>) {
    static_assert(std::is_void_v<R>,
                  "filch: a std::initializer_list does not own its elements, and those of one "
                  "without a name end at once: make a std::vector of them");
  } else if constexpr (std::is_array_v<R>) {
    auto owned = std::to_array(static_cast<R&&>(range));
    return owned_source<decltype(owned)>{std::move(owned)};
  } else if constexpr (gives_elements<R>) {
    return owned_source<std::remove_const_t<R>>{static_cast<R&&>(range)};
  } else {
    return view_source<std::remove_const_t<R>>{static_cast<R&&>(range)};
  }
}

template <parallel R>
using source_type = decltype(detail::source_for(std::declval<R>()));

/// Something parallel with positions.
template <class R>
concept parallel_indexed = parallel<R> && plumbing::indexed_source<source_type<R>>;

}  // namespace filch::detail
