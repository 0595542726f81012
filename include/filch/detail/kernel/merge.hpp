// Merges two sorted ranges.
#pragma once

#include "filch/detail/kernel/sort.hpp"

namespace filch::detail {

/// The number of elements up to which one thread merges alone, unless the options say otherwise.
inline constexpr std::ptrdiff_t merge_grain = std::ptrdiff_t{1} << 14;

/// Merges `na` sorted elements from `a` on and `nb` from `b` on, and copies them to `out`.
/// `before(y, x)` returns true if y of the second range comes before x of the first.
template <class Fork, class I1, class I2, class O, class Before>
void merge_copies(const Fork& fork, I1 a, std::size_t na, I2 b, std::size_t nb, O out,
                  const Before& before, std::size_t grain) {
  if (na + nb > std::max<std::size_t>(grain, 2)) {
    std::size_t a_cut = na / 2, b_cut = nb / 2;
    // The longer range is cut in the middle. Its first element behind the cut decides where to cut
    // the other range.
    if (na >= nb) {
      b_cut = static_cast<std::size_t>(
          std::ranges::partition_point(b, detail::at(b, nb),
                                       [&](auto&& y) { return before(y, *detail::at(a, a_cut)); }) -
          b);
    } else {
      a_cut = static_cast<std::size_t>(
          std::ranges::partition_point(
              a, detail::at(a, na), [&](auto&& x) { return !before(*detail::at(b, b_cut), x); }) -
          a);
    }
    fork([&] { detail::merge_copies(fork, a, a_cut, b, b_cut, out, before, grain); },
         [&] {
           detail::merge_copies(fork, detail::at(a, a_cut), na - a_cut, detail::at(b, b_cut),
                                nb - b_cut, detail::at(out, a_cut + b_cut), before, grain);
         });
    return;
  }
  if (!fork.may_start()) return;
  const I1 a_end = detail::at(a, na);
  const I2 b_end = detail::at(b, nb);
  for (; a != a_end && b != b_end; ++out) {
    if (before(*b, *a)) {
      *out = *b;
      ++b;
    } else {
      *out = *a;
      ++a;
    }
  }
  std::ranges::copy(b, b_end, std::ranges::copy(a, a_end, out).out);
}

/// Merges [first, first + middle) and [first + middle, first + n) in place.
template <class Fork, class It, class Less>
void merge_in_place(const Fork& fork, It first, std::size_t middle, std::size_t n, Less less,
                    std::ptrdiff_t grain) {
  using value = std::iter_value_t<It>;
  if (middle == 0 || middle == n) return;
  if (n <= static_cast<std::size_t>(small_sort_limit<value>))
    return detail::insertion_sort(first, detail::at(first, middle), detail::at(first, n), less);
  if constexpr (std::is_pointer_v<It> && steady_element<value>) {
    if (!less(first[middle], first[middle - 1])) return;
    const raw_memory<value> memory(n);
    if (memory) {
      value* const from = memory.data();
      const auto merge_all = [&] {
        const std::size_t part = std::max(distribution_block, static_cast<std::size_t>(grain));
        fork_parts(fork, n, part, [&](std::size_t i, std::size_t end, std::size_t) {
          detail::relocate_all(first + i, first + end, from + i);
        });
        detail::merge_in_parallel(fork, from, from + middle, from + middle, from + n, first, less,
                                  grain);
      };
      as_branch_if(n > static_cast<std::size_t>(grain), fork, merge_all);
      return;
    }
  }
  detail::merge_by_rotating(fork, first, detail::at(first, middle), detail::at(first, n), less,
                            grain);
}

template <class R1, class R2, class O, class Comp, class Proj1, class Proj2>
concept merges =
    std::mergeable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, O,
                   or_default_t<Comp, std::ranges::less>, or_default_t<Proj1>, or_default_t<Proj2>>;

template <splittable_range R1, splittable_range R2, class O, class Given>
auto merge_of(R1& first, R2& second, O out, Given&& by)
    -> std::ranges::merge_result<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, O> {
  const auto a = std::ranges::begin(first);
  const auto b = std::ranges::begin(second);
  const std::size_t na = detail::size_of(first), nb = detail::size_of(second);
  const std::size_t n = detail::sum_of_sizes(na, nb, "merge()");
  const auto before = [&](auto&& y, auto&& x) {
    return static_cast<bool>(std::invoke(by.f, std::invoke(by.h, y), std::invoke(by.g, x)));
  };
  order_in_parallel(n, by.o, [&](const auto& fork) {
    detail::merge_copies(fork, a, na, b, nb, out, before,
                         static_cast<std::size_t>(order_grain(by.o.grain, merge_grain)));
  });
  return {detail::at(a, na), detail::at(b, nb), detail::at(out, n)};
}

template <class Fork, std::random_access_iterator I, class Comp, class Proj>
void inplace_merge_with(const Fork& fork, I first, std::size_t middle, std::size_t n, Comp& comp,
                        Proj& proj, const options& o) {
  detail::with_elements(first, n, [&](auto row) {
    detail::with_order(row, comp, proj, [&](auto begin, auto less) {
      detail::merge_in_place(fork, begin, middle, n, less, order_grain(o.grain, merge_grain));
    });
  });
}

}  // namespace filch::detail
