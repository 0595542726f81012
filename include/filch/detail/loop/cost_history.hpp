// What short loops of one kind have cost so far, which tells whether it pays to fork them.
#pragma once

#include <utility>

#include "filch/detail/loop/grain_controller.hpp"

namespace filch::detail {

/// A loop of a microsecond is over before a thief has got its half, and waking a thief would cost
/// several times as much. But the cost of the items is not known before they have run. Running some
/// of them before the first fork would delay all others if they are expensive. So a thread
/// remembers, for each kind of loop, what an item cost the last times. If a loop will be short by
/// that, the thread runs it alone. For a loop that is worth forks, the memory gives the size of the
/// first leaf.
///
/// The thread does not trust a single measurement: several loops in a row have to agree. Nor does
/// it trust them blindly. After the first item of a loop that it runs alone, it looks at the clock
/// (is_recent()). If that item may have been expensive, it times the next ones. If they are
/// expensive, it forks the rest, and all loops of this kind for some time.
///
/// One thread only. `cost_history_of` is the cost history of the calling thread.
class cost_history {
 public:
  enum class advice : unsigned char {
    fork,      ///< fork as any other loop, and tell learn() what it cost
    alone,     ///< run it on this thread, and ask is_recent() after the first item
    find_out,  ///< the same, as if is_recent() had returned false
  };

  /// Longer loops are never short, whatever they do.
  static constexpr std::size_t longest = 4096;

  /// What to do with a loop of `n` items.
  advice ask(std::size_t n) noexcept {
    if (n <= short_loop_) return advice::alone;
    // A time measured between forks includes their cost. Only a loop that is run alone gives the
    // exact one.
    const bool likely = trust_ == enough && !exact_ && n <= 4 * std::size_t{fit_};
    return likely ? advice::find_out : advice::fork;
  }

  /// The number of items that a forked loop of `n` items may run before it looks at the clock, or 0
  /// if nothing is known. In a loop of a few microseconds each of the `workers` gets its share as
  /// one leaf: smaller leaves would cost more than they gain.
  std::size_t first_leaf(std::size_t n, std::size_t workers) const noexcept {
    if (trust_ != enough) return 0;
    return gives_shares(n) ? std::max<std::size_t>(fit_ / 2, (n + workers - 1) / workers)
                           : fit_ / 2;
  }
  /// Does first_leaf() give each worker its share as one leaf?
  bool gives_shares(std::size_t n) const noexcept {
    return trust_ == enough && n <= 2 * std::size_t{fit_};
  }
  /// A thief begins later than the caller. So many items more than a half the caller keeps in a
  /// loop that gives_shares(), that both end at once.
  std::size_t head_start() const noexcept {
    constexpr ticks late = ticks_of_a_short_loop / 10;  // until a thief runs its first item
    return fit_ * late / ticks_of_a_short_loop / 2;
  }
  /// Should the next forked loop time its first leaf, however large? Then learn() notices if the
  /// cost of the items has changed.
  bool wants_check() noexcept {
    if (trust_ != enough || --until_check_ != 0) return false;
    until_check_ = loops_between_checks;
    return true;
  }

  /// The first item of a loop that is run alone has ended. Was it cheap? Yes, if the last call was
  /// a moment ago. If not, the item may have been expensive, or no such loop ran for a while;
  /// either way there is time to find out. Then the next to_be_timed(n) items have to be timed.
  bool is_recent(ticks now) noexcept { return now - std::exchange(seen_, now) <= a_moment; }
  static std::size_t to_be_timed(std::size_t n) noexcept {
    return std::max<std::size_t>(n / 32, 1);
  }

  /// Of `n` items, `items` have been timed. Can the rest be run alone? If not, the caller forks it.
  bool is_short_loop(std::size_t items, ticks took, std::size_t n) noexcept {
    const std::uint32_t fit = how_many_fit(items, took);
    if (fit >= n / 4) return true;
    exact_ = false;
    fit_ = fit;
    short_loop_ = 0;
    trust_ = distrust;
    return false;
  }

  /// `items` items of a forked loop took this long.
  void learn(std::size_t items, ticks took) noexcept {
    const std::uint32_t fit = how_many_fit(items, took);
    // Keeps an exact value if the new one says nothing else: forks make it smaller, and no two
    // loops take quite the same time.
    if (exact_ && fit <= fit_ + fit_ / 4 && fit >= fit_ / much) return;
    exact_ = false;
    adopt(fit);
  }
  /// `items` items of a loop that was run alone took this long.
  void learn_exactly(std::size_t items, ticks took) noexcept {
    exact_ = true;
    adopt(how_many_fit(items, took));
  }

 private:
  /// A loop that takes no longer than this is short: one or two microseconds.
  static constexpr ticks ticks_of_a_short_loop = ticks_of_a_leaf / 4;
  static constexpr ticks a_moment = ticks_of_a_short_loop / 4;
  static constexpr std::int8_t enough = 4;      // loops that have to agree
  static constexpr std::int8_t distrust = -16;  // after a surprise, this many more
  static constexpr std::uint8_t loops_between_checks = 8;
  static constexpr std::uint32_t much = 8;  // times as expensive: a surprise

  static std::uint32_t how_many_fit(std::size_t items, ticks took) noexcept {
    return static_cast<std::uint32_t>(
        std::min<ticks>(items * ticks_of_a_short_loop / std::max<ticks>(took, 1), longest));
  }

  void adopt(std::uint32_t fit) noexcept {
    trust_ = fit < fit_ / much ? distrust : std::min<std::int8_t>(enough, std::int8_t(trust_ + 1));
    if (trust_ == distrust) exact_ = false;
    fit_ = fit;
    short_loop_ = trust_ == enough && exact_ ? fit : 0;
    until_check_ = loops_between_checks;
  }

  ticks seen_ = 0;
  std::uint32_t short_loop_ = 0;  // loops of at most this many items are run alone
  std::uint32_t fit_ = 0;         // items that fit into a short loop, by the last measurement
  std::int8_t trust_ = 0;         // loops that have agreed; negative after a surprise
  std::uint8_t until_check_ = loops_between_checks;
  bool exact_ = false;  // fit_ is from a loop that was run alone
};

/// The cost history of the calling thread for loops of the type `Work`. That is mostly one loop in
/// the program, since every lambda has its own type.
template <class Work>
constinit inline thread_local cost_history cost_history_of;

}  // namespace filch::detail
