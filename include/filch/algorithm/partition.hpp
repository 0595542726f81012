// partition, stable_partition, partition_copy: divide a range by a predicate.
#pragma once

#include "filch/detail/kernel/partition.hpp"

namespace filch {

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
template <detail::splittable_range R, class Pred, class Proj = options>
requires std::permutable<std::ranges::iterator_t<R>> && detail::takes<R, Pred, Proj>
auto partition(R&& range, Pred&& pred, Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed_part<R> {
  return detail::partition_of<false>(range, detail::given(o, pred, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
auto partition(I first, S last, Pred&& pred, Proj&& proj = detail::left_out(),
               const options& o = {})
    -> FILCH_RESULT_OF(filch::partition(detail::iter_range(first, last), pred, proj, o));

/// Does the same, and both groups keep their order. Standard library:
/// std::ranges::stable_partition.
///
/// How      As partition(); then the elements move to scratch memory and back. If there is no
///          memory, or if a move may throw, the calling thread rotates them in place.
/// Throws   As partition(). If a move throws, every element is valid, but values may be lost, as
///          with std.
/// Cost     One call of `pred` and two moves for each element, and memory for all of them; in place
///          n log n swaps.
template <detail::splittable_range R, class Pred, class Proj = options>
requires std::permutable<std::ranges::iterator_t<R>> && detail::takes<R, Pred, Proj>
auto stable_partition(R&& range, Pred&& pred, Proj&& proj = detail::left_out(),
                      const options& o = {}) -> detail::borrowed_part<R> {
  return detail::partition_of<true>(range, detail::given(o, pred, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
auto stable_partition(I first, S last, Pred&& pred, Proj&& proj = detail::left_out(),
                      const options& o = {})
    -> FILCH_RESULT_OF(filch::stable_partition(detail::iter_range(first, last), pred, proj, o));

/// Copies the elements for which pred(proj(element)) is true to the elements from `yes` on, and the
/// others to the elements from `no` on, both in their order. Standard library:
/// std::ranges::partition_copy. Otherwise like copy_if().
///
/// Returns  The end of the range, and the ends of the copies (in, out1, out2).
template <detail::splittable_range R, detail::copied_to<R> O1, detail::copied_to<R> O2, class Pred,
          class Proj = options>
requires detail::takes<R, Pred, Proj>
auto partition_copy(R&& range, O1 yes, O2 no, Pred&& pred, Proj&& proj = detail::left_out(),
                    const options& o = {})
    -> std::ranges::partition_copy_result<detail::borrowed<R>, O1, O2> {
  auto by = detail::given(o, pred, proj);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::partition_copy_with(fork, first, n, yes, no, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O1, class O2, class Pred,
          class Proj = options>
auto partition_copy(I first, S last, O1 yes, O2 no, Pred&& pred, Proj&& proj = detail::left_out(),
                    const options& o = {})
    -> FILCH_RESULT_OF(filch::partition_copy(detail::iter_range(first, last), yes, no, pred, proj,
                                             o));

}  // namespace filch
