// The blocks of inclusive and exclusive scans.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/split/fold.hpp"
#include "filch/detail/split/habit.hpp"
#include "filch/detail/split/prefix_numbers.hpp"
#include "filch/detail/split/scan_blocks.hpp"

namespace filch::detail {

enum class scan_kind : unsigned char { inclusive, exclusive };

/// Results of type T, made of f(item), written from `out` on, which may be where the items are.
template <scan_kind Kind, class T, std::random_access_iterator I, class F,
          std::random_access_iterator O, class Op>
class prefix_work {
 public:
  using state = T;
  using source = mapped_items<I, F>;
  static constexpr bool known = known_reduction<Op, T, typename source::result>;
  static constexpr bool cheap = known && source::trivial;

  prefix_work(I first, F& f, O out, Op& op)
      : items_{first, f}, fold_(items_, op), out_(out), op_(op) {}

  T reduce(std::size_t from, std::size_t to) { return fold_(from, to); }

  T combine(const T& a, T&& b) { return fold_.combine(T(a), std::move(b)); }

  T scan(std::size_t from, std::size_t to, const T* carry) {
    O out = at(out_, from);
    auto c = items_.at(from);
    if constexpr (cheap && std::contiguous_iterator<I> && std::contiguous_iterator<O> &&
                  prefix_in_fours<Op, T, std::iter_value_t<I>, std::iter_value_t<O>>) {
      return prefix_numbers<Kind == scan_kind::inclusive>(std::to_address(c), std::to_address(out),
                                                          to - from, carry ? *carry : T{});
    } else {
      if constexpr (Kind == scan_kind::inclusive) {
        T sum = carry != nullptr ? add(T(*carry), c) : make(c);
        for (;;) {
          *out = std::as_const(sum);
          if (++from == to) return sum;
          ++out;
          source::step(c);
          sum = add(std::move(sum), c);
        }
      } else {
        T sum(*carry);
        for (;;) {
          T next = add(T(sum), c);  // before the item is overwritten
          *out = std::move(sum);
          if (++from == to) return next;
          sum = std::move(next);
          ++out;
          source::step(c);
        }
      }
    }
  }

 private:
  T make(const I& c) const {
    return items_.use(
        c, [](auto&& item) { return static_cast<T>(static_cast<decltype(item)>(item)); });
  }
  T add(T&& sum, const I& c) const {
    return items_.use(c, [&](auto&& item) {
      if constexpr (known)
        return lane_op<Op, T>{}(sum, static_cast<T>(item));
      else
        return static_cast<T>(std::invoke(op_, std::move(sum), static_cast<decltype(item)>(item)));
    });
  }

  source items_;
  folding<T, source, Op> fold_;
  O out_;
  Op& op_;
};

/// How many bytes a block reads and writes. Small enough that what has been read to reduce it is
/// still in the cache when it is scanned; large enough that taking it does not count.
inline constexpr std::size_t scan_block_bytes = 128 * 1024;

/// Blocks for a scan: enough of them for all workers, none too large for the cache. If `fixed`,
/// they depend on nothing but the number of items.
template <fork_policy Fork>
even_blocks scan_blocks(const Fork& fork, std::size_t n, std::size_t bytes_of_item,
                        std::size_t least, bool fixed) {
  const std::size_t in_cache = std::max<std::size_t>(scan_block_bytes / bytes_of_item, 1);
  const std::size_t most = n / std::max<std::size_t>(least, 1);  // blocks that are worth a fork
  if (most < 2) return even_blocks(n, std::size_t{1});
  const std::size_t wanted = std::max(n / in_cache, fixed ? 64 : 8 * fork.workers());
  return even_blocks(n, std::min(most, wanted));
}

/// So few items that nothing is forked.
template <class Work, class T>
void scan_in_one_go(Work& work, std::size_t n, const std::optional<T>& init, const options& o) {
  loop_course course(o, n);
  if (n != 0 && course.may_start(0)) {
    work.scan(0, n, init ? std::addressof(*init) : nullptr);
    course.finished(n);
  }
  course.end_of_loop();
}

/// Calls `forked` or `alone`, each of which does the same `n` items, as the habit of `Kind` says.
template <class Kind, fork_policy Fork, class Forked, class Alone>
void by_habit(const Fork& fork, std::size_t n, Forked&& forked, Alone&& alone) {
  habit& kind = habit_of<Kind>;
  const habit::advice advice = kind.ask(n);
  if (advice == habit::advice::alone) return alone();
  const ticks start = fork.now();
  if (advice == habit::advice::find_out) {
    alone();
    kind.learn_exactly(n, fork.now() - start);
  } else {
    forked();
    kind.learn(n, fork.now() - start);
  }
}

template <scan_kind Kind, class T, fork_policy Fork, class I, class F, class O, class Op>
void prefix_with(const Fork& fork, I first, std::size_t n, F& f, O out, Op& op,
                 std::optional<T> init, const options& o) {
  using work_type = prefix_work<Kind, T, I, F, O, Op>;
  work_type work(first, f, out, op);
  const std::size_t least = grain_of(o, work_type::cheap ? cheap_items : 1);
  constexpr bool exact = work_type::known && std::integral<T>;
  const bool fixed = o.deterministic && !exact;
  const even_blocks blocks =
      scan_blocks(fork, n, sizeof(std::iter_value_t<I>) + sizeof(T),
                  fixed && !work_type::cheap ? 1 : (fixed ? cheap_items : least), fixed);
  const directly direct = fixed              ? directly::never
                          : work_type::cheap ? directly::when_alone
                                             : directly::always;
  if (blocks.count() <= 1) return scan_in_one_go(work, n, init, o);
  const auto in_blocks = [&] {
    block_scan<Fork, work_type>(fork, work, blocks, direct, o).run(std::move(init));
  };
  if constexpr (keeps_habits<Fork>)
    if (n <= habit::longest && !fixed)
      return by_habit<work_type>(fork, n, in_blocks, [&] { scan_in_one_go(work, n, init, o); });
  in_blocks();
}

}  // namespace filch::detail
