// What short loops of one kind have cost so far: whether it pays to fork them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "filch/detail/split/ticks.hpp"

namespace filch::detail {

/// A loop of a microsecond is over before a thief has got its half, and to wake one would cost
/// several times as much. But what the items cost is not known before they have run, and to run
/// some of them before the first fork would hold up all others if they are dear. So a thread
/// remembers, for each kind of loop, what an item has cost the last times, and runs a loop alone
/// that will be a trifle by that. Of a loop that is worth forks it knows how many items make a
/// leaf, at first.
///
/// It does not believe that at once: several loops in a row have to say so. Nor blindly: whoever
/// runs a loop alone looks at the clock after the first item (is_recent()), and if that may have
/// been a dear one, times the next; if they are dear, the rest is forked, and so are all loops for
/// some time.
///
/// One thread only. `habit_of` has those of the calling thread.
class habit {
 public:
  enum class advice : unsigned char {
    fork,      ///< as any other loop, and tell learn() what it cost
    alone,     ///< on this thread: ask is_recent() after the first item
    find_out,  ///< the same as if that had said no
  };

  /// Longer loops are no trifle, whatever they do.
  static constexpr std::size_t longest = 4096;

  /// What to do with a loop of `n` items.
  advice ask(std::size_t n) noexcept {
    if (n <= trifle_) return advice::alone;
    // What is measured between forks is too much by what these cost: only this way it is known.
    const bool likely = trust_ == enough && !exact_ && n <= 4 * std::size_t{fit_};
    return likely ? advice::find_out : advice::fork;
  }

  /// How many of the `n` items of a loop that is forked may be run before it looks at the clock; 0
  /// if nothing is known. If the loop is a matter of microseconds, each of the `workers` gets its
  /// share as a whole: a finer one costs more than it could win.
  std::size_t first_leaf(std::size_t n, std::size_t workers) const noexcept {
    if (trust_ != enough) return 0;
    return gives_shares(n) ? std::max<std::size_t>(fit_ / 2, (n + workers - 1) / workers)
                           : fit_ / 2;
  }
  /// Is that such a share?
  bool gives_shares(std::size_t n) const noexcept {
    return trust_ == enough && n <= 2 * std::size_t{fit_};
  }
  /// Should the next loop that is forked time its first leaf, however large, so that learn() hears
  /// of it if items cost something else by now?
  bool wants_check() noexcept {
    if (trust_ != enough || --until_check_ != 0) return false;
    until_check_ = loops_between_checks;
    return true;
  }

  /// The first item of a loop that is run alone has ended. Was it cheap? Yes if the last time that
  /// this was asked was a moment ago. If not, it may have been dear, or nothing happened for some
  /// time: then there is time to find out. The next items, so many, have to be timed.
  bool is_recent(ticks now) noexcept { return now - std::exchange(seen_, now) <= a_moment; }
  static std::size_t to_be_timed(std::size_t n) noexcept {
    return std::max<std::size_t>(n / 32, 1);
  }

  /// `items` of these `n` have been timed. Can the rest be run alone? If not, it is to be forked.
  bool is_trifle(std::size_t items, ticks took, std::size_t n) noexcept {
    const std::uint32_t fit = how_many_fit(items, took);
    if (fit >= n / 4) return true;
    exact_ = false;
    fit_ = fit;
    trifle_ = 0;
    trust_ = distrust;
    return false;
  }

  /// `items` of a loop that was forked have taken so long.
  void learn(std::size_t items, ticks took) noexcept {
    const std::uint32_t fit = how_many_fit(items, took);
    // Nothing new, and less exact: forks make it less, and no two loops take quite the same time.
    if (exact_ && fit <= fit_ + fit_ / 4 && fit >= fit_ / much) return;
    exact_ = false;
    adopt(fit);
  }
  /// `items` of a loop have taken so long, alone.
  void learn_exactly(std::size_t items, ticks took) noexcept {
    exact_ = true;
    adopt(how_many_fit(items, took));
  }

 private:
  /// What takes no longer is a trifle: one or two microseconds.
  static constexpr ticks ticks_of_a_trifle = ticks_of_a_leaf / 4;
  static constexpr ticks a_moment = ticks_of_a_trifle / 4;
  static constexpr std::int8_t enough = 4;      // loops that agree
  static constexpr std::int8_t distrust = -16;  // and so many more after a surprise
  static constexpr std::uint8_t loops_between_checks = 8;
  static constexpr std::uint32_t much = 8;  // times as dear: a surprise

  static std::uint32_t how_many_fit(std::size_t items, ticks took) noexcept {
    return static_cast<std::uint32_t>(
        std::min<ticks>(items * ticks_of_a_trifle / std::max<ticks>(took, 1), longest));
  }

  void adopt(std::uint32_t fit) noexcept {
    trust_ = fit < fit_ / much ? distrust : std::min<std::int8_t>(enough, std::int8_t(trust_ + 1));
    if (trust_ == distrust) exact_ = false;
    fit_ = fit;
    trifle_ = trust_ == enough && exact_ ? fit : 0;
    until_check_ = loops_between_checks;
  }

  ticks seen_ = 0;
  std::uint32_t trifle_ = 0;  // loops of so many items are run alone
  std::uint32_t fit_ = 0;     // items that would be a trifle, by the last that was measured
  std::int8_t trust_ = 0;     // loops that have agreed; negative after a surprise
  std::uint8_t until_check_ = loops_between_checks;
  bool exact_ = false;  // fit_ is from a loop that was run alone
};

/// Of the calling thread, for loops of the same type: mostly those of one place in a program, since
/// every lambda is a type.
template <class Work>
constinit inline thread_local habit habit_of;

}  // namespace filch::detail
