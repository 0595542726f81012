// Writes the combination of all elements up to each one.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/prefix.hpp"

namespace filch::detail {

/// Sums of type T of f(element) of a range can be written to the elements from `O` on.
template <class R, class O, class T, class Op, class F = std::identity>
concept scans_into = std::invocable<F&, std::ranges::range_reference_t<R>> && std::copyable<T> &&
    reduces<or_default_t<Op, std::plus<>>, T,
            std::invoke_result_t<F&, std::ranges::range_reference_t<R>>> &&
    std::random_access_iterator<O> && std::indirectly_writable<O, const T&>;

/// `init` may be left out.
template <scan_kind Kind, class T, splittable_range R, class F, class O, class Op, class... Init>
auto prefix_of(R& range, F&& f, O out, Op& op, const options& o, Init... init)
    -> std::ranges::in_out_result<std::ranges::iterator_t<R>, O> {
  detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    detail::prefix_with<Kind, T>(fork, first, n, f, out, op, std::optional<T>(std::move(init)...),
                                 o);
  });
  return {detail::end_of(range), detail::at(out, detail::size_of(range))};
}

}  // namespace filch::detail
