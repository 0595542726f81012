// Moves elements within their range to the positions that a bitmask gives.
#pragma once

#include "filch/detail/kernel/bitmask.hpp"
#include "filch/detail/order/as_branch.hpp"

namespace filch::detail {

/// Elements that can be moved to scratch memory and back without an exception. If a move could
/// throw, an exception would leave elements in the scratch memory, lost to the user; such elements
/// are moved in place.
template <class I>
concept safely_moved = std::is_nothrow_move_constructible_v<std::iter_value_t<I>> &&
    std::is_nothrow_constructible_v<std::iter_value_t<I>, std::iter_rvalue_reference_t<I>> &&
    std::is_nothrow_assignable_v<std::iter_reference_t<I>, std::iter_value_t<I> &&>;

/// Moves `n` elements from scratch memory to the range that begins at `to`, and destroys their
/// originals.
template <fork_policy Fork, std::random_access_iterator I>
void move_back(const Fork& fork, std::iter_value_t<I>* from, std::size_t n, const I& to,
               const options& o) {
  const auto leaf = [&](std::size_t first, std::size_t last) {
    std::move(from + first, from + last, detail::at(to, first));
    std::destroy(from + first, from + last);
  };
  for_blocks(fork, n, o, leaf, worth_moving<I>);
}

/// Moves the selected elements to the front, in order. The elements behind them stay valid, with
/// unspecified values.
/// Returns  How many are selected.
/// Throws   What moving throws.
template <fork_policy Fork, std::random_access_iterator I>
std::size_t compact(const Fork& fork, const I& first, const bitmask& kept, const options& o) {
  using value = std::iter_value_t<I>;
  const even_blocks& blocks = kept.blocks();
  // The blocks before the first gap stay where they are.
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
  // Closes the gaps in place: in the first block with a gap and, without scratch memory, in all
  // later ones.
  const auto close_first = [&] { return close_gaps(whole, detail::at(first, kept.start(whole))); };
  const std::size_t base = kept.before(whole + 1);
  if constexpr (safely_moved<I>) {
    const raw_memory<value> aside(blocks.count() - whole > 2 ? kept.total() - base : 0);
    if (aside.size() != 0 && aside) {
      const even_blocks rest(blocks.count() - whole - 1, blocks.count());
      const auto move_out = [&](std::size_t r, std::size_t, std::size_t) {
        const std::size_t b = whole + 1 + r;
        kept.move_out(b, first, aside.data() + (kept.before(b) - base));
      };
      // No fork may fail while elements are in the scratch memory.
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
