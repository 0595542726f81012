// How many items a loop runs between two splits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "filch/detail/base/ticks.hpp"

namespace filch::detail {

/// How long a leaf should take. About 10 microseconds: 5 if the processor's counter runs at 4 GHz,
/// 20 if it runs at 1 GHz or ticks are nanoseconds.
inline constexpr ticks ticks_of_a_leaf = 20'000;

/// Decides how many items make a leaf for one thread in its part of a loop. A leaf is run without
/// further splits. Its size starts small and follows the clock, so that a leaf takes about
/// ticks_of_a_leaf: expensive items are split one by one, cheap ones are run by the thousand.
/// README.md has the reasons.
///
/// One thread only. A thief starts a grain controller of its own.
class grain_controller {
 public:
  /// For a part of `items` items: a stolen one, or the whole loop. Fewer than `2 * grain` items are
  /// never split, so that each half has at least `grain` items. `wanted`: a thread is known to want
  /// work. `first_leaf`, if not 0, is the size of a leaf until more is known.
  template <class Fork>
  grain_controller(const Fork& fork, std::size_t items, std::size_t grain, bool wanted,
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

  /// The thread that it belongs to, as fork.here() identifies it.
  std::uintptr_t owner() const noexcept { return owner_; }

  /// Does no thread want work, and is the loop young? Then quiet_leaf() items are run without
  /// forks, in steps of quiet_step() items, and this is asked again after each step. Once it is
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
  /// With fewer than 32 items, each is a part of its own: any of them may be expensive, and the
  /// others must stay stealable meanwhile.
  std::size_t quiet_leaf() const noexcept {
    return std::max(floor_, items_ < 32 ? 1 : std::min<std::size_t>(items_ / 2, 64));
  }

  /// Keeps the size of the first leaf, so that no clock is read unless time_next_leaf() is called.
  void keep_first_leaf() noexcept { measures_ = false; }

  /// May `items` be run as one leaf? Reads the clock if that could change the answer. Not to be
  /// called while is_quiet().
  template <class Fork>
  bool allows(const Fork& fork, std::size_t items) noexcept {
    if (items <= leaf_) return true;
    if (!measures_ || done_ == 0 || done_ < leaf_ / 2) return false;
    measure(fork.now());
    return items <= leaf_;
  }

  /// A leaf of `items` items that ends at `last` is about to be run.
  template <class Fork>
  void runs(const Fork& fork, std::size_t items, std::size_t last) noexcept {
    // The time starts with the first leaf, so that it does not include the cost of forks before it.
    if (timed_ && done_ == 0 && !running_ && (measures_ || times_leaf_)) since_ = fork.now();
    running_ = true;
    done_ += items;
    reached_ = last;
  }

  /// Measures the first leaf as soon as it has ended, though the grain controller does not need it:
  /// the cost history wants to know what items cost.
  void time_next_leaf() noexcept { times_leaf_ = true; }
  bool times_leaf() const noexcept { return times_leaf_; }
  /// A leaf has ended while times_leaf().
  template <class Fork>
  void ran(const Fork& fork) noexcept {
    times_leaf_ = false;
    measure(fork.now());
  }

  /// A part that ends at `last` was split, and both halves have ended. If the second half was
  /// stolen, this thread has waited, and that time must not count for the items.
  void joined(std::size_t last) noexcept {
    if (reached_ == last) return;
    reached_ = last;
    start_timing();
  }

  /// Has no thread wanted work all the time?
  bool was_quiet() const noexcept { return !timed_; }
  /// How many items have been measured, and how long they took.
  std::size_t measured() const noexcept { return measured_; }
  ticks spent() const noexcept { return spent_; }

 private:
  /// The number of items that are run before the clock is read, if no thread wants work. Reading it
  /// costs more than many a short loop.
  static constexpr std::size_t quiet_items = 128;
  /// A leaf has at most this many times the items that were measured.
  static constexpr std::size_t growth = 32;

  /// The time starts with the next leaf.
  void start_timing() noexcept {
    timed_ = true;
    running_ = false;
    done_ = 0;
  }

  void measure(ticks now) noexcept {
    const double took = static_cast<double>(std::max<ticks>(now - since_, 1));
    const double ran = static_cast<double>(done_);
    const double fit = std::min(ran * (static_cast<double>(ticks_of_a_leaf) / took), ran * growth);
    // Below 2^63, so that the conversion fits with any rounding.
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
  bool measures_ = true;     // the size of a leaf may change
  bool running_ = false;     // `since_` is valid
  bool times_leaf_ = false;  // for the cost history
};

}  // namespace filch::detail
