// Writes one value, or the results of a function, to all elements.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>

#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

template <fork_policy Fork, class O, class T>
void fill_with(const Fork& fork, O first, std::size_t n, const T& value, const options& o) {
  for_blocks(
      fork, n, o,
      [&](std::size_t from, std::size_t to) {
        std::fill(detail::at(first, from), detail::at(first, to), value);
      },
      worth_a_fork<O>);
}

template <fork_policy Fork, class O, class F>
void generate_with(const Fork& fork, O first, std::size_t n, F& f, const options& o) {
  for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
    const O last = detail::at(first, to);
    for (O i = detail::at(first, from); i != last; ++i) *i = std::invoke(f);
  });
}

template <class O, class T>
O fill_of(O first, std::size_t n, const T& value, const options& o) {
  launch(o, [&] { detail::fill_with(parallel_fork{}, first, n, value, o); });
  return detail::at(first, n);
}

template <class O, class F>
O generate_of(O first, std::size_t n, F& f, const options& o) {
  launch(o, [&] { detail::generate_with(parallel_fork{}, first, n, f, o); });
  return detail::at(first, n);
}

/// An iterator to which the results of `F` can be written.
template <class O, class F>
concept generated_to = std::random_access_iterator<O> && std::invocable<F&> &&
    std::indirectly_writable<O, std::invoke_result_t<F&>>;

}  // namespace filch::detail
