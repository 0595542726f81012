// The blocks of inclusive and exclusive scans.
#pragma once

#include "filch/detail/kernel/fold.hpp"
#include "filch/detail/kernel/prefix_numbers.hpp"
#include "filch/detail/loop/scan_blocks.hpp"

namespace filch::detail {

/// What a scan of the range R to the elements from `O` on returns.
template <class R, class O>
using scan_result = std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, O>;

enum class scan_kind : unsigned char { inclusive, exclusive };

/// Writes the results, of type T and made from f(item), from `out` on. That may be where the items
/// are.
template <scan_kind Kind, class T, std::random_access_iterator I, class F,
          std::random_access_iterator O, class Op>
class prefix_work {
 public:
  using state = T;
  using source = mapped_items<I, F>;
  static constexpr bool known = known_reduction<Op, T, typename source::result>;
  static constexpr bool cheap = known && source::trivial;

  /// Can results be written past the caches? Adding up numbers is limited by memory; code of the
  /// user's mostly is not.
  static constexpr bool can_stream =
      streaming_pays && cheap && std::contiguous_iterator<I> && std::contiguous_iterator<O> &&
      std::same_as<T, std::iter_value_t<O>> && (sizeof(T) == 4 || sizeof(T) == 8);

  prefix_work(I first, std::size_t n, F& f, O out, Op& op)
      : items_{first, f},
        fold_(items_, op),
        out_(out),
        streams_(can_stream && n >= streaming_from() / sizeof(T) && is_disjoint(first, out, n)) {}

  /// Are results written past the caches?
  bool streams() const noexcept { return streams_; }

  T reduce(std::size_t from, std::size_t to) { return fold_(from, to); }

  T combine(const T& a, T&& b) { return fold_.combine(T(a), std::move(b)); }

  T scan(std::size_t from, std::size_t to, const T* carry) {
    if constexpr (can_stream)
      if (streams_) {
        T after = scan_as<writing::streaming>(from, to, carry);
        // Before another thread learns that this block is done: see streaming.hpp.
        end_streaming();
        return after;
      }
    return scan_as<writing::through_caches>(from, to, carry);
  }

 private:
  template <writing How>
  T scan_as(std::size_t from, std::size_t to, const T* carry) {
    O out = detail::at(out_, from);
    auto c = items_.at(from);
    if constexpr (cheap && std::contiguous_iterator<I> && std::contiguous_iterator<O> &&
                  prefix_in_fours<Op, T, std::iter_value_t<I>, std::iter_value_t<O>>) {
      return detail::prefix_numbers<Kind == scan_kind::inclusive, How>(
          std::to_address(c), std::to_address(out), to - from,
          carry ? *carry : -T{});  // -0.0 + x has the bits of x
    } else {
      const auto put = [](const O& o, auto&& value) {
        if constexpr (How == writing::streaming)
          detail::stream_number(std::to_address(o), value);
        else
          *o = static_cast<decltype(value)>(value);
      };
      if constexpr (Kind == scan_kind::inclusive) {
        T sum = carry != nullptr ? fold_.add(T(*carry), c) : fold_.start(c);
        for (;;) {
          put(out, std::as_const(sum));
          if (++from == to) return sum;
          ++out;
          source::step(c);
          sum = fold_.add(std::move(sum), c);
        }
      } else {
        T sum(*carry);
        for (;;) {
          T next = fold_.add(T(sum), c);  // before the item is overwritten
          put(out, std::move(sum));
          if (++from == to) return next;
          sum = std::move(next);
          ++out;
          source::step(c);
        }
      }
    }
  }

  /// Do items and results share no memory? If they do, an item is in the cache when its result is
  /// written, so the line need not be fetched.
  static bool is_disjoint(const I& first, const O& out, std::size_t n) noexcept {
    if constexpr (can_stream) {
      const std::less<const void*> before;
      const auto* const items = std::to_address(first);
      const auto* const results = std::to_address(out);
      return !before(results, items + n) || !before(items, results + n);
    } else {
      return false;
    }
  }

  source items_;
  folding<T, source, Op> fold_;
  O out_;
  bool streams_;
};

/// How many bytes a block may have in the cache. Few enough that the items read by reduce() are
/// still there for scan(); enough that the cost of taking a block does not matter.
inline constexpr std::size_t scan_block_bytes = std::size_t{128} * 1024;

/// The blocks of a scan: enough for all workers, and small enough for the cache. With `fixed`, they
/// depend only on the number of items.
template <fork_policy Fork>
even_blocks scan_blocks(const Fork& fork, std::size_t n, std::size_t bytes_of_item,
                        std::size_t least, bool fixed) {
  const std::size_t in_cache = std::max<std::size_t>(scan_block_bytes / bytes_of_item, 1);
  const std::size_t most = n / std::max<std::size_t>(least, 1);  // blocks that are worth a fork
  if (most < 2) return even_blocks(n, std::size_t{1});
  const std::size_t wanted = std::max(n / in_cache, fixed ? 64 : 8 * fork.workers());
  return even_blocks(n, std::min(most, wanted));
}

/// Scans the beginning of a range that should be short, or all of it if it is. Returns how many
/// items it has scanned. `carry` is then the carry of the next item.
template <fork_policy Fork, class Work, class T>
std::size_t scan_short_loop(const Fork& fork, Work& work, std::size_t n, std::optional<T>& carry,
                            cost_history& history, bool find_out) {
  const auto scan = [&](std::size_t from, std::size_t to) {
    std::optional<T> next(work.scan(from, to, carry ? std::addressof(*carry) : nullptr));
    carry.swap(next);
  };
  scan(0, 1);
  const ticks now = fork.now();
  if (history.is_recent(now) && !find_out) {
    if (n != 1) scan(1, n);
    return n;
  }
  const std::size_t second = std::min(n, 1 + cost_history::to_be_timed(n));
  scan(1, second);
  if (!history.is_short_loop(second - 1, fork.now() - now, n)) return second;
  if (second != n) scan(second, n);
  history.learn_exactly(n - 1, fork.now() - now);
  return n;
}

template <scan_kind Kind, class T, fork_policy Fork, class I, class F, class O, class Op>
void prefix_with(const Fork& fork, I first, std::size_t n, F& f, O out, Op& op,
                 std::optional<T> init, const options& o) {
  using work_type = prefix_work<Kind, T, I, F, O, Op>;
  work_type work(first, n, f, out, op);
  const std::size_t least = grain_of(o, work_type::cheap ? cheap_items : 1);
  constexpr bool exact = work_type::known && std::integral<T>;
  const bool fixed = o.deterministic && !exact;
  const even_blocks blocks = scan_blocks(
      fork, n, sizeof(std::iter_value_t<I>) + (work.streams() && !fixed ? 0 : sizeof(T)),
      fixed && !work_type::cheap ? 1 : (fixed ? cheap_items : least), fixed);
  const directly direct = fixed              ? directly::never
                          : work_type::cheap ? directly::when_alone
                                             : directly::always;
  if (blocks.count() <= 1) {
    alone(n, o, [&] {
      if (n != 0) work.scan(0, n, init ? std::addressof(*init) : nullptr);
      return n;
    });
    return;
  }
  const auto in_blocks = [&] {
    block_scan<Fork, work_type>(fork, work, blocks, direct, o).run(std::move(init));
  };
  if constexpr (keeps_cost_history<Fork>) {
    // With `progress`, the parts would have to be reported as parts of the whole.
    if (n <= cost_history::longest && !fixed && o.grain <= 1 && !o.progress && !can_end_early(o)) {
      cost_history& history = cost_history_of<work_type>;
      const cost_history::advice advice = history.ask(n);
      if (advice == cost_history::advice::fork) {
        const ticks start = fork.now();
        in_blocks();
        return history.learn(n, fork.now() - start);
      }
      const std::size_t done = detail::scan_short_loop(fork, work, n, init, history,
                                                       advice == cost_history::advice::find_out);
      if (done != n)
        detail::prefix_with<Kind, T>(fork, detail::at(first, done), n - done, f,
                                     detail::at(out, done), op, std::move(init), o);
      return;
    }
  }
  in_blocks();
}

}  // namespace filch::detail
