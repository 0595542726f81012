// Divides a range of items among the participants: the loop under every algorithm.
#pragma once

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/loop/cost_history.hpp"
#include "filch/detail/loop/fork_policy.hpp"
#include "filch/detail/loop/loop_state.hpp"

namespace filch::detail {

/// The work of a loop.
///   leaf(first, last)   processes items [first, last), at least one, and returns their result
///   combine(a, b)       the result of two neighbours, `a` the left one
///   skipped()           the result of items that were skipped because the loop ended early
/// Two members may be left out:
///   by_halves_only      is true if every part must be a half of another one, because it matters
///                       which neighbours are combined
///   own_cost_history()  the cost history of the loop, for work that wraps other work; by default
///                       each type of work has one
template <class Work>
concept split_work = requires(Work& work, std::size_t i, typename Work::result& r) {
  { work.leaf(i, i) } -> std::same_as<typename Work::result>;
  { work.combine(std::move(r), std::move(r)) } -> std::same_as<typename Work::result>;
  { Work::skipped() } -> std::same_as<typename Work::result>;
};

/// Work::by_halves_only; false if it was left out.
template <class Work>
inline constexpr bool by_halves_only = requires {
  requires Work::by_halves_only;
};

/// Halves a range until a part is a leaf. The calling thread keeps one half; thieves may take the
/// other. Thieves take the largest half that is left. The grain controller decides how small leaves
/// are.
template <fork_policy Fork, split_work Work>
class splitter {
 public:
  using result = typename Work::result;

  /// All arguments outlive this. No part has fewer than `grain` items, unless the whole loop has.
  splitter(const Fork& fork, Work& work, loop_state& state, std::size_t grain) noexcept
      : fork_(fork), work_(work), state_(state), grain_(grain) {}

  /// Processes items [0, n). If several leaves throw, throws what the leftmost of them threw.
  [[gnu::always_inline]] result run(std::size_t n) {
    if (n == 0) return Work::skipped();
    if (n <= grain_controller::smallest_leaf(grain_)) return run_alone(n);
    if constexpr (keeps_cost_history<Fork> && !by_halves_only<Work>)
      if (n <= cost_history::longest) return run_by_cost_history(n);
    grain_controller mine(fork_, n, grain_, false);
    return divide(0, n, mine);
  }

  /// Processes items [0, n) for a search that any hit ends. The caller has looked at the `seen`
  /// items before item 0. `ahead` items at the middle of all these, at the middle of each half, and
  /// at the middle of each quarter run before the half, or quarter, in front of them. So a hit
  /// there is found early, also without thieves. `n` is at least 32 times `seen` and `ahead`.
  result run_ahead(std::size_t n, std::size_t seen, std::size_t ahead) {
    return divide_ahead(0, n, seen, ahead, 3);
  }

 private:
  /// The `seen` items before `first` have run. They count as the beginning of this part, so that it
  /// is cut at the middle of both. `ahead` items run ahead there, and the part is halved like that
  /// `halvings` times.
  result divide_ahead(std::size_t first, std::size_t last, std::size_t seen, std::size_t ahead,
                      int halvings) {
    if (!state_.may_start(first)) return Work::skipped();
    if (halvings == 0) {
      grain_controller mine(fork_, last - first, grain_, false);
      return divide(first, last, mine);
    }
    const std::size_t middle = first + (last - first - seen) / 2;
    const std::size_t behind = middle + ahead;
    result found = leaf(middle, behind);
    if (!state_.may_start(first)) return found;
    auto both = fork_([&] { return divide_ahead(first, middle, seen, ahead, halvings - 1); },
                      [&] { return divide_ahead(behind, last, ahead, ahead, halvings - 1); });
    return combine(std::move(both.first), combine(std::move(found), std::move(both.second)));
  }

  /// Runs a single part. No other part has to know if it throws.
  [[gnu::always_inline]] result run_alone(std::size_t n) {
    if (!state_.may_start(0)) return Work::skipped();
    result all = work_.leaf(0, n);
    state_.finished(n);
    return all;
  }

  cost_history& own_cost_history() const noexcept {
    if constexpr (requires { work_.own_cost_history(); })
      return work_.own_cost_history();
    else
      return cost_history_of<Work>;
  }

  /// Runs a loop that may be too short for forks.
  [[gnu::always_inline]] result run_by_cost_history(std::size_t n) {
    cost_history& history = own_cost_history();
    const cost_history::advice advice = history.ask(n);
    if (rarely(advice == cost_history::advice::fork)) return run_and_learn(n, history);
    if (!state_.may_start(0)) return Work::skipped();
    const std::size_t head = grain_ > 1 ? grain_ : 1;
    result a = work_.leaf(0, head);
    state_.finished(head);
    const ticks now = fork_.now();
    if (rarely(!history.is_recent(now) || advice == cost_history::advice::find_out))
      return run_doubtful(std::move(a), head, n, history, now);
    if (!state_.may_start(head)) return combine(std::move(a), Work::skipped());
    result b = work_.leaf(head, n);
    state_.finished(n - head);
    return combine(std::move(a), std::move(b));
  }

  /// Runs a loop that should be short. Its first `head` items, which ended at `now`, may have been
  /// expensive.
  [[gnu::noinline]] result run_doubtful(result&& a, std::size_t head, std::size_t n,
                                        cost_history& history, ticks now) {
    if (!state_.may_start(head)) return combine(std::move(a), Work::skipped());
    const std::size_t timed = std::max(head, cost_history::to_be_timed(n));
    const std::size_t second = n - head < timed + head ? n : head + timed;
    result b = combine(std::move(a), leaf(head, second));
    const bool is_short = history.is_short_loop(second - head, fork_.now() - now, n);
    if (second == n) return b;
    if (!state_.may_start(second)) return combine(std::move(b), Work::skipped());
    if (is_short) {
      result all = combine(std::move(b), leaf(second, n));
      history.learn_exactly(n - head, fork_.now() - now);
      return all;
    }
    grain_controller mine(fork_, n - second, grain_, false);
    return combine(std::move(b), divide(second, n, mine));
  }

  [[gnu::noinline]] result run_and_learn(std::size_t n, cost_history& history) {
    // Reading the clock takes a hundredth of a loop of microseconds, so it is skipped if the time
    // is not needed.
    const bool wanted = fork_.hungry();
    const ticks start = wanted ? 0 : fork_.now();
    first_leaf_ = history.first_leaf(n, fork_.workers());
    keeps_first_leaf_ = history.gives_shares(n);
    if (keeps_first_leaf_ && grain_ <= 1) {
      two_shares_ = 2 * first_leaf_;
      head_start_ = std::min(history.head_start(), first_leaf_ / 4);
      first_leaf_ += head_start_;
    }
    grain_controller mine(fork_, n, grain_, wanted, first_leaf_);
    if (keeps_first_leaf_) mine.keep_first_leaf();
    if (history.wants_check()) mine.time_next_leaf();
    result r = divide(0, n, mine);
    if (mine.was_quiet())
      history.learn(n, fork_.now() - start);
    else if (mine.measured() != 0)
      history.learn(mine.measured(), mine.spent());
    return r;
  }

  /// Prefetches what a thief is about to need: the loop, its state and body, and what the body
  /// captured. All of it is on the owner's stack, mostly in one frame, some cache lines apart.
  /// Fetching one line after the other would take longer than many a short loop.
  static void fetch_frame(const splitter* loop) noexcept {
    const auto here = reinterpret_cast<std::uintptr_t>(loop);
    for (const int line : {-1, 1, 2, 3, 4})
      // NOLINTNEXTLINE(*-int-to-ptr): not read through
      __builtin_prefetch(reinterpret_cast<const void*>(here + static_cast<std::uintptr_t>(line) *
                                                                  cache_line_size));
  }

  /// The second half of a part. It is small and trivially copyable, so it is copied to where
  /// thieves find it. Thieves do not read the grain controller, which its owner writes.
  struct far_half {
    splitter* loop;
    std::size_t first;
    std::size_t last;
    grain_controller* near;
    std::uintptr_t owner;  // of `near`

    result operator()() const {
      if (loop->fork_.here() == owner) return loop->divide(first, last, *near);
      fetch_frame(loop);
      grain_controller mine(loop->fork_, last - first, loop->grain_, true, loop->first_leaf_);
      if (loop->keeps_first_leaf_) mine.keep_first_leaf();
      return loop->divide(first, last, mine);
    }
  };

  result divide(std::size_t first, std::size_t last, grain_controller& mine) {
    if (!state_.may_start(first)) return Work::skipped();
    const std::size_t items = last - first;
    bool whole = false;
    if (mine.is_quiet(fork_)) {
      if constexpr (by_halves_only<Work>)
        whole = items <= mine.quiet_step();
      else if (items <= mine.quiet_leaf())
        return run_quietly(first, last, mine);
    } else {
      whole = mine.allows(fork_, items);
    }
    if (whole) {
      mine.runs(fork_, items, last);
      if (usually(!mine.times_leaf())) return leaf(first, last);
      result r = leaf(first, last);
      mine.ran(fork_);
      return r;
    }
    const std::size_t middle = first + near_half(items);
    auto both = fork_([this, first, middle, &mine] { return divide(first, middle, mine); },
                      far_half{this, middle, last, &mine, mine.owner()});
    mine.joined(last);
    return combine(std::move(both.first), std::move(both.second));
  }

  /// How many items of a part its owner keeps when it splits the part.
  std::size_t near_half(std::size_t items) const noexcept {
    const bool into_shares = items > first_leaf_ && items <= two_shares_;
    return items / 2 + (into_shares ? head_start_ : 0);
  }

  /// No thread wants work. Runs the items in short steps, to notice if one does.
  result run_quietly(std::size_t first, std::size_t last, grain_controller& mine) {
    std::size_t middle = first + std::min(last - first, mine.quiet_step());
    if (last - middle <= mine.quiet_step() / 2) middle = last;  // else less than a grain is left
    mine.runs(fork_, middle - first, middle);
    if (middle == last) return leaf(first, last);
    result a = leaf(first, middle);
    if (!mine.is_quiet(fork_)) return combine(std::move(a), divide(middle, last, mine));
    if (!state_.may_start(middle)) return combine(std::move(a), Work::skipped());
    return combine(std::move(a), run_quietly(middle, last, mine));
  }

  result leaf(std::size_t first, std::size_t last) {
    return state_.guarded([&]() -> result {
      result r = work_.leaf(first, last);
      state_.finished(last - first);
      return r;
    });
  }

  result combine(result&& a, result&& b) {
    if constexpr (std::same_as<result, nothing>)
      return {};
    else
      return state_.guarded([&] { return work_.combine(std::move(a), std::move(b)); });
  }

  const Fork& fork_;
  Work& work_;
  loop_state& state_;
  std::size_t grain_;
  std::size_t first_leaf_ = 0;  // the number of items in a leaf until more is known, or 0
  bool keeps_first_leaf_ = false;
  // If each worker gets its share as one leaf: the items of two shares, and how many more than half
  // of them the owner keeps.
  std::size_t two_shares_ = 0;
  std::size_t head_start_ = 0;
};

/// The larger of the user's grain and the number of items that is worth a fork for this operation.
inline std::size_t grain_of(const options& o, std::size_t least) noexcept {
  return o.grain > least ? o.grain : least;
}

/// The work of a loop without a result.
template <class Body>
struct loop_work {
  using result = nothing;
  Body& body;

  nothing leaf(std::size_t first, std::size_t last) {
    body(first, last);
    return {};
  }
  static nothing combine(nothing, nothing) noexcept { return {}; }
  static nothing skipped() noexcept { return {}; }
};

/// Calls body(first, last) for parts of [0, n) that together are the whole range, several at once.
/// Each part is run once, and none is empty.
///
/// `least`   How many items are worth a fork: 1 if nothing is known about the body. With fewer than
///           twice as many, everything runs on the calling thread.
/// `state`  For loops that end early: see loop_state::cut().
/// Options   grain, stop, progress. (launch() handles the others.)
/// Throws    What the body threw; if several parts threw, the exception of the leftmost. Parts that
///           had not started by then are skipped. `cancelled` if parts were skipped because of
///           `o.stop`.
template <fork_policy Fork, std::invocable<std::size_t, std::size_t> Body>
[[gnu::always_inline]] inline void for_blocks(const Fork& fork, std::size_t n, const options& o,
                                              loop_state& state, Body&& body,
                                              std::size_t least = 1) {
  using work_type = loop_work<std::remove_reference_t<Body>>;
  work_type work{body};
  splitter<Fork, work_type>(fork, work, state, grain_of(o, least)).run(n);
  state.end_of_loop();
}

/// The same for loops that do not end early.
template <fork_policy Fork, std::invocable<std::size_t, std::size_t> Body>
[[gnu::always_inline]] inline void for_blocks(const Fork& fork, std::size_t n, const options& o,
                                              Body&& body, std::size_t least = 1) {
  loop_state state(o, n);
  for_blocks(fork, n, o, state, body, least);
}

}  // namespace filch::detail
