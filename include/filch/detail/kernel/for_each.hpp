// Calls a function with each element.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>

#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"
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

template <std::random_access_iterator I, class F, class Proj>
I for_each_of(I first, std::size_t n, F& f, Proj& proj, const options& o) {
  return launch(o, [&] { return detail::for_each_with(parallel_fork{}, first, n, f, proj, o); });
}

}  // namespace filch::detail
