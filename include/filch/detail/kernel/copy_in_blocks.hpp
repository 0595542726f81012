// Copies the selected items of a range that is too large for the caches.
#pragma once

#include <mutex>

#include "filch/detail/kernel/bitmask_words.hpp"
#include "filch/detail/loop/scan_blocks.hpp"

namespace filch::detail {

/// Memory for the bits of each block, from its test to its copy. Memory that was given back is
/// used again first. So mostly a few kilobytes are touched, and they stay in a cache; touching
/// fresh memory of a process is slow. There is memory for all blocks, in case one block takes as
/// long as all others together.
class bitmask_storage {
 public:
  /// Memory for `count` blocks of at most `words` words each.
  bitmask_storage(std::size_t count, std::size_t words)
      : words_(words), all_(count * words), of_block_(count), free_(count) {}

  /// Was there enough memory? If not, no other function may be called.
  explicit operator bool() const noexcept { return all_ && of_block_ && free_; }

  /// Memory for block `b`, until give_back(b). Any thread.
  std::uint64_t* take(std::size_t b) {
    const std::lock_guard lock(mutex_);
    std::uint64_t* const words =
        free_count_ != 0 ? free_.data()[--free_count_] : all_.data() + words_ * used_++;
    return of_block_.data()[b] = words;
  }
  /// The memory that block `b` has taken. The caller knows that it did.
  std::uint64_t* operator[](std::size_t b) const noexcept { return of_block_.data()[b]; }
  void give_back(std::size_t b) {
    const std::lock_guard lock(mutex_);
    free_.data()[free_count_++] = of_block_.data()[b];
  }

 private:
  const std::size_t words_;
  const raw_memory<std::uint64_t> all_;
  const raw_memory<std::uint64_t*> of_block_;
  const raw_memory<std::uint64_t*> free_;
  std::mutex mutex_;
  std::size_t used_ = 0;
  std::size_t free_count_ = 0;
};

/// Tests and copies the items of a range block by block, so that memory is read once: testing
/// brings a block into the cache, and the copy finds it there. The position of its copies is known
/// when all earlier blocks have been tested. This is a scan whose items are blocks and whose states
/// are numbers of selected items.
///
/// The items of a block are tested by a loop of their own. So a thread that finds no block left
/// helps with the blocks that others have taken.
template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator O,
          class Test>
class copy_in_blocks {
 public:
  using state = std::size_t;

  /// Is this worth it for `n` items? A smaller range is in the caches anyway, and in a small range
  /// a single item may be expensive to test.
  static bool is_for(std::size_t n) noexcept { return words_for(n) >= least_blocks * block_words; }

  /// All arguments but the iterators outlive this. `least` items are worth a fork when they are
  /// tested.
  copy_in_blocks(const Fork& fork, const I& first, std::size_t n, const O& out, const options& o,
                 Test& test, std::size_t least)
      : fork_(fork),
        first_(first),
        n_(n),
        out_(out),
        options_(o),
        test_(test),
        least_(grain_in_words(least)),
        blocks_(words_for(n),
                std::max<std::size_t>(words_for(n) / std::max(grain_in_words(o.grain), block_words),
                                      1)),
        bits_(blocks_.count(), words_for(n) / blocks_.count() + 1) {
    asking_.grain = grain_in_words(o.grain);
  }

  /// Was there enough memory? If not, no other function may be called.
  explicit operator bool() const noexcept { return static_cast<bool>(bits_); }

  /// Call it once. Returns the end of the copies. If blocks throw, throws what the lowest of them
  /// threw; then some copies may have been made.
  O run() {
    options in_blocks = options_;
    if (options_.progress)
      in_blocks.progress = [this](std::size_t done, std::size_t) {
        options_.progress(start(done), n_);
      };
    const even_blocks one_by_one(blocks_.count(), blocks_.count());
    block_scan<Fork, copy_in_blocks>(fork_, *this, one_by_one, directly::never, in_blocks)
        .run(std::size_t{0});
    if (is_cut_) {  // and the scan has not noticed, because there is no later block
      loop_state loop(options_, n_);
      if (!loop.may_start(0)) loop.end_of_loop();
    }
    return detail::at(out_, total_);
  }

  // ---- called by block_scan, for one block at a time --------------------------------------------

  std::size_t reduce(std::size_t b, std::size_t) {
    std::uint64_t* const words = bits_.take(b);
    const auto ask = [&](std::size_t from, std::size_t to) {
      // The loop does not get the stop token: the `cancelled` that it would throw might come before
      // an exception of the user's.
      if (is_to_end(options_)) return static_cast<void>(is_cut_ = true);
      const std::size_t i = start(b) + 64 * from;
      detail::ask_words(detail::at(first_, i), std::min(64 * (to - from), n_ - i), words + from,
                        test_);
    };
    for_blocks(fork_, blocks_[b + 1] - blocks_[b], asking_, ask, least_);
    return is_cut_ ? 0 : selected_in(b);
  }
  std::size_t scan(std::size_t b, std::size_t, const std::size_t* before) {
    const bool is_last = b + 1 == blocks_.count();  // block_scan does not reduce it
    if (is_last) reduce(b, b + 1);
    if (is_cut_) return *before;  // the bitmask is incomplete, and so is the position of the copies
    const std::size_t count = selected_in(b);
    detail::copy_selected<true>(bits_[b], start(b + 1) - start(b), detail::at(first_, start(b)),
                                detail::at(out_, *before), count);
    bits_.give_back(b);
    if (is_last) total_ = *before + count;
    return *before + count;
  }
  std::size_t combine(std::size_t a, std::size_t b) const noexcept { return a + b; }

 private:
  /// 128 KB of items, a part of a core's own cache.
  static constexpr std::size_t block_words =
      std::max<std::size_t>(std::size_t{128} * 1024 / 64 / sizeof(std::iter_value_t<I>), 64);
  static constexpr std::size_t least_blocks = 16;

  std::size_t start(std::size_t b) const noexcept { return std::min(n_, 64 * blocks_[b]); }
  std::size_t selected_in(std::size_t b) const noexcept {
    const std::uint64_t* word = bits_[b];
    std::size_t selected = 0;
    for (std::size_t left = blocks_[b + 1] - blocks_[b]; left != 0; --left)
      selected += bits_in(*word++);
    return selected;
  }

  const Fork& fork_;
  const I first_;
  const std::size_t n_;
  const O out_;
  const options& options_;
  Test& test_;
  const std::size_t least_;
  options asking_;
  const even_blocks blocks_;  // of words
  bitmask_storage bits_;
  std::atomic<bool> is_cut_{false};  // some items have not been tested
  std::size_t total_ = 0;
};

}  // namespace filch::detail
