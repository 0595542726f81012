// Copies the selected elements of a range to a new vector.
#pragma once

#include "filch/detail/kernel/bitmask.hpp"
#include "filch/detail/kernel/collect.hpp"

namespace filch::detail {

template <fork_policy Fork, std::random_access_iterator I, class Pred, class Proj>
std::vector<std::iter_value_t<I>> pack_with(const Fork& fork, I first, std::size_t n, Pred& pred,
                                            Proj& proj, const options& o) {
  const auto test = detail::test_of<I>(pred, proj);
  if (nothing_to_divide(n, o)) {
    std::vector<std::iter_value_t<I>> found;
    if (n != 0 && test(first)) found.push_back(*first);
    return found;
  }
  bitmask picked(fork, n, worth_moving<I>, o.grain);
  if (!picked) throw std::bad_alloc();
  picked.make(fork, first, o, test);
  return detail::collect<std::iter_value_t<I>>(
      fork, picked.blocks(), second_pass(o), [&](std::size_t b) { return picked.before(b); },
      [&](std::size_t b, std::size_t, std::size_t, auto out) {
        if constexpr (std::random_access_iterator<decltype(out)>)
          picked.copy(b, first, out);
        else
          picked.each(b, first, [&](const I& i) { *out++ = *i; });
      });
}

}  // namespace filch::detail
