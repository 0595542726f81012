// What overloads for calls that would write to a std::vector<bool> ask about their arguments.
#pragma once

#include <utility>
#include <vector>

#include "filch/detail/loop/range.hpp"

namespace filch::detail {

/// An iterator of a std::vector<bool>, to whose elements several threads cannot write.
template <class I>
concept iterates_bits = std::random_access_iterator<std::remove_cvref_t<I>> &&
    !separate_elements<std::remove_cvref_t<I>>;
template <class A>
concept has_bits = iterates_bits<A> ||
    (std::ranges::random_access_range<A> && !separate_elements<std::ranges::iterator_t<A>>);

/// The type of an argument, with chars in place of bits. A range of bits becomes an iterator if it
/// `begins` an output.
template <class A, bool Begins>
struct chars_for_bits {
  using type = A;
};
template <has_bits A, bool Begins>
struct chars_for_bits<A, Begins> {
  using type = std::conditional_t<Begins || iterates_bits<A>, std::vector<char>::iterator,
                                  std::vector<char>&>;
};

/// Can `Call` be called if there are chars in place of bits, and outputs begin at argument `Out`?
template <class Call, std::size_t Out, class... Args, std::size_t... At>
constexpr bool takes_chars_from(std::index_sequence<At...>) {
  return std::invocable<const Call&, typename chars_for_bits<Args, (At >= Out)>::type...>;
}
template <class Call, class... Args, std::size_t... Out>
constexpr bool takes_chars(std::index_sequence<Out...>) {
  return (takes_chars_from<Call, Out, Args...>(std::index_sequence_for<Args...>()) || ...);
}

/// A call that fits no function, but would with chars in place of bits.
template <class Call, class... Args>
concept only_bits_prevent =
    (has_bits<Args> || ...) && !std::invocable<const Call&, Args...> &&
    takes_chars<Call, Args...>(std::make_index_sequence<sizeof...(Args) + 1>());

}  // namespace filch::detail
