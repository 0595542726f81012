// Combines all elements of a range, or all pairs of two ranges.
#pragma once

#include "filch/detail/kernel/fold.hpp"
#include "filch/detail/kernel/front.hpp"

namespace filch::detail {

/// `Op` can combine a T and f(element) of a range.
template <class R, class T, class Op, class F = std::identity>
concept reduces_items = std::invocable<F&, std::ranges::range_reference_t<R>> &&
    reduces<or_default_t<Op, std::plus<>>, T,
            std::invoke_result_t<F&, std::ranges::range_reference_t<R>>>;

/// `Op` can combine a T and f(a, b) of the elements of two ranges.
template <class R1, class R2, class T, class Op, class F>
concept reduces_pairs = std::invocable < or_default_t<F, std::multiplies<>>
&, std::ranges::range_reference_t<R1>,
    std::ranges::range_reference_t < R2 >>
        &&reduces<or_default_t<Op, std::plus<>>, T,
                  std::invoke_result_t<or_default_t<F, std::multiplies<>>&,
                                       std::ranges::range_reference_t<R1>,
                                       std::ranges::range_reference_t<R2>>>;

/// Combines `init` and f(element) of all elements.
template <splittable_range R, class T, class Op, class F>
T fold_of(R& range, T init, Op& op, F&& f, const options& o) {
  using source = mapped_items<std::ranges::iterator_t<R>, std::remove_reference_t<F>>;
  return detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::fold_with(fork, source{first, f}, n, std::move(init), op, o);
  });
}

/// Combines `init` and g(a, b) of all pairs of elements, by f.
template <splittable_range R1, splittable_range R2, class T, class Given>
T fold_pairs_of(R1& a, R2& b, T init, Given&& by) {
  using source = mapped_pairs<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>,
                              std::remove_reference_t<decltype(by.g)>>;
  return detail::launch_on(a, by.o, [&](const auto& fork, auto first, std::size_t n) {
    n = std::min(n, detail::size_of(b));
    return detail::fold_with(fork, source{first, std::ranges::begin(b), by.g}, n, std::move(init),
                             by.f, by.o);
  });
}

}  // namespace filch::detail
