// Combining what the parts of a range give, from left to right.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/split/splitter.hpp"

namespace filch::detail {

/// What a leaf of a reduction returns.
template <class Leaf>
using leaf_result = std::remove_cvref_t<std::invoke_result_t<Leaf&, std::size_t, std::size_t>>;

/// Parts of which some may have been skipped: those have no value, and the loop throws later.
template <class Leaf, class Combine, bool ByHalvesOnly>
struct reduction {
  static constexpr bool by_halves_only = ByHalvesOnly;
  using value = leaf_result<Leaf>;
  using result = std::optional<value>;
  Leaf& make;
  Combine& join_values;

  // Inlined: g++ writes the parts of a std::optional one by one and reads them as one to return
  // it, for which the processor has to wait.
  [[gnu::always_inline]] result leaf(std::size_t first, std::size_t last) {
    return result(make(first, last));
  }
  result combine(result&& a, result&& b) {
    if (!a || !b) return std::nullopt;
    return result(join_values(*std::move(a), *std::move(b)));
  }
  static result skipped() noexcept { return std::nullopt; }
};

/// combine(leaf(0, a), leaf(a, b), ...) over parts of [0, n), several at once. The order is kept:
/// `combine` need not be commutative, only associative. It gets rvalues, so that values may be
/// move-only; they need no default constructor.
///
/// Returns  Nothing if n is 0.
/// Throws   as for_blocks(); what `combine` throws likewise.
/// `least`, `course`  as in for_blocks().
template <bool ByHalvesOnly = false, fork_policy Fork, class Leaf, class Combine>
[[gnu::always_inline]] inline auto reduce_blocks(const Fork& fork, std::size_t n, const options& o,
                                                 loop_course& course, Leaf&& leaf,
                                                 Combine&& combine, std::size_t least = 1)
    -> std::optional<leaf_result<std::remove_reference_t<Leaf>>> {
  using work_type =
      reduction<std::remove_reference_t<Leaf>, std::remove_reference_t<Combine>, ByHalvesOnly>;
  work_type work{leaf, combine};
  auto result = splitter<Fork, work_type>(fork, work, course, grain_of(o, least)).run(n);
  course.end_of_loop();
  return result;
}

/// The same without early ends.
template <bool ByHalvesOnly = false, fork_policy Fork, class Leaf, class Combine>
[[gnu::always_inline]] inline auto reduce_blocks(const Fork& fork, std::size_t n, const options& o,
                                                 Leaf&& leaf, Combine&& combine,
                                                 std::size_t least = 1) {
  loop_course course(o, n);
  return detail::reduce_blocks<ByHalvesOnly>(fork, n, o, course, leaf, combine, least);
}

/// A tree that depends on the number of items and `block` alone: leaves of `block` items, the last
/// one with what is left, and always the same neighbours combined. To the splitter its blocks are
/// items.
class fixed_tree {
 public:
  fixed_tree(std::size_t n, std::size_t block) noexcept : n_(n), block_(block) {}

  std::size_t blocks() const noexcept { return n_ / block_ + (n_ % block_ != 0 ? 1 : 0); }

  /// The options of a loop over the blocks. Those that are given, and this, outlive them.
  options in_blocks(const options& o) const {
    options mine = o;
    mine.grain = o.grain / block_;
    if (o.progress)
      mine.progress = [this, &o](std::size_t done, std::size_t) {
        o.progress(done == blocks() ? n_ : done * block_, n_);
      };
    return mine;
  }

  /// What the blocks [first, last) are worth. The splitter halves such a part at the middle,
  /// wherever it stops; from there on the tree goes on in the same way without it.
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
  std::size_t n_;
  std::size_t block_;
};

/// reduce_blocks() over a fixed tree, so that the result has the same bits however many workers
/// there are and whatever they do. The grain and the clock decide only which parts of that tree may
/// be stolen. `in_blocks` and `course` are those of its blocks.
template <fork_policy Fork, class Leaf, class Combine>
auto reduce_blocks_in_fixed_order(const Fork& fork, const fixed_tree& tree,
                                  const options& in_blocks, loop_course& course, Leaf&& leaf,
                                  Combine&& combine) {
  return detail::reduce_blocks<true>(
      fork, tree.blocks(), in_blocks, course,
      [&](std::size_t first, std::size_t last) { return tree.fold(first, last, leaf, combine); },
      combine);
}

/// The same for `n` items in leaves of `block`.
template <fork_policy Fork, class Leaf, class Combine>
auto reduce_blocks_in_fixed_order(const Fork& fork, std::size_t n, std::size_t block,
                                  const options& o, Leaf&& leaf, Combine&& combine) {
  const fixed_tree tree(n, block);
  const options in_blocks = tree.in_blocks(o);
  loop_course course(in_blocks, tree.blocks());
  return detail::reduce_blocks_in_fixed_order(fork, tree, in_blocks, course, leaf, combine);
}

}  // namespace filch::detail
