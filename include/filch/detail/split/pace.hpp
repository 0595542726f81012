// How many items a loop runs between two splits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "filch/detail/split/fork.hpp"
#include "filch/detail/split/ticks.hpp"

namespace filch::detail {

/// The pace of one thread in its part of a loop: how many items make a leaf, which is run without
/// further splits. It starts small and follows the clock, so that a leaf takes about
/// ticks_of_a_leaf: items that turn out dear are split one by one, cheap ones are run by the
/// thousand. README.md has the reasons.
///
/// One thread only. A thief starts a pace of its own.
class pace {
 public:
  /// Of a part with so many items, stolen or the whole loop. Fewer than `2 * grain` items are never
  /// split: each half has `grain` items at least. `wanted`: somebody is known to want work.
  /// `first_leaf`, if not 0, is how many items are a leaf until more is known.
  template <class Fork>
  pace(const Fork& fork, std::size_t items, std::size_t grain, bool wanted,
       std::size_t first_leaf = 0) noexcept
      : owner_(fork.here()),
        items_(items),
        floor_(smallest_leaf(grain)),
        leaf_(std::max(first_leaf, floor_)),
        timed_(wanted) {}

  static std::size_t smallest_leaf(std::size_t grain) noexcept {
    if (grain <= 1) return 1;
    return grain > std::numeric_limits<std::size_t>::max() / 2
               ? std::numeric_limits<std::size_t>::max()
               : 2 * grain - 1;
  }

  /// The thread it belongs to, as fork.here() names it.
  std::uintptr_t owner() const noexcept { return owner_; }

  /// Does nobody want work, and is the loop young? Then a stretch of quiet_stretch() items is run
  /// without forks, in steps of quiet_step(), after each of which this is asked again. Once it is
  /// false, it stays false.
  template <class Fork>
  bool is_quiet(const Fork& fork) noexcept {
    if (timed_) return false;
    const bool hungry = fork.hungry();
    if (!hungry && done_ < quiet_items) return true;
    if (!hungry) leaf_ = quiet_step();
    start_timing();
    return false;
  }
  std::size_t quiet_step() const noexcept {
    return std::max(floor_, std::clamp<std::size_t>(items_ / 4, 1, 32));
  }
  /// Of few items each may be a large one: then none has to wait for another.
  std::size_t quiet_stretch() const noexcept {
    return std::max(floor_, items_ < 32 ? 1 : std::min<std::size_t>(items_ / 2, 64));
  }

  /// The first leaf is the right one, and nobody needs to look at the clock. Unless somebody calls
  /// time_next_leaf().
  void keep_first_leaf() noexcept { measures_ = false; }

  /// May `items` be run in one go? Looks at the clock if that could change the answer. Not while it
  /// is quiet.
  template <class Fork>
  bool allows(const Fork& fork, std::size_t items) noexcept {
    if (items <= leaf_) return true;
    if (!measures_ || done_ == 0 || done_ < leaf_ / 2) return false;
    measure(fork.now());
    return items <= leaf_;
  }

  /// A leaf that ends at `last` is about to be run.
  template <class Fork>
  void runs(const Fork& fork, std::size_t items, std::size_t last) noexcept {
    // Not before: what forks cost that somebody has waited for is not the items'.
    if (timed_ && done_ == 0 && !running_ && (measures_ || times_leaf_)) since_ = fork.now();
    running_ = true;
    done_ += items;
    reached_ = last;
  }

  /// Measure the first leaf as soon as it has ended, though nothing here depends on it: somebody
  /// wants to know what items cost.
  void time_next_leaf() noexcept { times_leaf_ = true; }
  bool times_leaf() const noexcept { return times_leaf_; }
  /// A leaf has ended, and times_leaf().
  template <class Fork>
  void ran(const Fork& fork) noexcept {
    times_leaf_ = false;
    measure(fork.now());
  }

  /// A part that ends at `last` has been split, and both halves have ended. If the second half was
  /// stolen, this thread has waited: that time is not the items'.
  void joined(std::size_t last) noexcept {
    if (reached_ == last) return;
    reached_ = last;
    start_timing();
  }

  /// Has nobody wanted work all the time?
  bool was_quiet() const noexcept { return !timed_; }
  /// So many items have been measured, and have taken so long.
  std::size_t measured() const noexcept { return measured_; }
  ticks spent() const noexcept { return spent_; }

 private:
  /// So many items are run before the clock is read even though nobody wants work: reading it would
  /// cost more than many a short loop.
  static constexpr std::size_t quiet_items = 128;
  /// A leaf is at most this many times as long as what was measured.
  static constexpr std::size_t growth = 32;

  /// From the next leaf on.
  void start_timing() noexcept {
    timed_ = true;
    running_ = false;
    done_ = 0;
  }

  void measure(ticks now) noexcept {
    const double took = static_cast<double>(std::max<ticks>(now - since_, 1));
    const double ran = static_cast<double>(done_);
    const double fit = std::min(ran * (static_cast<double>(ticks_of_a_leaf) / took), ran * growth);
    // Below 2^63, so that it fits whatever it is rounded to.
    leaf_ = std::max(floor_, static_cast<std::size_t>(std::min(fit, 0x1p62)));
    spent_ += now - since_;
    measured_ += done_;
    since_ = now;
    done_ = 0;
  }

  const std::uintptr_t owner_;
  std::size_t items_;
  std::size_t floor_;
  std::size_t leaf_;
  std::size_t done_ = 0;     // items since `since_`
  std::size_t reached_ = 0;  // where the last leaf ended
  ticks since_ = 0;
  std::size_t measured_ = 0;
  ticks spent_ = 0;
  bool timed_;
  bool measures_ = true;     // the leaf may change
  bool running_ = false;     // `since_` is right
  bool times_leaf_ = false;  // for somebody else
};

}  // namespace filch::detail
