// partition, stable_partition, partition_copy: divide a range by a predicate.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <utility>

#include "filch/algorithm/subrange.hpp"
#include "filch/detail/order/rotate_part.hpp"
#include "filch/detail/split/bitmask.hpp"
#include "filch/detail/split/blocks.hpp"
#include "filch/detail/split/compact.hpp"
#include "filch/detail/split/few_flags.hpp"
#include "filch/detail/split/iter_range.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

template <class I, class Pred, class Proj>
auto test_of(Pred& pred, Proj& proj) {
  return [&](const I& i) { return static_cast<bool>(std::invoke(pred, std::invoke(proj, *i))); };
}

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
    const scratch<value> aside(n);
    if (aside) {
      const auto move_out = [&](std::size_t b) {
        value* yes = aside.data() + front.before(b);
        value* no = aside.data() + front.total() + (front.start(b) - front.before(b));
        if constexpr (copies_bytes<I, value*>) {
          front.copy(b, first, yes);
          front.template copy<false>(b, first, no);
        } else {
          front.each(b, first,
                     [&](const I& i) { std::construct_at(yes++, std::ranges::iter_move(i)); });
          front.template each<false>(
              b, first, [&](const I& i) { std::construct_at(no++, std::ranges::iter_move(i)); });
        }
      };
      // No fork may fail while the elements are in scratch memory.
      out_and_back(fork, n, worth_moving<I>, [&] {
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

template <bool Stable, class I, class Pred, class Proj>
subrange<I> partition_of(I first, std::size_t n, Pred& pred, Proj& proj, const options& o) {
  const std::size_t border = launch(o, [&] {
    if constexpr (Stable)
      return detail::stable_partition_with(parallel_fork{}, first, n, pred, proj, o);
    else
      return detail::partition_with(parallel_fork{}, first, n, pred, proj, o);
  });
  return {detail::at(first, border), detail::at(first, n)};
}

}  // namespace detail

/// Moves the elements for which pred(proj(element)) is true before those for which it is false, in
/// any order within both groups. Standard library: std::ranges::partition.
///
/// How      `pred` is called once for every element, several at once, before any element moves.
///          Then each element on the wrong side is swapped with one from the other side.
/// Returns  The elements at the back, for which `pred` is false.
/// Options  As parallel_for(). stop: checked while `pred` is called, before any element moves.
/// Throws   As parallel_for(); what swapping throws. If `pred` throws or the loop is stopped, the
///          range is unchanged. Without memory for a bit for each element, elements are swapped
///          before `pred` has been called for all; then the range is a permutation of its old
///          elements. It is also a permutation if a swap throws, provided that swapping two
///          elements keeps both.
/// Threads, Memory  as parallel_for().
/// Cost     One call of `pred` for each element, at most half a swap, and a bit of memory. Without
///          that memory the calling thread works alone.
///
///     const auto adult = [](int age) { return age > 17; };
///     const auto minors = filch::partition(people, adult, &person::age);
template <detail::splittable_range R, class Pred>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::projected_call<Pred, std::identity, std::ranges::iterator_t<R>>
auto partition(R&& range, Pred&& pred, const options& o = {}) -> detail::borrowed_part<R> {
  std::identity self;
  return detail::partition_of<false>(std::ranges::begin(range), detail::size_of(range), pred, self,
                                     o);
}

template <detail::splittable_range R, class Pred, class Proj = std::identity>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::projected_call<Pred, Proj, std::ranges::iterator_t<R>>
auto partition(R&& range, Pred&& pred, Proj proj, const options& o = {})
    -> detail::borrowed_part<R> {
  return detail::partition_of<false>(std::ranges::begin(range), detail::size_of(range), pred, proj,
                                     o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::permutable I, detail::splittable_end<I> S, class Pred, class Proj = std::identity>
requires detail::projected_call<Pred, Proj, I>
auto partition(I first, S last, Pred&& pred, Proj proj = {}, const options& o = {}) -> subrange<I> {
  return detail::partition_of<false>(first, detail::size_of(first, last), pred, proj, o);
}

template <std::permutable I, detail::splittable_end<I> S, class Pred>
requires detail::projected_call<Pred, std::identity, I>
auto partition(I first, S last, Pred&& pred, const options& o) -> subrange<I> {
  return filch::partition(detail::iter_range(first, last), pred, o);
}

/// Does the same, and both groups keep their order. Standard library:
/// std::ranges::stable_partition.
///
/// How      As partition(); then the elements move to scratch memory and back. If there is no
///          memory, or if a move may throw, the calling thread rotates them in place.
/// Throws   As partition(). If a move throws, every element is valid, but values may be lost, as
///          with std.
/// Cost     One call of `pred` and two moves for each element, and memory for all of them; in place
///          n log n swaps.
template <detail::splittable_range R, class Pred>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::projected_call<Pred, std::identity, std::ranges::iterator_t<R>>
auto stable_partition(R&& range, Pred&& pred, const options& o = {}) -> detail::borrowed_part<R> {
  std::identity self;
  return detail::partition_of<true>(std::ranges::begin(range), detail::size_of(range), pred, self,
                                    o);
}

template <detail::splittable_range R, class Pred, class Proj = std::identity>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::projected_call<Pred, Proj, std::ranges::iterator_t<R>>
auto stable_partition(R&& range, Pred&& pred, Proj proj, const options& o = {})
    -> detail::borrowed_part<R> {
  return detail::partition_of<true>(std::ranges::begin(range), detail::size_of(range), pred, proj,
                                    o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::permutable I, detail::splittable_end<I> S, class Pred, class Proj = std::identity>
requires detail::projected_call<Pred, Proj, I>
auto stable_partition(I first, S last, Pred&& pred, Proj proj = {}, const options& o = {})
    -> subrange<I> {
  return detail::partition_of<true>(first, detail::size_of(first, last), pred, proj, o);
}

template <std::permutable I, detail::splittable_end<I> S, class Pred>
requires detail::projected_call<Pred, std::identity, I>
auto stable_partition(I first, S last, Pred&& pred, const options& o) -> subrange<I> {
  return filch::stable_partition(detail::iter_range(first, last), pred, o);
}

/// Copies the elements for which pred(proj(element)) is true to the elements from `yes` on, and the
/// others to the elements from `no` on, both in their order. Standard library:
/// std::ranges::partition_copy. Otherwise like copy_if().
///
/// Returns  The end of the range, and the ends of the copies (in, out1, out2).
template <detail::splittable_range R, std::random_access_iterator O1,
          std::random_access_iterator O2, class Pred, class Proj = std::identity>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O1> &&
    std::indirectly_copyable<std::ranges::iterator_t<R>, O2> &&
    detail::projected_call<Pred, Proj, std::ranges::iterator_t<R>>
auto partition_copy(R&& range, O1 yes, O2 no, Pred&& pred, Proj proj = {}, const options& o = {})
    -> std::ranges::partition_copy_result<std::ranges::borrowed_iterator_t<R>, O1, O2> {
  return detail::launch(o, [&] {
    return detail::partition_copy_with(detail::parallel_fork{}, std::ranges::begin(range),
                                       detail::size_of(range), yes, no, pred, proj, o);
  });
}

template <detail::splittable_range R, std::random_access_iterator O1,
          std::random_access_iterator O2, class Pred>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O1> &&
    std::indirectly_copyable<std::ranges::iterator_t<R>, O2> &&
    detail::projected_call<Pred, std::identity, std::ranges::iterator_t<R>>
auto partition_copy(R&& range, O1 yes, O2 no, Pred&& pred, const options& o)
    -> std::ranges::partition_copy_result<std::ranges::borrowed_iterator_t<R>, O1, O2> {
  return filch::partition_copy(std::forward<R>(range), yes, no, pred, std::identity(), o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          std::random_access_iterator O1, std::random_access_iterator O2, class Pred,
          class Proj = std::identity>
requires std::indirectly_copyable<I, O1> && std::indirectly_copyable<I, O2> &&
    detail::projected_call<Pred, Proj, I>
auto partition_copy(I first, S last, O1 yes, O2 no, Pred&& pred, Proj proj = {},
                    const options& o = {}) -> std::ranges::partition_copy_result<I, O1, O2> {
  return filch::partition_copy(detail::iter_range(first, last), yes, no, pred, std::move(proj), o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S,
          std::random_access_iterator O1, std::random_access_iterator O2, class Pred>
requires std::indirectly_copyable<I, O1> && std::indirectly_copyable<I, O2> &&
    detail::projected_call<Pred, std::identity, I>
auto partition_copy(I first, S last, O1 yes, O2 no, Pred&& pred, const options& o)
    -> std::ranges::partition_copy_result<I, O1, O2> {
  return filch::partition_copy(detail::iter_range(first, last), yes, no, pred, o);
}

}  // namespace filch
