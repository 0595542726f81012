// What the public functions of algorithms have in common: a range or iterators, optional arguments,
// and a kernel that runs as the options say.
#pragma once

#include "filch/detail/kernel/optional_arguments.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/subrange.hpp"

namespace filch::detail {

/// Calls body(fork, first, n) for the `n` items of a range, as the options say.
template <splittable_range R, class Body>
auto launch_on(R& range, const options& o, const Body& body) {
  return launch(
      o, [&] { return body(parallel_fork{}, std::ranges::begin(range), detail::size_of(range)); });
}

/// The end of a range, as an iterator.
template <splittable_range R>
auto end_of(R& range) {
  return detail::at(std::ranges::begin(range), detail::size_of(range));
}

/// The elements of a range from index `i` on.
template <splittable_range R>
auto rest_from(R& range, std::size_t i) -> subrange<std::ranges::iterator_t<R>> {
  return {detail::at(std::ranges::begin(range), i), detail::end_of(range)};
}

/// An iterator to which the elements of a range can be copied.
template <class O, class R>
concept copied_to =
    std::random_access_iterator<O> && std::indirectly_copyable<std::ranges::iterator_t<R>, O>;

/// A function that can be called with the projected elements of a range.
template <class R, class F, class Proj>
concept takes = projected_call<F, or_default_t<Proj>, std::ranges::iterator_t<R>>;

/// A comparator that puts the projected elements of a range in order.
template <class R, class Comp, class Proj>
concept orders =
    std::indirect_strict_weak_order<or_default_t<Comp, std::ranges::less>,
                                    std::projected<std::ranges::iterator_t<R>, or_default_t<Proj>>>;

/// The same for elements that can be moved within their range.
template <class R, class Comp, class Proj>
concept sortable_by = std::sortable<std::ranges::iterator_t<R>,
                                    or_default_t<Comp, std::ranges::less>, or_default_t<Proj>>;

/// Two ranges, and a comparator for their projected elements.
template <class R1, class R2, class Comp, class Proj1, class Proj2>
concept orders_both =
    splittable_range<R1> && splittable_range<R2> && std::indirect_strict_weak_order<
        or_default_t<Comp, std::ranges::less>,
        std::projected<std::ranges::iterator_t<R1>, or_default_t<Proj1>>,
        std::projected<std::ranges::iterator_t<R2>, or_default_t<Proj2>>>;

/// Two ranges, and a function that compares their projected elements.
template <class R1, class R2, class F, class Proj1, class Proj2>
concept compares = splittable_range<R1> && splittable_range<R2> &&
    std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>,
                               or_default_t<F, std::ranges::equal_to>, or_default_t<Proj1>,
                               or_default_t<Proj2>>;

}  // namespace filch::detail

/// The type and the body of a function that returns what a call returns, and accepts what the call
/// accepts: `auto f(int i) -> FILCH_RESULT_OF(g(i));`
#define FILCH_RESULT_OF(...)                    \
  decltype(__VA_ARGS__) { return __VA_ARGS__; } \
  static_assert(true)
