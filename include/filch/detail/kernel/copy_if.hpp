// Copies the selected elements of a range to an output.
#pragma once

#include "filch/detail/kernel/bitmask.hpp"
#include "filch/detail/kernel/copy_in_blocks.hpp"
#include "filch/detail/kernel/few_flags.hpp"

namespace filch::detail {

/// Copies the elements for which test(iterator) is true, in order. Returns the end of the copies.
template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator O,
          class Test>
O copy_selected_with(const Fork& fork, I first, std::size_t n, O out, const options& o, Test&& test,
                     std::size_t least = 1) {
  const auto one_by_one = [&] {
    for (const I last = detail::at(first, n); first != last; ++first)
      if (test(first)) *out++ = *first;
    return out;
  };
  if (nothing_to_divide(n, o)) return one_by_one();
  if (n <= most_few) return few_flags(fork, first, n, o, test, least).copy(out);
  using in_blocks = copy_in_blocks<Fork, I, O, std::remove_reference_t<Test>>;
  if (in_blocks::is_for(n)) {
    in_blocks all(fork, first, n, out, o, test, least);
    return all ? all.run() : alone(n, o, one_by_one);
  }
  bitmask picked(fork, n, worth_moving<I>, o.grain);
  if (!picked) return alone(n, o, one_by_one);
  picked.make(fork, first, o, test, least);
  picked.for_each_block(
      fork, [&](std::size_t b) { picked.copy(b, first, detail::at(out, picked.before(b))); });
  return detail::at(out, picked.total());
}

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator O,
          class Pred, class Proj>
O copy_if_with(const Fork& fork, I first, std::size_t n, O out, Pred& pred, Proj& proj,
               const options& o) {
  return detail::copy_selected_with(fork, first, n, out, o, detail::test_of<I>(pred, proj));
}

}  // namespace filch::detail
