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
/// `least`  as in for_blocks().
template <bool ByHalvesOnly = false, fork_policy Fork, class Leaf, class Combine>
[[gnu::always_inline]] inline auto reduce_blocks(const Fork& fork, std::size_t n, const options& o,
                                                 Leaf&& leaf, Combine&& combine,
                                                 std::size_t least = 1)
    -> std::optional<leaf_result<std::remove_reference_t<Leaf>>> {
  using work_type =
      reduction<std::remove_reference_t<Leaf>, std::remove_reference_t<Combine>, ByHalvesOnly>;
  loop_course course(o, n);
  work_type work{leaf, combine};
  auto result = splitter<Fork, work_type>(fork, work, course, grain_of(o, least)).run(n);
  course.end_of_loop();
  return result;
}

/// The same with a tree that depends on `n` and `block` alone, so that the result has the same bits
/// however many workers there are and whatever they do: leaves of `block` items, the last one with
/// what is left, and always the same neighbours combined. `o.grain` and the clock decide only which
/// parts of that tree may be stolen.
template <fork_policy Fork, class Leaf, class Combine>
auto reduce_blocks_in_fixed_order(const Fork& fork, std::size_t n, std::size_t block,
                                  const options& o, Leaf&& leaf, Combine&& combine)
    -> std::optional<leaf_result<std::remove_reference_t<Leaf>>> {
  using value = leaf_result<std::remove_reference_t<Leaf>>;
  // The splitter's items are blocks here. It halves [first, last) at the middle, wherever it stops;
  // from there on the tree goes on in the same way without it.
  struct tree {
    std::size_t n;
    std::size_t block;
    std::remove_reference_t<Leaf>& leaf;
    std::remove_reference_t<Combine>& combine;
    value operator()(std::size_t first, std::size_t last) const {
      if (last - first == 1) {
        const std::size_t begin = first * block;
        return leaf(begin, n - begin < block ? n : begin + block);
      }
      const std::size_t middle = first + (last - first) / 2;
      value a = (*this)(first, middle);
      return combine(std::move(a), (*this)(middle, last));
    }
  };
  const std::size_t blocks = n / block + (n % block != 0 ? 1 : 0);
  options in_blocks = o;
  in_blocks.grain = o.grain / block;
  if (o.progress)
    in_blocks.progress = [&](std::size_t done, std::size_t) {
      o.progress(done == blocks ? n : done * block, n);
    };
  return detail::reduce_blocks<true>(fork, blocks, in_blocks, tree{n, block, leaf, combine},
                                     combine);
}

}  // namespace filch::detail
