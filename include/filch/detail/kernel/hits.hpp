// Searches for the first, the last or any item that satisfies a condition.
#pragma once

#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

/// Scans [from, to): returns the first hit, or `to`.
template <class Scan>
concept scans = std::is_invocable_r_v<std::size_t, Scan&, std::size_t, std::size_t>;

/// Scans the beginning of a long range on the calling thread, because many searches end there. It
/// scans up to a sixteenth of the range, for about a microsecond. Of cheap items (`least` > 1) it
/// scans as many as are not worth a fork. A single item it scans always. Otherwise a short range is
/// not scanned here: it has few cheap items, and reading the clock takes as long as tens of them.
template <scans Scan>
class head_search {
 public:
  template <class Fork>
  head_search(const Fork& fork, std::size_t n, std::size_t least, Scan& scan) {
    if (least > 1 || n == 1) {
      look(std::min(n, 2 * least), scan);
      return;
    }
    if (n < 1024) return;
    const std::size_t most = std::min<std::size_t>(n / 16, 1024);
    const ticks start = fork.now();
    for (std::size_t step = 1; looked_ < most; step *= 4) {
      look(std::min(most, looked_ + step), scan);
      if (hit_ || fork.now() - start >= ticks_of_a_leaf / 10) break;
    }
  }
  /// How many items have been scanned.
  std::size_t looked() const noexcept { return looked_; }
  /// The last scanned item is a hit, and so the first hit in the range.
  bool hit() const noexcept { return hit_; }

 private:
  void look(std::size_t to, Scan& scan) {
    const std::size_t i = scan(looked_, to);
    hit_ = i != to;
    looked_ = hit_ ? i + 1 : to;
  }
  std::size_t looked_ = 0;
  bool hit_ = false;
};

/// How many items of a search for any hit run ahead at the middle of a range (see
/// splitter::run_ahead), after a head of `seen` items. 0 if the rest is too short to gain by that.
/// There are so few of them that thieves hardly wait for them, whatever an item costs.
template <class Fork>
std::size_t items_ahead(const Fork& fork, std::size_t n, std::size_t seen, std::size_t grain) {
  if (seen == 0 || n / 64 < std::max(seen, grain)) return 0;
  return std::max({std::min(seen, n / 64 / fork.workers()), grain, std::size_t{1}});
}

/// The lowest of the numbers that several threads have found. It orders nothing but the numbers
/// themselves. Joins order the result for the thread that reads it.
class lowest {
 public:
  explicit lowest(std::size_t above_all) noexcept : value_(above_all) {}
  void found(std::size_t i) noexcept {
    std::size_t old = get();
    while (i < old && !value_.compare_exchange_weak(old, i,
                                                    std::memory_order_relaxed)) {  // orders nothing
    }
  }
  std::size_t get() const noexcept {
    return value_.load(std::memory_order_relaxed);  // orders nothing: see class
  }

 private:
  std::atomic<std::size_t> value_;
};

/// Which hit the caller wants.
enum class which : unsigned char { first, any, last };

/// Returns the first hit in [0, n), or any, or `n` if there is none. `scan` finds the first hit of
/// a part. Parts that begin behind a hit do not start. A search for any hit looks early at the
/// middle of a long range.
/// `least`  as in for_blocks()
/// Throws   as for_blocks(), also if a part behind the first hit threw.
template <which Which, fork_policy Fork, scans Scan>
std::size_t find_hit(const Fork& fork, std::size_t n, const options& o, Scan&& scan,
                     std::size_t least = 1) {
  loop_state state(o, n);
  std::size_t head = 0;
  if (n != 0 && state.may_start(0)) {
    const head_search<std::remove_reference_t<Scan>> search(fork, n, least, scan);
    head = search.looked();
    if (search.hit() || head == n) {
      state.finished(head);
      state.end_of_loop();
      return search.hit() ? head - 1 : n;
    }
    if (head != 0) state.finished(head);
  }
  lowest hit(n);
  const auto part = [&](std::size_t from, std::size_t to) {
    const std::size_t i = scan(head + from, head + to);
    if (i == head + to) return;
    hit.found(i);
    state.cut(Which == which::first ? i - head : 0);
  };
  loop_work<decltype(part)> work{part};
  const std::size_t grain = grain_of(o, least);
  splitter<Fork, decltype(work)> loop(fork, work, state, grain);
  const std::size_t ahead = Which == which::any ? detail::items_ahead(fork, n, head, o.grain) : 0;
  if (ahead != 0)
    loop.run_ahead(n - head, head, ahead);
  else
    loop.run(n - head);
  state.end_of_loop();
  return hit.get();
}

template <which Which>
concept is_last = Which == which::last;

/// Returns the last hit. `scan_back` finds the last hit of a part. The loop goes through the range
/// from its end, so of several exceptions the rightmost one is thrown.
template <which Which, fork_policy Fork, scans Scan>
requires is_last<Which>
auto find_hit(const Fork& fork, std::size_t n, const options& o, Scan&& scan_back,
              std::size_t least = 1) -> std::size_t {
  const auto scan = [&](std::size_t from, std::size_t to) {
    const std::size_t i = scan_back(n - to, n - from);
    return i == n - from ? to : n - 1 - i;
  };
  const std::size_t i = detail::find_hit<which::first>(fork, n, o, scan, least);
  return i == n ? n : n - 1 - i;
}

}  // namespace filch::detail
