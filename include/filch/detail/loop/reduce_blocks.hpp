// Combines the results of the parts of a range, from left to right.
#pragma once

#include <optional>

#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

/// What a leaf of a reduction returns.
template <class Leaf>
using leaf_result = std::remove_cvref_t<std::invoke_result_t<Leaf&, std::size_t, std::size_t>>;

/// The work of a reduction. Parts that were skipped have no value; then the loop throws later.
template <class Leaf, class Combine, bool ByHalvesOnly>
struct reduction {
  static constexpr bool by_halves_only = ByHalvesOnly;
  using value = leaf_result<Leaf>;
  using result = std::optional<value>;
  Leaf& make;
  Combine& join_values;

  // Inlined, because g++ writes the parts of a std::optional one by one and reads them as one to
  // return it, and the processor has to wait for that.
  [[gnu::always_inline]] result leaf(std::size_t first, std::size_t last) {
    return result(make(first, last));
  }
  result combine(result&& a, result&& b) {
    if (!a || !b) return std::nullopt;
    return result(join_values(*std::move(a), *std::move(b)));
  }
  static result skipped() noexcept { return std::nullopt; }
};

/// Returns combine(leaf(0, a), leaf(a, b), ...) over parts of [0, n), several at once. The order is
/// kept: `combine` must be associative, but need not be commutative. It gets rvalues, so that
/// values may be move-only. They need no default constructor.
///
/// Returns  Nothing if n is 0.
/// Throws   as for_blocks(); what `combine` throws likewise.
/// `least`, `state`  as in for_blocks().
template <bool ByHalvesOnly = false, fork_policy Fork, class Leaf, class Combine>
[[gnu::always_inline]] inline auto reduce_blocks(const Fork& fork, std::size_t n, const options& o,
                                                 loop_state& state, Leaf&& leaf, Combine&& combine,
                                                 std::size_t least = 1)
    -> std::optional<leaf_result<std::remove_reference_t<Leaf>>> {
  using work_type =
      reduction<std::remove_reference_t<Leaf>, std::remove_reference_t<Combine>, ByHalvesOnly>;
  work_type work{leaf, combine};
  auto result = splitter<Fork, work_type>(fork, work, state, grain_of(o, least)).run(n);
  state.end_of_loop();
  return result;
}

/// The same without early ends.
template <bool ByHalvesOnly = false, fork_policy Fork, class Leaf, class Combine>
[[gnu::always_inline]] inline auto reduce_blocks(const Fork& fork, std::size_t n, const options& o,
                                                 Leaf&& leaf, Combine&& combine,
                                                 std::size_t least = 1) {
  loop_state state(o, n);
  return detail::reduce_blocks<ByHalvesOnly>(fork, n, o, state, leaf, combine, least);
}

/// A tree that depends only on the number of items and `block`. Its leaves have `block` items, the
/// last one the remainder. The same neighbours are always combined. The splitter treats its blocks
/// as items.
class fixed_tree {
 public:
  fixed_tree(std::size_t n, std::size_t block) noexcept : n_(n), block_(block) {}

  std::size_t blocks() const noexcept { return n_ / block_ + (n_ % block_ != 0 ? 1 : 0); }

  /// The options of a loop over the blocks. `o` and this outlive them.
  options in_blocks(const options& o) const {
    options mine = o;
    mine.grain = grain_in_blocks(o.grain);
    if (o.progress)
      mine.progress = [this, &o](std::size_t done, std::size_t) {
        o.progress(done == blocks() ? n_ : done * block_, n_);
      };
    return mine;
  }

  /// The result of the blocks [first, last). The splitter halves parts at the middle, down to any
  /// depth; this continues in the same way below.
  template <class Leaf, class Combine>
  auto fold(std::size_t first, std::size_t last, Leaf& leaf, Combine& combine) const
      -> leaf_result<Leaf> {
    if (last - first == 1) {
      const std::size_t begin = first * block_;
      return leaf(begin, n_ - begin < block_ ? n_ : begin + block_);
    }
    const std::size_t middle = first + (last - first) / 2;
    auto a = fold(first, middle, leaf, combine);
    return combine(std::move(a), fold(middle, last, leaf, combine));
  }

 private:
  /// So many blocks have at least `grain` items, also if the last block is one of them.
  std::size_t grain_in_blocks(std::size_t grain) const noexcept {
    if (grain == 0) return 0;
    const std::size_t missing = blocks() * block_ - n_;  // in the last block
    return grain / block_ + (grain % block_ + missing + block_ - 1) / block_;
  }

  std::size_t n_;
  std::size_t block_;
};

/// How many items are in a leaf of a fixed tree, if `least` of them are worth a fork. Many where
/// only memory bandwidth counts, few where an item may be expensive.
constexpr std::size_t fixed_block(std::size_t least) noexcept { return least > 1 ? 1024 : 8; }

/// reduce_blocks() over a fixed tree. The result has the same bits with any number of workers and
/// any schedule. The grain and the clock only decide which parts of that tree can be stolen.
/// `in_blocks` and `state` count blocks.
template <fork_policy Fork, class Leaf, class Combine>
auto reduce_blocks_in_fixed_order(const Fork& fork, const fixed_tree& tree,
                                  const options& in_blocks, loop_state& state, Leaf&& leaf,
                                  Combine&& combine) {
  return detail::reduce_blocks<true>(
      fork, tree.blocks(), in_blocks, state,
      [&](std::size_t first, std::size_t last) { return tree.fold(first, last, leaf, combine); },
      combine);
}

/// The same for `n` items in leaves of `block`.
template <fork_policy Fork, class Leaf, class Combine>
auto reduce_blocks_in_fixed_order(const Fork& fork, std::size_t n, std::size_t block,
                                  const options& o, Leaf&& leaf, Combine&& combine) {
  const fixed_tree tree(n, block);
  const options in_blocks = tree.in_blocks(o);
  loop_state state(in_blocks, tree.blocks());
  return detail::reduce_blocks_in_fixed_order(fork, tree, in_blocks, state, leaf, combine);
}

/// reduce_blocks(), with options::deterministic over a fixed tree.
template <fork_policy Fork, class Leaf, class Combine>
auto reduce_as_asked(const Fork& fork, std::size_t n, const options& o, const Leaf& leaf,
                     const Combine& combine, std::size_t least) {
  if (!o.deterministic) return detail::reduce_blocks(fork, n, o, leaf, combine, least);
  options fixed = o;
  fixed.grain = grain_of(o, least);
  return detail::reduce_blocks_in_fixed_order(fork, n, fixed_block(least), fixed, leaf, combine);
}

}  // namespace filch::detail
