// Moving elements within their range, to where the marks say.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/order/as_branch.hpp"
#include "filch/detail/split/marks.hpp"
#include "filch/detail/split/scratch.hpp"

namespace filch::detail {

/// Elements that can be moved to scratch memory and back without an error on the way. With others
/// an exception would leave some of them there, lost to the user: those are moved in place.
template <class I>
concept safely_moved = std::is_nothrow_move_constructible_v<std::iter_value_t<I>> &&
    std::is_nothrow_constructible_v<std::iter_value_t<I>, std::iter_rvalue_reference_t<I>> &&
    std::is_nothrow_assignable_v<std::iter_reference_t<I>, std::iter_value_t<I> &&>;

/// Moves `n` elements from scratch memory to `to` on, and destroys them there.
template <fork_policy Fork, std::random_access_iterator I>
void move_back(const Fork& fork, std::iter_value_t<I>* from, std::size_t n, const I& to,
               const options& o) {
  for_blocks(
      fork, n, o,
      [&](std::size_t first, std::size_t last) {
        std::move(from + first, from + last, detail::at(to, first));
        std::destroy(from + first, from + last);
      },
      worth_moving<I>);
}

/// Calls `body`, which moves elements to scratch memory and back, and forks for it if there are
/// enough of them. No fork in it fails: those on the way would be lost.
template <fork_policy Fork, class Body>
void out_and_back(const Fork& fork, std::size_t n, std::size_t least, const Body& body) {
  if (n <= least)
    body();
  else
    as_branch(fork, body);
}

/// Moves the marked elements to the front, in order; those behind them are then valid, with values
/// that nobody knows.
/// Returns  How many are marked.
/// Throws   What moving throws.
template <fork_policy Fork, std::random_access_iterator I>
std::size_t compact(const Fork& fork, const I& first, const marks& kept, const options& o) {
  using value = std::iter_value_t<I>;
  const even_blocks& blocks = kept.blocks();
  // What lies before the first gap stays where it is.
  std::size_t whole = 0;
  while (whole != blocks.count() && kept.before(whole + 1) == kept.start(whole + 1)) ++whole;
  const auto close_gaps = [&](std::size_t b, I to) {
    if constexpr (copies_bytes<I, I>) return kept.copy(b, first, to);
    kept.each(b, first, [&](const I& i) {
      if (i != to) *to = std::ranges::iter_move(i);
      ++to;
    });
    return to;
  };
  if (whole == blocks.count()) return kept.total();
  // The first block with a gap and, without scratch memory, all behind it: in place.
  const auto close_first = [&] { return close_gaps(whole, detail::at(first, kept.start(whole))); };
  const std::size_t base = kept.before(whole + 1);
  if constexpr (safely_moved<I>) {
    const scratch<value> aside(blocks.count() - whole > 2 ? kept.total() - base : 0);
    if (aside.size() != 0 && aside) {
      const even_blocks rest(blocks.count() - whole - 1, blocks.count());
      const auto move_out = [&](std::size_t r, std::size_t, std::size_t) {
        const std::size_t b = whole + 1 + r;
        value* to = aside.data() + (kept.before(b) - base);
        if constexpr (copies_bytes<I, value*>)
          kept.copy(b, first, to);
        else
          kept.each(b, first,
                    [&](const I& i) { std::construct_at(to++, std::ranges::iter_move(i)); });
      };
      // No fork may fail while elements are on the way.
      as_branch(fork, [&] {
        const I end = close_first();
        for_each_block(fork, rest, {}, move_out);
        detail::move_back(fork, aside.data(), aside.size(), end, second_pass(o));
      });
      return kept.total();
    }
  }
  I end = close_first();
  for (std::size_t b = whole + 1; b != blocks.count(); ++b) end = close_gaps(b, end);
  return kept.total();
}

}  // namespace filch::detail
