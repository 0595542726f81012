// reduce and transform_reduce: combine all elements into one value, such as a sum or a product.
#pragma once

#include "filch/detail/kernel/reduce.hpp"

namespace filch {

/// Combines `init` and all elements: init op first element op second element ..., several parts at
/// once. `op` is std::plus by default. Standard library: std::reduce, std::accumulate. Rayon:
/// reduce and sum.
///
/// How      Each part is combined from left to right, and then the parts with each other. The order
///          of the elements is kept, so `op` must be associative, (a op b) op c == a op (b op c),
///          but need not be commutative. Sums, products and bitwise operations on numbers, with the
///          function objects of <functional>, are computed in several lanes at memory speed. For
///          floating-point numbers the rounding depends on the lanes and on how the range was
///          divided. Integers whose result fits never overflow on the way. `init` is used once.
///          `op` gets rvalues of `T` (and elements as its second argument), is not copied, and is
///          called by several threads at once. T needs no default constructor, and may be move-only
///          if it can be made from an element.
/// Returns  The result; `init` for an empty range.
/// Options  deterministic: the same bits for any pool, number of workers, grain and run. The tree
///          of operations then depends only on the number of elements; sums cost the same. The
///          others as parallel_for().
/// Throws, Threads, Memory, Cost  as parallel_for(). With numbers and a known `op`, the caller
///          alone does fewer than 8192 elements.
///
///     double sum = filch::reduce(v, 0.0);
///     long product = filch::reduce(v, 1L, std::multiplies{});
///     double again = filch::reduce(v, 0.0, std::plus{}, {.deterministic = true});
///
/// See also `transform_reduce`, which computes the values to combine.
template <detail::splittable_range R, class T, class Op = options>
requires detail::reduces_items<R, T, Op>
[[nodiscard]] T reduce(R&& range, T init, Op&& op = detail::left_out(), const options& o = {}) {
  auto by = detail::given<std::plus<>>(o, op);
  return detail::fold_of(range, std::move(init), by.f, std::identity(), by.o);
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class T, class Op = options>
[[nodiscard]] auto reduce(I first, S last, T init, Op&& op = detail::left_out(),
                          const options& o = {})
    -> FILCH_RESULT_OF(filch::reduce(detail::iter_range(first, last), std::move(init), op, o));

/// Combines `init` and f(element) of all elements: init op f(first element) op f(second element)
/// ... `f` is called once for each element, by several threads at once. Otherwise like reduce().
/// Standard library: std::transform_reduce. Rayon: map and reduce.
///
///     std::size_t letters = filch::transform_reduce(words, std::size_t{0}, std::plus{},
///                                                   &std::string::size);
template <detail::splittable_range R, class T, class Op, class F>
requires detail::reduces_items<R, T, Op, F>
[[nodiscard]] T transform_reduce(R&& range, T init, Op op, F f, const options& o = {}) {
  return detail::fold_of(range, std::move(init), op, f, o);
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class T, class Op, class F>
[[nodiscard]] auto transform_reduce(I first, S last, T init, Op op, F f, const options& o = {})
    -> FILCH_RESULT_OF(filch::transform_reduce(detail::iter_range(first, last), std::move(init),
                                               std::move(op), std::move(f), o));

/// Combines `init` and f(a, b) of all pairs of two ranges: init op f(a0, b0) op f(a1, b1) ... It
/// ends with the shorter range. Without `op` and `f` it is the inner product: the sum of the
/// products.
///
///     double dot = filch::transform_reduce(x, y, 0.0);
///     int worst = filch::transform_reduce(x, y, 0, [](int a, int b) { return std::max(a, b); },
///                                         [](int a, int b) { return std::abs(a - b); });
template <detail::splittable_range R1, detail::splittable_range R2, class T, class Op = options,
          class F = options>
requires detail::reduces_pairs<R1, R2, T, Op, F>
[[nodiscard]] T transform_reduce(R1&& a, R2&& b, T init, Op&& op = detail::left_out(),
                                 F&& f = detail::left_out(), const options& o = {}) {
  return detail::fold_pairs_of(a, b, std::move(init),
                               detail::given<std::plus<>, std::multiplies<>>(o, op, f));
}

/// Does the same for the elements from `first` up to `last`, and as many from `second` on.
template <class I, detail::splittable_end<I> S, std::random_access_iterator J, class T,
          class Op = options, class F = options>
[[nodiscard]] auto transform_reduce(I first, S last, J second, T init, Op&& op = detail::left_out(),
                                    F&& f = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::transform_reduce(detail::iter_range(first, last),
                                               detail::first_items(second, last - first),
                                               std::move(init), op, f, o));

}  // namespace filch
