// One bit for every item of a range: the first pass of algorithms that pick some of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "filch/detail/split/blocks.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/scratch.hpp"

namespace filch::detail {

/// How many elements are worth a fork when those that are marked are moved or copied.
template <class I>
inline constexpr std::size_t worth_moving = std::max<std::size_t>(worth_a_fork<I>, 256);

/// The second pass of an algorithm: it is not interrupted, and does not tell its progress again.
inline options second_pass(const options& o) {
  options rest;
  rest.grain = o.grain;
  return rest;
}

/// Which items of [0, n) are marked, and how many of them lie before each of a few blocks. Asking
/// the user's predicate once for each item and remembering the answer lets a second pass put every
/// item where it belongs without knowing the others; going from bit to bit has no branch that
/// depends on the data.
///
/// A word holds the marks of `width` items: 64, or fewer if there are few items, so that also
/// those can be divided if the predicate is dear.
class marks {
 public:
  /// `least` items are worth a fork in the second pass.
  template <fork_policy Fork>
  marks(const Fork& fork, std::size_t n, std::size_t least)
      : n_(n),
        width_(std::clamp<std::size_t>(n / few_words, 1, 64)),
        blocks_(fork, n / width_ + (n % width_ != 0 ? 1 : 0), least / width_),
        many_words_(blocks_.items() > 2 * few_words ? blocks_.items() : 0),
        many_counts_(blocks_.count() > 1 ? blocks_.count() + 1 : 0) {}
  marks(const marks&) = delete;
  marks& operator=(const marks&) = delete;

  /// Was there enough memory? Otherwise nothing but this may be called.
  explicit operator bool() const noexcept { return many_words_ && many_counts_; }

  /// Marks the items for which test(iterator) says so: calls it once for each, several at once, in
  /// the order of the range within a part. Options and Throws as for_blocks().
  template <fork_policy Fork, std::random_access_iterator I, class Test>
  void make(const Fork& fork, const I& first, const options& o, Test&& test) {
    std::fill_n(counts(), blocks_.count() + 1, std::size_t{0});
    options in_words = o;
    in_words.grain = o.grain / width_ + (o.grain % width_ != 0 ? 1 : 0);
    if (o.progress)
      in_words.progress = [&](std::size_t done, std::size_t) { o.progress(item(done), n_); };
    for_blocks(fork, blocks_.items(), in_words, [&](std::size_t from, std::size_t to) {
      I i = at(first, item(from));
      for (std::size_t b = block_of(from); from != to; ++b) {
        const std::size_t end = std::min(to, blocks_[b + 1]);
        std::size_t marked = 0;
        for (; from != end; ++from) {
          const std::uint64_t word = word_of(i, item(from + 1) - item(from), test);
          words()[from] = word;
          marked += static_cast<std::size_t>(std::popcount(word));
        }
        std::atomic_ref(counts()[b])
            .fetch_add(marked, std::memory_order_relaxed);  // orders nothing: joins do
      }
    });
    std::size_t before = 0;
    for (std::size_t b = 0; b <= blocks_.count(); ++b) before += std::exchange(counts()[b], before);
  }

  std::size_t items() const noexcept { return n_; }
  /// How many are marked.
  std::size_t total() const noexcept { return before(blocks_.count()); }
  /// For for_each_block(): its numbers of blocks are those below; what it calls first and last is
  /// of no use.
  const even_blocks& blocks() const noexcept { return blocks_; }
  /// The item with which block `b` begins.
  std::size_t start(std::size_t b) const noexcept { return item(blocks_[b]); }
  /// How many are marked before block `b`.
  std::size_t before(std::size_t b) const noexcept { return counts()[b]; }
  bool operator[](std::size_t i) const noexcept {
    return (words()[i / width_] >> (i % width_) & 1) != 0;
  }
  /// How many are marked before item `i`.
  std::size_t before_item(std::size_t i) const noexcept {
    if (i >= n_) return total();
    const std::size_t word = i / width_;
    const std::size_t b = block_of(word);
    std::size_t count = before(b);
    for (std::size_t w = blocks_[b]; w != word; ++w)
      count += static_cast<std::size_t>(std::popcount(words()[w]));
    const std::uint64_t lower = (std::uint64_t{1} << (i % width_)) - 1;
    return count + static_cast<std::size_t>(std::popcount(words()[word] & lower));
  }

  /// Calls f(iterator) for the items of block `b` that are marked (or, for `Marked` false, those
  /// that are not), in order. `first` is that of the whole range.
  template <bool Marked = true, std::random_access_iterator I, class F>
  void each(std::size_t b, const I& first, F&& f) const {
    for (std::size_t w = blocks_[b]; w != blocks_[b + 1]; ++w) {
      const I base = at(first, item(w));
      std::uint64_t bits = bits_of<Marked>(w);
      if (bits == ~std::uint64_t{0}) {
        for (std::size_t k = 0; k != 64; ++k) f(at(base, k));
        continue;
      }
      for (; bits != 0; bits &= bits - 1)
        f(at(base, static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }

  /// The marked items one after the other, from the one before which there are `rank` on.
  class cursor {
   public:
    /// There is such an item.
    cursor(const marks& all, std::size_t rank) noexcept : all_(all) {
      std::size_t b = 0;
      for (std::size_t end = all.blocks_.count(); end - b > 1;) {
        const std::size_t middle = b + (end - b) / 2;
        (all.before(middle) <= rank ? b : end) = middle;
      }
      rank -= all.before(b);
      word_ = all.blocks_[b];
      for (bits_ = all.words()[word_]; static_cast<std::size_t>(std::popcount(bits_)) <= rank;) {
        rank -= static_cast<std::size_t>(std::popcount(bits_));
        bits_ = all.words()[++word_];
      }
      for (; rank != 0; --rank) bits_ &= bits_ - 1;
    }
    /// The number of the next one. There is one.
    std::size_t next() noexcept {
      while (bits_ == 0) bits_ = all_.words()[++word_];
      const auto bit = static_cast<std::size_t>(std::countr_zero(bits_));
      bits_ &= bits_ - 1;
      return all_.item(word_) + bit;
    }

   private:
    const marks& all_;
    std::size_t word_ = 0;
    std::uint64_t bits_ = 0;
  };

 private:
  /// With fewer items than 64 times this, words hold fewer than 64 marks.
  static constexpr std::size_t few_words = 128;

  std::size_t item(std::size_t word) const noexcept { return std::min(n_, word * width_); }
  std::uint64_t* words() noexcept {
    return many_words_.size() != 0 ? many_words_.data() : small_words_.data();
  }
  const std::uint64_t* words() const noexcept {
    return many_words_.size() != 0 ? many_words_.data() : small_words_.data();
  }
  std::size_t* counts() noexcept {
    return many_counts_.size() != 0 ? many_counts_.data() : small_counts_.data();
  }
  const std::size_t* counts() const noexcept {
    return many_counts_.size() != 0 ? many_counts_.data() : small_counts_.data();
  }

  std::size_t block_of(std::size_t word) const noexcept {
    std::size_t b = 0;
    for (std::size_t end = blocks_.count(); end - b > 1;) {
      const std::size_t middle = b + (end - b) / 2;
      (blocks_[middle] <= word ? b : end) = middle;
    }
    return b;
  }

  template <bool Marked>
  std::uint64_t bits_of(std::size_t w) const noexcept {
    if constexpr (Marked) return words()[w];
    const std::size_t count = item(w + 1) - item(w);
    return ~words()[w] & (~std::uint64_t{0} >> (64 - count));
  }

  /// The marks of `count` items from `i` on, which is moved behind them.
  template <class I, class Test>
  static std::uint64_t word_of(I& i, std::size_t count, Test& test) {
    std::uint64_t word = 0;
    if (count != 64 || std::endian::native != std::endian::little) {
      for (std::size_t k = 0; k != count; ++k, ++i) word |= std::uint64_t{test(i) ? 1u : 0u} << k;
      return word;
    }
    // A byte for each answer first: that loop vectorises. Then eight bytes become eight bits.
    std::array<unsigned char, 64> answers;
    for (unsigned char& answer : answers) {
      answer = test(i) ? 1 : 0;
      ++i;
    }
    for (std::size_t k = 0; k != 8; ++k) {
      std::uint64_t eight;
      std::memcpy(&eight, answers.data() + 8 * k, 8);
      word |= (eight * 0x0102040810204080u >> 56) << (8 * k);
    }
    return word;
  }

  const std::size_t n_;
  const std::size_t width_;
  std::array<std::uint64_t, 2 * few_words> small_words_;
  std::array<std::size_t, 2> small_counts_;
  const even_blocks blocks_;  // of words
  const scratch<std::uint64_t> many_words_;
  const scratch<std::size_t> many_counts_;
};

}  // namespace filch::detail
