// Divides two sorted ranges at the same values.
#pragma once

#include "filch/detail/kernel/bitmask.hpp"

namespace filch::detail {

/// Two sorted ranges with their projections. less12(a, b) and so on say whether `a` comes before
/// `b`.
template <class I1, class I2, class Comp, class Proj1, class Proj2>
struct sorted_pair {
  I1 first1;
  std::size_t n1;
  I2 first2;
  std::size_t n2;
  Comp& comp;
  Proj1& proj1;
  Proj2& proj2;

  bool less12(const I1& a, const I2& b) const { return less(proj1, a, proj2, b); }
  bool less21(const I2& a, const I1& b) const { return less(proj2, a, proj1, b); }

  /// The number of elements of both. Throws `usage_error` if it overflows.
  std::size_t size() const { return detail::sum_of_sizes(n1, n2, "an operation on sorted ranges"); }

  /// A position in each range. In both ranges, every element before it is less than every element
  /// behind it.
  struct position {
    std::size_t in1;
    std::size_t in2;
    std::size_t out;  // used by algorithms that count the output before this position
  };

  /// A position with about `d` elements before it. Equal elements stay together, behind it.
  /// Requires that size() does not overflow.
  position at_rank(std::size_t d) const {
    if (d >= n1 + n2) return {n1, n2, 0};
    // Of the d smallest elements, `i` are from the first range: the least i whose element is not
    // one of them.
    const std::size_t low = d > n2 ? d - n2 : 0;
    const std::size_t i = detail::first_not(low, std::min(d, n1), [&](std::size_t k) {
      return !less21(detail::at(first2, d - 1 - k), detail::at(first1, k));
    });
    const std::size_t j = d - i;
    // `pivot` is the smallest of the others. Everything equal to it goes behind the position.
    const auto before = [&](const auto& pivot, auto& proj) -> position {
      return {
          detail::first_not(
              0, i, [&](std::size_t k) { return less(proj1, detail::at(first1, k), proj, pivot); }),
          detail::first_not(
              0, j, [&](std::size_t k) { return less(proj2, detail::at(first2, k), proj, pivot); }),
          0};
    };
    if (j == n2 || (i != n1 && !less21(detail::at(first2, j), detail::at(first1, i))))
      return before(detail::at(first1, i), proj1);
    return before(detail::at(first2, j), proj2);
  }

 private:
  template <class ProjA, class A, class ProjB, class B>
  bool less(ProjA& proj_a, const A& a, ProjB& proj_b, const B& b) const {
    return static_cast<bool>(std::invoke(comp, std::invoke(proj_a, *a), std::invoke(proj_b, *b)));
  }
};

/// Which elements a set operation takes: those in the first range only, in both, in the second
/// only. Of equal elements, the k-th in one range is matched with the k-th in the other.
template <bool Only1, bool Both, bool Only2>
struct set_operation {
  /// Calls out.one(iterator) for each element that it takes from the parts [a, b) of both ranges,
  /// and out.rest(first, last) for several at once.
  template <class Pair, class Position, class Out>
  static void run(const Pair& p, const Position& a, const Position& b, Out& out) {
    auto i1 = detail::at(p.first1, a.in1);
    auto i2 = detail::at(p.first2, a.in2);
    const auto end1 = detail::at(p.first1, b.in1);
    const auto end2 = detail::at(p.first2, b.in2);
    while (i1 != end1 && i2 != end2) {
      if (p.less12(i1, i2)) {
        if constexpr (Only1) out.one(i1);
        ++i1;
      } else if (p.less21(i2, i1)) {
        if constexpr (Only2) out.one(i2);
        ++i2;
      } else {
        if constexpr (Both) out.one(i1);
        ++i1;
        ++i2;
      }
    }
    if constexpr (Only1) out.rest(i1, end1);
    if constexpr (Only2) out.rest(i2, end2);
  }
};

struct count_taken {
  std::size_t count = 0;
  template <class I>
  void one(const I&) noexcept {
    ++count;
  }
  template <class I>
  void rest(const I& first, const I& last) noexcept {
    count += static_cast<std::size_t>(last - first);
  }
};

template <class O>
struct copy_taken {
  O out;
  template <class I>
  void one(const I& i) {
    *out = *i;
    ++out;
  }
  template <class I>
  void rest(I first, const I& last) {
    for (; first != last; ++first) one(first);
  }
};

/// Runs a set operation on parts of both ranges, several at once. First each part counts its
/// output; then it writes that to its position. Returns the end of the output.
template <class Operation, fork_policy Fork, class Pair, std::random_access_iterator O>
O set_operation_with(const Fork& fork, const Pair& p, O out, const options& o) {
  using position = typename Pair::position;
  constexpr bool cheap = std::is_arithmetic_v<std::remove_cvref_t<decltype(*p.first1)>>;
  const std::size_t n = p.size();
  const std::size_t least = std::max<std::size_t>(o.grain, cheap ? cheap_items : 256);
  const auto by_this_thread = [&] {
    return alone(n, o, [&] {
      copy_taken<O> all{out};
      Operation::run(p, position{0, 0, 0}, position{p.n1, p.n2, 0}, all);
      return all.out;
    });
  };
  if (n <= least) return by_this_thread();  // avoids the division in even_blocks
  const even_blocks blocks(fork, n, least);
  const raw_memory<position> positions(blocks.count() <= 1 ? 0 : blocks.count() + 1);
  if (blocks.count() <= 1 || !positions) return by_this_thread();
  for (std::size_t b = 0; b <= blocks.count(); ++b) positions.data()[b] = p.at_rank(blocks[b]);
  for_each_block(fork, blocks, o, [&](std::size_t b, std::size_t, std::size_t) {
    count_taken counted;
    Operation::run(p, positions.data()[b], positions.data()[b + 1], counted);
    positions.data()[b].out = counted.count;
  });
  std::size_t before = 0;
  for (std::size_t b = 0; b <= blocks.count(); ++b)
    before += std::exchange(positions.data()[b].out, before);
  for_each_block(fork, blocks, second_pass(o), [&](std::size_t b, std::size_t, std::size_t) {
    copy_taken<O> written{detail::at(out, positions.data()[b].out)};
    Operation::run(p, positions.data()[b], positions.data()[b + 1], written);
  });
  return detail::at(out, positions.data()[blocks.count()].out);
}

}  // namespace filch::detail
