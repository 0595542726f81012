// Sorts a range.
#pragma once

#include "filch/detail/kernel/ordering.hpp"
#include "filch/detail/order/sort.hpp"

namespace filch::detail {

template <bool Stable, class Fork, std::random_access_iterator I, class Comp, class Proj>
void sort_range(const Fork& fork, I first, std::size_t n, Comp& comp, Proj& proj,
                const options& o) {
  detail::with_elements(first, n, [&](auto begin) {
    detail::sort_elements<Stable>(fork, begin, n, comp, proj, o.grain);
  });
}

/// Numbers that the library itself sorts in ascending order, so that programs need not compile
/// that.
template <class T>
concept number_of_library =
    std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, float> || std::same_as<T, double>;

/// Sorts them. `T` is a number_of_library. The declaration does not say so, because the library
/// defines this function (tools/check_symbols.py has the reason).
template <class T>
void sort_numbers(T* first, std::size_t n, const options& o);

/// May the library sort this range? No program can tell equal integers apart, so for those it makes
/// no difference whether the sort is stable. With a sanitizer the program sorts its numbers itself.
template <bool Stable, class I, class Comp, class Proj>
concept sorted_by_library =
    !watches_memory && std::contiguous_iterator<I> && element_iterator<I> &&
    number_of_library<std::iter_value_t<I>> && std::same_as<Proj, std::identity> &&
    (direction_of<Comp, std::iter_value_t<I>> > 0) &&
    (!Stable || std::integral<std::iter_value_t<I>>);

/// Returns the end of the range.
template <bool Stable, splittable_range R, class Given>
auto sort_of(R& range, Given&& by) {
  if constexpr (sorted_by_library<Stable, std::ranges::iterator_t<R>,
                                  std::remove_reference_t<decltype(by.f)>,
                                  std::remove_reference_t<decltype(by.g)>>) {
    detail::sort_numbers(std::to_address(std::ranges::begin(range)), detail::size_of(range), by.o);
    return detail::end_of(range);
  } else {
    return detail::order_range(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
      detail::sort_range<Stable>(fork, first, n, by.f, by.g, by.o);
    });
  }
}

}  // namespace filch::detail
