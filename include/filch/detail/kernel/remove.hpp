// Moves the elements that stay to the front.
#pragma once

#include "filch/detail/kernel/compact.hpp"
#include "filch/detail/kernel/few_flags.hpp"
#include "filch/detail/kernel/optional_arguments.hpp"
#include "filch/detail/kernel/scanners.hpp"
#include "filch/subrange.hpp"

namespace filch::detail {

/// An element can be compared with a value after the projection.
template <class R, class T, class Proj>
concept equals_value = requires(or_default_t<Proj>& proj, const std::ranges::iterator_t<R>& i,
                                const T& value) {
  static_cast<bool>(std::invoke(proj, *i) == value);
};

/// Keeps the elements for which test(iterator, end) is `Wanted`. Returns how many. `end` is behind
/// the element before it, or behind the last element that was kept: without memory for the bitmask,
/// elements move before all have been tested. `least` is the number of tests that are worth a fork.
template <bool Wanted, fork_policy Fork, std::random_access_iterator I, class Test>
std::size_t keep_with(const Fork& fork, I first, std::size_t n, const options& o, Test&& test,
                      std::size_t least = 1) {
  const auto one_by_one = [&] {
    I to = first;
    for (I i = first, last = detail::at(first, n); i != last; ++i) {
      if (test(i, to) != Wanted) continue;
      if (i != to)
        std::ranges::iter_swap(i, to);  // a swap: no value is lost if the next test throws
      ++to;
    }
    return static_cast<std::size_t>(to - first);
  };
  if (nothing_to_divide(n, o)) return one_by_one();
  const auto wanted = [&](const I& i) { return test(i, i) == Wanted; };
  if (n <= most_few) return few_flags(fork, first, n, o, wanted, least).close_gaps();
  bitmask kept(fork, n, worth_moving<I>, o.grain);
  if (!kept) return alone(n, o, one_by_one);
  kept.make(fork, first, o, wanted, least);
  return detail::compact(fork, first, kept, o);
}

template <fork_policy Fork, std::random_access_iterator I, class Pred, class Proj>
subrange<I> remove_if_with(const Fork& fork, I first, std::size_t n, Pred& pred, Proj& proj,
                           const options& o) {
  const std::size_t kept = detail::keep_with<false>(fork, first, n, o, [&](const I& i, const I&) {
    return static_cast<bool>(std::invoke(pred, std::invoke(proj, *i)));
  });
  return {detail::at(first, kept), detail::at(first, n)};
}

template <fork_policy Fork, std::random_access_iterator I, class T, class Proj>
subrange<I> remove_with(const Fork& fork, I first, std::size_t n, const T& value, Proj& proj,
                        const options& o) {
  const auto equal = [&](const I& i, const I&) {
    return static_cast<bool>(std::invoke(proj, *i) == value);
  };
  const std::size_t kept =
      detail::keep_with<false>(fork, first, n, o, equal, least_for_value<I, T, Proj>);
  return {detail::at(first, kept), detail::at(first, n)};
}

}  // namespace filch::detail
