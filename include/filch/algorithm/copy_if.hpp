// copy_if and pack: copy the elements for which a predicate holds.
#pragma once

#include "filch/detail/kernel/copy_if.hpp"
#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/pack.hpp"

namespace filch {

/// Copies the elements of `range` for which pred(proj(element)) is true to the elements from `out`
/// on, in their order. Standard library: std::ranges::copy_if.
///
/// How      `pred` is called once for every element, several at once, and its results are kept, a
///          bit for each. A block of elements is copied when the number of copies before it is
///          known, while the block is still in the cache. `out` has random access, points to
///          existing elements, and does not overlap with the range. For a new vector see pack().
/// Returns  The end of the range, and the end of the copies.
/// Options  As parallel_for().
/// Throws   As parallel_for(); what copying throws. Then some of the copies may have been made,
///          each at its position, as with std::ranges::copy_if.
/// Threads, Memory  as parallel_for(). Without memory for the bits, the calling thread does
///          everything.
/// Cost     One call of `pred` for each element, one copy for each selected element, one bit of
///          memory for each element.
///
///     const auto end = filch::copy_if(numbers, out.begin(), is_prime).out;
///     filch::copy_if(people, out, [](int age) { return age > 17; }, &person::age);
template <detail::splittable_range R, detail::copied_to<R> O, class Pred, class Proj = options>
requires detail::takes<R, Pred, Proj>
auto copy_if(R&& range, O out, Pred&& pred, Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::copy_if_result<detail::borrowed<R>, O> {
  auto by = detail::given(o, pred, proj);
  O end = detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::copy_if_with(fork, first, n, out, by.f, by.g, by.o);
  });
  return {detail::end_of(range), std::move(end)};
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O, class Pred, class Proj = options>
auto copy_if(I first, S last, O out, Pred&& pred, Proj&& proj = detail::left_out(),
             const options& o = {})
    -> FILCH_RESULT_OF(filch::copy_if(detail::iter_range(first, last), out, pred, proj, o));

/// Returns the elements of `range` for which pred(proj(element)) is true, in their order, as a new
/// vector. Rayon: filter().collect(). ParlayLib: filter. Otherwise like copy_if().
///
/// Throws  Also `std::bad_alloc`. An exception leaves the range unchanged.
/// Cost    As copy_if(). The calling thread moves elements that cannot be copied as bytes (strings)
///         once more, because several threads cannot fill a vector at several positions.
///
///     const std::vector<int> primes = filch::pack(numbers, is_prime);
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::takes<R, Pred, Proj>
[[nodiscard]] auto pack(R&& range, Pred&& pred, Proj&& proj = detail::left_out(),
                        const options& o = {}) -> std::vector<std::ranges::range_value_t<R>> {
  auto by = detail::given(o, pred, proj);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::pack_with(fork, first, n, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto pack(I first, S last, Pred&& pred, Proj&& proj = detail::left_out(),
                        const options& o = {})
    -> FILCH_RESULT_OF(filch::pack(detail::iter_range(first, last), pred, proj, o));

}  // namespace filch
