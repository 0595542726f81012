// Distributes elements to buckets: the common part of sorting by digits and sorting by samples.
//
// `fork(f, g)` calls both, perhaps at the same time, and returns when both have ended. It calls
// both even if one throws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "filch/detail/order/less.hpp"

namespace filch::detail {

/// Calls `body(i)` for each i in [first, last), and forks down to single indices.
template <class Fork, class Body>
void fork_each(const Fork& fork, std::size_t first, std::size_t last, const Body& body) {
  if (last - first == 1) return body(first);
  if (first == last) return;
  const std::size_t middle = first + (last - first) / 2;
  fork([&] { fork_each(fork, first, middle, body); }, [&] { fork_each(fork, middle, last, body); });
}

/// Calls `body(first, last, part)` for parts of [0, n) with `grain` items each, the last one with
/// the rest, and forks down to single parts.
template <class Fork, class Body>
void fork_parts(const Fork& fork, std::size_t n, std::size_t grain, const Body& body) {
  fork_each(fork, 0, (n + grain - 1) / grain,
            [&](std::size_t part) { body(part * grain, std::min(n, (part + 1) * grain), part); });
}

/// The first index of each bucket. The last entry is the end of the last bucket.
using bucket_starts = std::vector<std::size_t>;

/// Calls `body(first, last)` for groups of buckets that together cover [first, last). It forks so
/// that both sides have about the same number of elements, but not below `grain` elements.
template <class Fork, class Body>
void fork_buckets(const Fork& fork, const bucket_starts& starts, std::size_t first,
                  std::size_t last, std::size_t grain, const Body& body) {
  if (last - first == 1 || starts[last] - starts[first] <= grain) return body(first, last);
  const auto start = [&](std::size_t b) { return starts.begin() + static_cast<std::ptrdiff_t>(b); };
  const std::size_t half = starts[first] + (starts[last] - starts[first]) / 2;
  const auto found = std::upper_bound(start(first + 1), start(last - 1), half);
  const auto middle = static_cast<std::size_t>(found - starts.begin());
  fork([&] { fork_buckets(fork, starts, first, middle, grain, body); },
       [&] { fork_buckets(fork, starts, middle, last, grain, body); });
}

/// The largest number of elements that one thread counts or sends at a time. It is large enough to
/// outweigh the cost of a row of counters.
inline constexpr std::size_t distribution_block = std::size_t{1} << 16;

/// The block size for `n` elements: small enough that several threads get some.
inline std::size_t distribution_block_of(std::size_t n) noexcept {
  return std::clamp(n / 16, distribution_block / 8, distribution_block);
}

/// The bucket of each element, stored when it is computed. The user's function may throw or
/// contradict itself. Because it is called once, its answers decide where elements go, but not
/// whether they stay in bounds.
using bucket_number = std::uint16_t;

/// Distributes in parallel: first counts each block of elements, then sends each block. Within a
/// bucket the elements keep their order.
template <class T>
class distribution {
 public:
  /// Throws `std::bad_alloc`.
  distribution(std::size_t n, std::size_t buckets)
      : n_(n),
        buckets_(buckets),
        block_(distribution_block_of(n)),
        blocks_((n + block_ - 1) / block_),
        next_(blocks_ * buckets),
        starts_(buckets + 1),
        position_(buckets) {}

  /// Counts the elements at `from`. `count(elements, how_many, first_index, counters)` adds one to
  /// the counter of each element's bucket. Throws what `count` throws; then no element has moved.
  template <class Fork, class Count>
  void count(const Fork& fork, T* from, const Count& count_block) {
    fork_parts(fork, n_, block_, [&](std::size_t first, std::size_t last, std::size_t block) {
      count_block(from + first, last - first, first, next_.data() + block * buckets_);
    });
    // Turns numbers of elements into positions: bucket by bucket, and within each bucket block by
    // block.
    for (std::size_t block = 0; block < blocks_; ++block)
      for (std::size_t b = 0; b < buckets_; ++b) starts_[b + 1] += next_[block * buckets_ + b];
    for (std::size_t b = 0; b < buckets_; ++b) starts_[b + 1] += starts_[b];
    std::copy(starts_.begin(), starts_.end() - 1, position_.begin());
    for (std::size_t block = 0; block < blocks_; ++block)
      for (std::size_t b = 0; b < buckets_; ++b) {
        const std::size_t number = next_[block * buckets_ + b];
        next_[block * buckets_ + b] = position_[b];
        position_[b] += number;
      }
  }

  /// Moves all elements from `from` to the raw memory `to`; `from` is raw memory afterwards.
  /// `bucket_of(element, index)` must return each bucket as often as it was counted, and must not
  /// throw.
  template <class Fork, class BucketOf>
  void send(const Fork& fork, T* from, T* to, const BucketOf& bucket_of) {
    fork_parts(fork, n_, block_, [&](std::size_t first, std::size_t last, std::size_t block) {
      std::size_t* const next = next_.data() + block * buckets_;
      for (std::size_t i = first; i != last; ++i)
        detail::relocate(from + i, to + next[bucket_of(from[i], i)]++);
    });
  }

  const bucket_starts& starts() const noexcept { return starts_; }
  std::size_t buckets() const noexcept { return buckets_; }

 private:
  std::size_t n_, buckets_;
  std::size_t block_, blocks_;     // elements in a block, and the number of blocks
  std::vector<std::size_t> next_;  // of each block and bucket: the number, then the next position
  bucket_starts starts_;
  std::vector<std::size_t> position_;  // of each bucket, while positions are assigned
};

}  // namespace filch::detail
