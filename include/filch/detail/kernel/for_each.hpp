// Calls a function with each element.
#pragma once

#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

template <fork_policy Fork, std::random_access_iterator I, class F, class Proj>
I for_each_with(const Fork& fork, I first, std::size_t n, F& f, Proj& proj, const options& o) {
  for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
    detail::each_of(first, from, to, [&](auto&& item) {
      std::invoke(f, std::invoke(proj, static_cast<decltype(item)>(item)));
    });
  });
  return detail::at(first, n);
}

}  // namespace filch::detail
