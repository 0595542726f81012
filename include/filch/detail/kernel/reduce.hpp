// Combines all elements of a range, or all pairs of two ranges.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/kernel/fold.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"
#include "filch/detail/loop/range.hpp"

namespace filch::detail {

template <class Source, class T, class Op>
T fold_of(const Source& source, std::size_t n, T init, Op& op, const options& o) {
  return launch(
      o, [&] { return detail::fold_with(parallel_fork{}, source, n, std::move(init), op, o); });
}

template <fork_policy Fork, std::random_access_iterator I, class T, class Op>
T reduce_with(const Fork& fork, I first, std::size_t n, T init, Op& op, const options& o) {
  std::identity self;
  const mapped_items<I, std::identity> source{first, self};
  return detail::fold_with(fork, source, n, std::move(init), op, o);
}

/// `op` can combine T and f(a, b) of the elements of two ranges.
template <class R1, class R2, class T, class Op, class F>
concept reduces_pairs =
    std::invocable<F&, std::ranges::range_reference_t<R1>, std::ranges::range_reference_t<R2>> &&
    reduces<Op, T,
            std::invoke_result_t<F&, std::ranges::range_reference_t<R1>,
                                 std::ranges::range_reference_t<R2>>>;

/// Returns the number of pairs of two ranges.
template <splittable_range A, splittable_range B>
std::size_t common_size(A& a, B& b) {
  return std::min(detail::size_of(a), detail::size_of(b));
}

}  // namespace filch::detail
