// Writes the results of a function of the elements of one or two ranges.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

/// An iterator to which f(proj(element)) can be written.
template <class R, class O, class F, class Proj>
concept transformed_to = std::random_access_iterator<O> && takes<R, F, Proj> &&
    requires(F& f, or_default_t<Proj>& proj, const std::ranges::iterator_t<R>& i) {
  requires std::indirectly_writable<O, decltype(std::invoke(f, std::invoke(proj, *i)))>;
};

template <class R1, class R2, class O, class F, class Proj1, class Proj2>
concept combined_to = std::random_access_iterator<O> &&
    requires(F& f, or_default_t<Proj1>& p1, or_default_t<Proj2>& p2,
             const std::ranges::iterator_t<R1>& i1, const std::ranges::iterator_t<R2>& i2,
             const O& o) {
  *o = std::invoke(f, std::invoke(p1, *i1), std::invoke(p2, *i2));
};

template <fork_policy Fork, class I, class O, class F, class Proj>
void transform_with(const Fork& fork, I first, std::size_t n, O out, F& f, Proj& proj,
                    const options& o) {
  for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
    O result = detail::at(out, from);
    const I last = detail::at(first, to);
    for (I i = detail::at(first, from); i != last; ++i, ++result)
      *result = std::invoke(f, std::invoke(proj, *i));
  });
}

template <fork_policy Fork, class I1, class I2, class O, class F, class Proj1, class Proj2>
void transform_with(const Fork& fork, I1 first1, I2 first2, std::size_t n, O out, F& f,
                    Proj1& proj1, Proj2& proj2, const options& o) {
  for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
    O result = detail::at(out, from);
    I2 j = detail::at(first2, from);
    const I1 last = detail::at(first1, to);
    for (I1 i = detail::at(first1, from); i != last; ++i, ++j, ++result)
      *result = std::invoke(f, std::invoke(proj1, *i), std::invoke(proj2, *j));
  });
}

}  // namespace filch::detail
