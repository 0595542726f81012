// Set operations on two sorted ranges.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/sorted_parts.hpp"

namespace filch::detail {

using union_operation = set_operation<true, true, true>;
using intersection_operation = set_operation<false, true, false>;
using difference_operation = set_operation<true, false, false>;
using symmetric_operation = set_operation<true, false, true>;

/// Two ranges whose projected elements can be compared in both directions.
template <class R1, class R2, class Comp, class Proj1, class Proj2>
concept comparable_ranges = projection_of<or_default_t<Proj1>, std::ranges::iterator_t<R1>> &&
    projection_of<or_default_t<Proj2>, std::ranges::iterator_t<R2>> &&
    orders_both<R1, R2, Comp, Proj1, Proj2>;

/// The same, and the elements can be copied to O.
template <class R1, class R2, class O, class Comp, class Proj1, class Proj2>
concept set_arguments =
    std::random_access_iterator<O> && comparable_ranges<R1, R2, Comp, Proj1, Proj2> &&
    std::indirectly_copyable<std::ranges::iterator_t<R1>, O> &&
    std::indirectly_copyable<std::ranges::iterator_t<R2>, O>;

template <class I1, class I2, class Comp, class Proj1, class Proj2>
auto sorted_pair_of(I1 first1, std::size_t n1, I2 first2, std::size_t n2, Comp& comp, Proj1& proj1,
                    Proj2& proj2) {
  return sorted_pair<I1, I2, Comp, Proj1, Proj2>{first1, n1, first2, n2, comp, proj1, proj2};
}

/// Calls body(fork, pair) with both ranges, as the options say.
template <class R1, class R2, class Given, class Body>
auto launch_on_both(R1& range1, R2& range2, Given& by, const Body& body) {
  return detail::launch_on(range1, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return body(fork, detail::sorted_pair_of(first, n, std::ranges::begin(range2),
                                             detail::size_of(range2), by.f, by.g, by.h));
  });
}

template <class Operation, class R1, class R2, class O, class Given>
auto set_operation_of(R1& range1, R2& range2, O out, Given&& by)
    -> std::ranges::in_in_out_result<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, O> {
  O end = detail::launch_on_both(range1, range2, by, [&](const auto& fork, const auto& p) {
    return detail::set_operation_with<Operation>(fork, p, out, by.o);
  });
  return {detail::end_of(range1), detail::end_of(range2), std::move(end)};
}

template <class R1, class R2, class O>
using set_result = std::ranges::in_in_out_result<std::ranges::borrowed_iterator_t<R1>,
                                                 std::ranges::borrowed_iterator_t<R2>, O>;

template <class R1, class O>
using difference_result = std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R1>, O>;

template <fork_policy Fork, class Pair>
bool includes_with(const Fork& fork, const Pair& p, const options& o) {
  if (p.n2 > p.n1) return false;
  using position = typename Pair::position;
  const std::size_t n = p.size();
  const even_blocks blocks(fork, n, std::max<std::size_t>(o.grain, 1024));
  const auto look = [&](const position& begin, const position& end) {
    auto i1 = detail::at(p.first1, begin.in1);
    const auto end1 = detail::at(p.first1, end.in1);
    const auto end2 = detail::at(p.first2, end.in2);
    for (auto i2 = detail::at(p.first2, begin.in2); i2 != end2; ++i2, ++i1) {
      while (i1 != end1 && p.less12(i1, i2)) ++i1;
      if (i1 == end1 || p.less21(i2, i1)) return false;
    }
    return true;
  };
  if (blocks.count() <= 1) return alone(n, o, [&] { return look({0, 0, 0}, {p.n1, p.n2, 0}); });
  std::atomic<bool> missing = false;
  options in_blocks = o;
  in_blocks.grain = 0;
  if (o.progress)
    in_blocks.progress = [&](std::size_t done, std::size_t) { o.progress(blocks[done], n); };
  loop_state state(in_blocks, blocks.count());
  for_blocks(fork, blocks.count(), in_blocks, state, [&](std::size_t from, std::size_t to) {
    if (look(from == 0 ? position{0, 0, 0} : p.at_rank(blocks[from]), p.at_rank(blocks[to])))
      return;
    missing.store(true, std::memory_order_relaxed);  // orders nothing: joins do
    state.cut(0);
  });
  return !missing.load(std::memory_order_relaxed);  // orders nothing: joins do
}
template <class R1, class R2, class Given>
bool includes_of(R1& range1, R2& range2, Given&& by) {
  return detail::launch_on_both(range1, range2, by, [&](const auto& fork, const auto& p) {
    return detail::includes_with(fork, p, by.o);
  });
}

}  // namespace filch::detail
