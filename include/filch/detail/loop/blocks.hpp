// A fixed number of blocks, for algorithms that go over their input more than once.
#pragma once

#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

/// Divides [0, n) into `count` blocks whose sizes differ by at most one. Every pass sees the same
/// blocks.
class even_blocks {
 public:
  /// Makes eight blocks for each worker, so that all workers stay busy to the end, but none of
  /// fewer than `least` items. With fewer than 2 * `least` items there is one block; with no items
  /// there is none.
  template <fork_policy Fork>
  even_blocks(const Fork& fork, std::size_t n, std::size_t least) : n_(n) {
    const std::size_t most = n / std::max<std::size_t>(least, 1);
    // fork.workers() may create the default pool, so a single block does not ask for it.
    count_ = most <= 1 ? std::min<std::size_t>(n, 1) : std::min(most, 8 * fork.workers());
  }
  /// Makes exactly `count` blocks, or `n` if that is less.
  even_blocks(std::size_t n, std::size_t count) noexcept : n_(n), count_(std::min(n, count)) {}

  std::size_t items() const noexcept { return n_; }
  std::size_t count() const noexcept { return count_; }
  /// The first item of block `b`. For b == count() it is `n`.
  std::size_t operator[](std::size_t b) const noexcept {
    if (count_ <= 1) return b == 0 ? 0 : n_;  // avoids a division, which is slow
    return n_ / count_ * b + std::min(b, n_ % count_);
  }

 private:
  std::size_t n_;
  std::size_t count_;
};

/// Calls body(b, first, last) for every block, several at once. Block `b` is [first, last). Throws
/// what for_blocks() throws. Reports progress in items.
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

/// Calls whole() on this thread, as a loop of `n` items that is not divided, and returns its
/// result.
template <std::invocable Whole>
auto alone(std::size_t n, const options& o, Whole&& whole) {
  if (!can_end_early(o) && !o.progress) return whole();
  loop_state state(o, n);
  if (n != 0 && !state.may_start(0)) state.end_of_loop();  // which throws
  auto made = whole();
  state.finished(n);
  state.end_of_loop();
  return made;
}

}  // namespace filch::detail
