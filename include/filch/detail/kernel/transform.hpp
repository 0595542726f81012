// Writes the results of a function of the elements of one or two ranges.
#pragma once

#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

/// An iterator to which f(proj(element)) can be written.
template <class O, class F, class I, class Proj = std::identity>
concept transformed_to =
    std::random_access_iterator<O> && projected_call<F, Proj, I> && std::indirectly_writable<
        O, std::invoke_result_t<F&, std::invoke_result_t<Proj&, std::iter_reference_t<I>>>>;

template <class O, class F, class I1, class I2, class Proj1 = std::identity,
          class Proj2 = std::identity>
concept combined_to = std::random_access_iterator<O> && projection_of<Proj1, I1> &&
    projection_of<Proj2, I2> &&
    requires(F& f, Proj1& p1, Proj2& p2, const I1& i1, const I2& i2, const O& o) {
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
