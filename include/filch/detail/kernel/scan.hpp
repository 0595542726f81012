// Writes the combination of all elements up to each one.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/kernel/prefix.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"
#include "filch/detail/loop/range.hpp"

namespace filch::detail {

/// Sums of type T of f(item) can be written to the elements from `O` on.
template <class Op, class T, class F, class I, class O>
concept scans_into = std::invocable<F&, std::iter_reference_t<I>> && std::copyable<T> &&
    reduces<Op, T, std::invoke_result_t<F&, std::iter_reference_t<I>>> &&
    std::random_access_iterator<O> && std::indirectly_writable<O, const T&>;

template <scan_kind Kind, class T, splittable_range R, class F, class O, class Op>
auto prefix_of(R& range, F& f, O out, Op& op, std::optional<T> init, const options& o)
    -> std::ranges::in_out_result<std::ranges::iterator_t<R>, O> {
  const std::size_t n = detail::size_of(range);
  const auto first = std::ranges::begin(range);
  launch(o, [&] {
    detail::prefix_with<Kind, T>(parallel_fork{}, first, n, f, out, op, std::move(init), o);
  });
  return {detail::at(first, n), detail::at(out, n)};
}

}  // namespace filch::detail
