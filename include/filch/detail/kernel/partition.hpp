// Moves the elements for which a predicate is true before the others.
#pragma once

#include "filch/detail/kernel/compact.hpp"
#include "filch/detail/kernel/few_flags.hpp"
#include "filch/detail/kernel/front.hpp"
#include "filch/detail/order/rotate_part.hpp"

namespace filch::detail {

/// Swaps the elements that are on the wrong side: the k-th on the left with the k-th on the right.
/// There are as many on the left as on the right.
template <fork_policy Fork, std::random_access_iterator I>
void swap_sides(const Fork& fork, const I& first, const bitmask& front) {
  const std::size_t border = front.total();
  const std::size_t right_before = front.before_item(border);
  if (right_before == border) return;
  front.for_each_block(fork, [&](std::size_t b) {
    if (front.start(b) >= border) return;
    // Before this block there are `rank` elements that do not belong to the left.
    const std::size_t rank = front.start(b) - front.before(b);
    if (right_before + rank >= front.total()) return;
    bitmask::cursor right(front, right_before + rank);
    const I end = detail::at(first, border);
    front.template each<false>(b, first, [&](const I& i) {
      if (i < end) std::ranges::iter_swap(i, detail::at(first, right.next()));
    });
  });
}

template <fork_policy Fork, std::random_access_iterator I, class Pred, class Proj>
std::size_t partition_with(const Fork& fork, I first, std::size_t n, Pred& pred, Proj& proj,
                           const options& o) {
  const auto test = detail::test_of<I>(pred, proj);
  const auto one_by_one = [&] {
    I end = first;
    for (I i = first, last = detail::at(first, n); i != last; ++i) {
      if (!test(i)) continue;
      if (i != end) std::ranges::iter_swap(i, end);
      ++end;
    }
    return static_cast<std::size_t>(end - first);
  };
  if (nothing_to_divide(n, o)) return one_by_one();
  if (n <= most_few) return few_flags(fork, first, n, o, test).swap_sides();
  bitmask front(fork, n, worth_moving<I>, o.grain);
  if (!front) return alone(n, o, one_by_one);
  front.make(fork, first, o, test);
  detail::swap_sides(fork, first, front);
  return front.total();
}

/// Partitions without scratch memory: first both halves, then it rotates the front elements of the
/// second half before the back elements of the first. Returns how many elements belong to the
/// front.
template <std::random_access_iterator I, class Test>
std::size_t stable_partition_in_place(const I& first, std::size_t n, Test& test) {
  if (n == 0) return 0;
  if (n == 1) return test(first) ? 1 : 0;
  const std::size_t half = n / 2;
  const std::size_t left = detail::stable_partition_in_place(first, half, test);
  const std::size_t right =
      detail::stable_partition_in_place(detail::at(first, half), n - half, test);
  detail::rotate_part(detail::at(first, left), detail::at(first, half),
                      detail::at(first, half + right));
  return left + right;
}

template <fork_policy Fork, std::random_access_iterator I, class Pred, class Proj>
std::size_t stable_partition_with(const Fork& fork, I first, std::size_t n, Pred& pred, Proj& proj,
                                  const options& o) {
  using value = std::iter_value_t<I>;
  const auto test = detail::test_of<I>(pred, proj);
  if (nothing_to_divide(n, o)) return detail::stable_partition_in_place(first, n, test);
  if constexpr (copies_bytes<I, I>)
    if (n <= most_few) return few_flags(fork, first, n, o, test).divide();
  bitmask front(fork, n, worth_moving<I>, o.grain);
  if (!front) return alone(n, o, [&] { return detail::stable_partition_in_place(first, n, test); });
  front.make(fork, first, o, test);
  if (front.total() == 0 || front.total() == n) return front.total();
  if constexpr (safely_moved<I>) {
    const raw_memory<value> aside(n);
    if (aside) {
      const auto move_out = [&](std::size_t b) {
        const std::size_t before = front.before(b);
        front.move_out(b, first, aside.data() + before);
        front.template move_out<false>(b, first,
                                       aside.data() + front.total() + (front.start(b) - before));
      };
      // No fork may fail while the elements are in scratch memory.
      as_branch_if(n > worth_moving<I>, fork, [&] {
        front.for_each_block(fork, move_out);
        detail::move_back(fork, aside.data(), n, first, second_pass(o));
      });
      return front.total();
    }
  }
  const auto in_front = [&](const I& i) { return front[static_cast<std::size_t>(i - first)]; };
  return detail::stable_partition_in_place(first, n, in_front);
}

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator O1,
          std::random_access_iterator O2, class Pred, class Proj>
std::ranges::partition_copy_result<I, O1, O2> partition_copy_with(const Fork& fork, I first,
                                                                  std::size_t n, O1 yes, O2 no,
                                                                  Pred& pred, Proj& proj,
                                                                  const options& o) {
  const auto test = detail::test_of<I>(pred, proj);
  const I last = detail::at(first, n);
  const auto one_by_one = [&]() -> std::ranges::partition_copy_result<I, O1, O2> {
    for (; first != last; ++first)
      if (test(first))
        *yes++ = *first;
      else
        *no++ = *first;
    return {last, yes, no};
  };
  if (nothing_to_divide(n, o)) return one_by_one();
  bitmask front(fork, n, worth_moving<I>, o.grain);
  if (!front) return alone(n, o, one_by_one);
  front.make(fork, first, o, test);
  front.for_each_block(fork, [&](std::size_t b) {
    front.copy(b, first, detail::at(yes, front.before(b)));
    front.template copy<false>(b, first, detail::at(no, front.start(b) - front.before(b)));
  });
  return {last, detail::at(yes, front.total()), detail::at(no, n - front.total())};
}

template <bool Stable, splittable_range R, class Given>
auto partition_of(R& range, Given&& by) -> subrange<std::ranges::iterator_t<R>> {
  const std::size_t border =
      detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
        if constexpr (Stable)
          return detail::stable_partition_with(fork, first, n, by.f, by.g, by.o);
        else
          return detail::partition_with(fork, first, n, by.f, by.g, by.o);
      });
  return detail::rest_from(range, border);
}

}  // namespace filch::detail
