// The indices of the smallest and of the largest element.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/lanes.hpp"
#include "filch/detail/kernel/scanners.hpp"
#include "filch/detail/loop/reduce_blocks.hpp"

namespace filch::detail {

/// Indices of a smallest and a largest element.
struct extremes {
  std::size_t least;
  std::size_t most;
};

/// Which of several equal elements is the result.
enum class tie : unsigned char { first, last };

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

/// Numbers in ascending order, without a projection: searched without branches, many at a time.
template <class I, class Comp, class Proj>
concept plain_order = plain_items<I> && std::is_arithmetic_v<std::iter_value_t<I>> &&
    std::same_as<Proj, std::identity> && ascending<Comp, std::iter_value_t<I>>;

/// The best of `best` and the numbers in [from, to). A NaN is better than no number, and no number
/// is better than a NaN. Of a positive and a negative zero, either may be the result.
template <class T, class Better>
[[gnu::always_inline]] inline T best_number(const T* p, std::size_t from, std::size_t to, T best,
                                            const Better& better) {
  return detail::fold_numbers_from<T>(
      best, [&](T a, T b) { return better(b, a) ? b : a; }, [p](std::size_t i) { return p[i]; },
      from, to);
}

/// The index of the first of the best numbers in [from, to), if it is better than `best`; else
/// `to`. A loop without branches computes the best number. Only if it is better than `best` does a
/// second loop look for its index.
template <class T, class Better>
[[gnu::always_inline]] inline std::size_t first_best(const T* p, std::size_t from, std::size_t to,
                                                     T best, const Better& better) {
  const T top = detail::best_number(p, from, to, best, better);
  return better(top, best) ? static_cast<std::size_t>(std::find(p + from, p + to, top) - p) : to;
}

/// May there be a NaN in [from, to)? The sum of numbers is a NaN if one of them is. (The sum of
/// both infinities is one too.)
template <class T>
bool may_have_nan(const T* p, std::size_t from, std::size_t to) {
  if constexpr (std::floating_point<T>) {
    const auto get = [p](std::size_t i) { return p[i]; };
    const T sum = detail::fold_numbers<T>(std::plus<>{}, get, from, to);
    return sum != sum;  // NOLINT(misc-redundant-expression): true of a NaN
  } else {
    return false;
  }
}

/// The index of the smallest (or largest) number, the same as if the numbers were compared one
/// after the other. Where the last of equal numbers is wanted, a NaN replaces any number, and any
/// number replaces a NaN: numbers that may have a NaN among them are then compared one by one.
template <bool Largest, tie Tie, class T>
std::size_t extremum_of_numbers(const T* p, std::size_t from, std::size_t to) {
  const auto better = [](T a, T b) { return Largest ? b < a : a < b; };
  constexpr std::size_t stride = 1024;
  std::size_t best = from;
  while (from != to) {
    const std::size_t end = std::min(to, from + stride);
    if constexpr (Tie == tie::first) {
      const std::size_t next = detail::first_best(p, from, end, p[best], better);
      if (next != end) best = next;
    } else if (detail::may_have_nan(p, from, end)) {
      for (std::size_t i = from; i != end; ++i) best = better(p[best], p[i]) ? best : i;
    } else {
      const T top = detail::best_number(p, from, end, p[from], better);
      if (!better(p[best], top))
        for (best = end - 1; p[best] != top;) --best;
    }
    from = end;
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
      return detail::extremum_of_numbers<Largest, Tie>(std::to_address(first), from, to);
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
      const auto* p = std::to_address(first);
      return extremes{detail::extremum_of_numbers<false, tie::first>(p, from, to),
                      detail::extremum_of_numbers<true, tie::last>(p, from, to)};
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
