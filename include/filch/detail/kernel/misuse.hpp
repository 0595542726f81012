// What overloads for wrong calls ask about their arguments.
#pragma once

#include <iterator>
#include <ranges>

#include "filch/detail/kernel/optional_arguments.hpp"
#include "filch/detail/loop/sizes.hpp"

namespace filch::detail {

/// Is one of the arguments an object of options, with another kind of argument behind it?
template <class... Args>
constexpr bool are_options_before_others() {
  bool are_options = false;
  bool found = false;
  ((found |= are_options && no_options<Args>, are_options |= !no_options<Args>), ...);
  return found;
}

/// Options before an F are before a function.
template <class F, class A>
concept is_function = no_options<F>;

/// F is a projection of the elements of a range A, or of what an iterator A points to. Then `{}`
/// before it is the default comparator, and not options.
template <class F, class A>
concept projects = (std::ranges::range<A> &&
                    std::invocable<F&, std::ranges::range_reference_t<A>>) ||
                   (std::input_iterator<std::remove_cvref_t<A>> &&
                    std::invocable<F&, std::iter_reference_t<std::remove_cvref_t<A>>>);
template <class F, class A>
concept is_comparator = no_options<F> && !projects<F, A>;

/// A function that parallel_for() can call for numbers of these types.
template <class F, class A, class B>
concept loop_body = index<A> && index<B> && std::invocable<F&, std::common_type_t<A, B>>;

}  // namespace filch::detail
