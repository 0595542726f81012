// Writes one value, or the results of a function, to all elements.
#pragma once

#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

template <fork_policy Fork, class O, class T>
O fill_with(const Fork& fork, O first, std::size_t n, const T& value, const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    std::fill(detail::at(first, from), detail::at(first, to), value);
  };
  for_blocks(fork, n, o, leaf, worth_a_fork<O>);
  return detail::at(first, n);
}

template <fork_policy Fork, class O, class F>
O generate_with(const Fork& fork, O first, std::size_t n, F& f, const options& o) {
  for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
    const O last = detail::at(first, to);
    for (O i = detail::at(first, from); i != last; ++i) *i = std::invoke(f);
  });
  return detail::at(first, n);
}

/// A range to whose elements a T can be assigned.
template <class R, class T>
concept filled_with = splittable_range<R> && std::indirectly_writable < std::ranges::iterator_t<R>,
const T& > ;

/// An iterator to which the results of `F` can be written.
template <class O, class F>
concept generated_to = std::random_access_iterator<O> && std::invocable<F&> &&
    std::indirectly_writable<O, std::invoke_result_t<F&>>;

}  // namespace filch::detail
