// The indices of the smallest and of the largest element.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/number_search.hpp"
#include "filch/detail/loop/reduce_blocks.hpp"

namespace filch::detail {

/// Indices of a smallest and a largest element.
struct extremes {
  std::size_t least;
  std::size_t most;
};

template <class Comp, class T>
concept ascending = std::same_as<Comp, std::ranges::less> || std::same_as<Comp, std::less<>> ||
    std::same_as<Comp, std::less<T>>;

/// Numbers in ascending or descending order.
template <class Comp, class T>
concept usual_order = std::is_arithmetic_v<T> &&
    (ascending<Comp, T> || std::same_as<Comp, std::ranges::greater> ||
     std::same_as<Comp, std::greater<>> || std::same_as<Comp, std::greater<T>>);

/// Is it known that all items have an order? NaNs have none, nor have objects that contain a NaN,
/// and about a user's comparator nothing is known. Without an order, the result depends on which
/// items are compared.
template <class Comp, class T>
inline constexpr bool surely_ordered = usual_order<Comp, T>&& std::integral<T>;

/// Numbers in ascending or descending order, without a projection: searched many at a time.
template <class I, class Comp, class Proj>
concept plain_order =
    plain_items<I> && std::same_as<Proj, std::identity> && usual_order<Comp, std::iter_value_t<I>>;

/// Looks for the first smallest (or the first or last largest) of numbers in the order of `Comp`.
template <bool Largest, tie Tie, class Comp, class T>
using extremum_search = number_search<Largest == ascending<Comp, T>, Tie, T>;

/// The index of the first or last of the largest (or smallest) numbers in [from, to).
template <bool Largest, tie Tie, class T>
std::size_t extremum_of_numbers(const T* p, std::size_t from, std::size_t to) {
  number_search<Largest, Tie, T> search(p, p[from]);
  search.take(from, to);
  return search.found(from);
}

/// What elements are compared by.
template <class I, class Proj>
using key_of_element = std::remove_cvref_t<std::invoke_result_t<Proj&, std::iter_reference_t<I>>>;

/// Elements that are compared by numbers, in ascending or descending order.
template <class I, class Comp, class Proj>
concept ordered_by_numbers = usual_order<Comp, key_of_element<I, Proj>>;

/// The first smallest (or the first or last largest) of elements that are compared by numbers. It
/// asks for some numbers, each once, and then compares them.
template <bool Largest, tie Tie, class Comp, std::random_access_iterator I, class Proj>
std::size_t extremum_by_number(const I& first, std::size_t from, std::size_t to, Proj& proj) {
  using T = key_of_element<I, Proj>;
  using search = extremum_search<Largest, Tie, Comp, T>;
  I i = detail::at(first, from);
  std::size_t best = from;
  T top = std::invoke(proj, *i);
  std::array<T, search::block> numbers;
  for (++i, ++from; from != to;) {
    const std::size_t count = std::min(to - from, numbers.size());
    for (std::size_t k = 0; k != count; ++k, ++i) numbers[k] = std::invoke(proj, *i);
    search some(numbers.data(), top);
    some.take(0, count);
    if (const std::size_t k = some.found(count); k != count) {
      best = from + k;
      top = numbers[k];
    }
    from += count;
  }
  return best;
}

/// Returns combine(leaf(0, a), leaf(a, b), ...) for n > 0 elements, which are numbers if `Plain`.
/// The result for integers does not depend on where the range is cut. For others it may: some
/// elements, such as NaNs, have no order. With options::deterministic the range is then cut at
/// fixed positions.
template <class I, bool Plain, fork_policy Fork, class Leaf, class Combine>
auto best_of_parts(const Fork& fork, std::size_t n, const options& o, const Leaf& leaf,
                   const Combine& combine) {
  constexpr std::size_t least = Plain ? cheap_items : 1;  // others may be expensive to compare
  if constexpr (Plain && std::integral<std::iter_value_t<I>>)
    return *detail::reduce_blocks(fork, n, o, leaf, combine, least);
  else
    return *detail::reduce_as_asked(fork, n, o, leaf, combine, least);
}

/// How two of the elements from `first` on compare.
template <class I, class Comp, class Proj>
struct element_comparison {
  I first;
  Comp& comp;
  Proj& proj;

  bool less(const I& a, const I& b) const {
    return static_cast<bool>(std::invoke(comp, std::invoke(proj, *a), std::invoke(proj, *b)));
  }
  /// Does `b`, which comes later, replace `a` as the smallest (or largest)?
  template <bool Largest, tie Tie>
  bool replaces(const I& b, const I& a) const {
    if constexpr (!Largest)
      return less(b, a);
    else if constexpr (Tie == tie::first)
      return less(a, b);
    else
      return !less(b, a);
  }
  template <bool Largest, tie Tie>
  std::size_t better(std::size_t a, std::size_t b) const {
    return replaces<Largest, Tie>(detail::at(first, b), detail::at(first, a)) ? b : a;
  }
  /// The index of the best of [from, to).
  template <bool Largest, tie Tie>
  std::size_t best(std::size_t from, std::size_t to) const {
    std::size_t found = from;
    I at_found = detail::at(first, from);
    for (I i = detail::at(first, ++from); from < to; ++from, ++i) {
      if (!replaces<Largest, Tie>(i, at_found)) continue;
      found = from;
      at_found = i;
    }
    return found;
  }
};

/// The index of the first smallest (or the first or last largest) of n > 0 elements.
template <bool Largest, tie Tie, fork_policy Fork, std::random_access_iterator I, class Comp,
          class Proj>
std::size_t extremum_with(const Fork& fork, I first, std::size_t n, Comp& comp, Proj& proj,
                          const options& o) {
  const element_comparison<I, Comp, Proj> compare{first, comp, proj};
  constexpr bool plain = plain_order<I, Comp, Proj>;
  const auto leaf = [&](std::size_t from, std::size_t to) {
    if constexpr (plain)
      return detail::extremum_of_numbers<Largest == ascending<Comp, std::iter_value_t<I>>, Tie>(
          std::to_address(first), from, to);
    else if constexpr (ordered_by_numbers<I, Comp, Proj>)
      return detail::extremum_by_number<Largest, Tie, Comp>(first, from, to, proj);
    else
      return compare.template best<Largest, Tie>(from, to);
  };
  const auto combine = [&](std::size_t a, std::size_t b) {
    return compare.template better<Largest, Tie>(a, b);
  };
  return detail::best_of_parts<I, plain>(fork, n, o, leaf, combine);
}

/// The indices of the first smallest and the last largest of n > 0 elements, found in one pass.
template <fork_policy Fork, std::random_access_iterator I, class Comp, class Proj>
extremes extremes_with(const Fork& fork, I first, std::size_t n, Comp& comp, Proj& proj,
                       const options& o) {
  const element_comparison<I, Comp, Proj> compare{first, comp, proj};
  constexpr bool plain = plain_order<I, Comp, Proj>;
  const auto combine = [&](extremes a, extremes b) {
    return extremes{compare.template better<false, tie::first>(a.least, b.least),
                    compare.template better<true, tie::last>(a.most, b.most)};
  };
  const auto leaf = [&](std::size_t from, std::size_t to) {
    if constexpr (plain) {
      using T = std::iter_value_t<I>;
      const T* const p = std::to_address(first);
      extremum_search<false, tie::first, Comp, T> least(p, p[from]);
      extremum_search<true, tie::last, Comp, T> most(p, p[from]);
      detail::take_both(least, most, from, to);
      return extremes{least.found(from), most.found(from)};
    } else if constexpr (ordered_by_numbers<I, Comp, Proj>) {
      return extremes{detail::extremum_by_number<false, tie::first, Comp>(first, from, to, proj),
                      detail::extremum_by_number<true, tie::last, Comp>(first, from, to, proj)};
    } else {
      extremes e{from, from};
      while (++from < to) e = combine(e, {from, from});
      return e;
    }
  };
  return detail::best_of_parts<I, plain>(fork, n, o, leaf, combine);
}

/// The first smallest (or largest) element, or the end of an empty range.
template <bool Largest, splittable_range R, class Given>
auto extremum_of(R& range, Given&& by) -> std::ranges::iterator_t<R> {
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    if (n == 0) return first;
    return detail::at(first,
                      detail::extremum_with<Largest, tie::first>(fork, first, n, by.f, by.g, by.o));
  });
}

template <splittable_range R, class Given>
auto extremes_of(R& range, Given&& by) -> std::ranges::minmax_result<std::ranges::iterator_t<R>> {
  return detail::launch_on(
      range, by.o,
      [&](const auto& fork, auto first,
          std::size_t n) -> std::ranges::minmax_result<std::ranges::iterator_t<R>> {
        if (n == 0) return {first, first};
        const extremes found = detail::extremes_with(fork, first, n, by.f, by.g, by.o);
        return {detail::at(first, found.least), detail::at(first, found.most)};
      });
}

template <splittable_range R>
void require_elements(R& range) {
  if (detail::size_of(range) == 0)
    throw usage_error("filch: an empty range has no smallest and no largest element");
}

template <class R>
concept copied_values = splittable_range<R> &&
    std::constructible_from<std::ranges::range_value_t<R>, std::ranges::range_reference_t<R>>;

}  // namespace filch::detail
