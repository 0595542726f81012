// Copies a range to another one.
#pragma once

#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

template <fork_policy Fork, class I, class O>
std::ranges::in_out_result<I, O> copy_with(const Fork& fork, I first, std::size_t n, O out,
                                           const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    std::copy(detail::at(first, from), detail::at(first, to), detail::at(out, from));
  };
  for_blocks(fork, n, o, leaf, worth_a_fork<O>);
  return {detail::at(first, n), detail::at(out, n)};
}

}  // namespace filch::detail
