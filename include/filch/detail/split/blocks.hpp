// A fixed number of blocks: for algorithms that go over their input more than once.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "filch/detail/split/splitter.hpp"

namespace filch::detail {

/// [0, n) in `count` blocks whose sizes differ by one at most. Every pass sees the same blocks.
class even_blocks {
 public:
  /// Blocks of `least` items or more, and enough of them to keep all workers busy to the end: eight
  /// for each. One block if there are fewer items than two blocks need, and none for no items.
  template <fork_policy Fork>
  even_blocks(const Fork& fork, std::size_t n, std::size_t least) : n_(n) {
    const std::size_t most = n / std::max<std::size_t>(least, 1);
    // Asking for the workers may make the default pool: not for a single block.
    count_ = most <= 1 ? std::min<std::size_t>(n, 1) : std::min(most, 8 * fork.workers());
  }
  /// Exactly `count` of them, or `n` if that is less.
  even_blocks(std::size_t n, std::size_t count) noexcept : n_(n), count_(std::min(n, count)) {}

  std::size_t items() const noexcept { return n_; }
  std::size_t count() const noexcept { return count_; }
  /// Where block `b` begins; `n` for the one behind the last.
  std::size_t operator[](std::size_t b) const noexcept {
    if (count_ <= 1) return b == 0 ? 0 : n_;  // without a division, which takes its time
    return n_ / count_ * b + std::min(b, n_ % count_);
  }

 private:
  std::size_t n_;
  std::size_t count_;
};

/// Calls body(b, first, last) for every block, several at once: block `b` is [first, last). Throws
/// as for_blocks(). Progress is told in items.
template <fork_policy Fork, std::invocable<std::size_t, std::size_t, std::size_t> Body>
void for_each_block(const Fork& fork, const even_blocks& blocks, const options& o, Body&& body) {
  options in_blocks = o;
  in_blocks.grain = 0;
  if (o.progress)
    in_blocks.progress = [&](std::size_t done, std::size_t) {
      o.progress(blocks[done], blocks.items());
    };
  for_blocks(fork, blocks.count(), in_blocks, [&](std::size_t first, std::size_t last) {
    for (; first != last; ++first) body(first, blocks[first], blocks[first + 1]);
  });
}

/// What whole() gives: it is called by this thread, as a loop of `n` items that is not divided.
template <std::invocable Whole>
auto alone(std::size_t n, const options& o, Whole&& whole) {
  if (!o.stop.stop_possible() && !o.progress) return whole();
  loop_course course(o, n);
  if (n != 0 && !course.may_start(0)) course.end_of_loop();  // which throws
  auto made = whole();
  course.finished(n);
  course.end_of_loop();
  return made;
}

}  // namespace filch::detail
