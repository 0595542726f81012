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
#include <memory>
#include <type_traits>
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

/// Is there nothing to divide, to stop and to tell? Then the sequential algorithm does.
inline bool nothing_to_divide(std::size_t n, const options& o) noexcept {
  return n <= 1 && !o.stop.stop_possible() && !o.progress;
}

/// How many bits are set. No call into the compiler's library, which std::popcount() is if the
/// processor may lack the instruction.
inline std::size_t bits_in(std::uint64_t word) noexcept {
#if defined(__x86_64__) && !defined(__POPCNT__)
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::size_t>(word * 0x0101010101010101u >> 56);
#else
  return static_cast<std::size_t>(std::popcount(word));
#endif
}

/// Which items of [0, n) are marked, and how many of them lie before each of a few blocks. Asking
/// the user's predicate once for each item and remembering the answer lets a second pass put every
/// item where it belongs without knowing the others; going from bit to bit has no branch that
/// depends on the data.
///
/// A word holds the marks of 64 items. Of many items 64 are asked in one go; of few every one may
/// be a part of its own, in case that the predicate is dear: their answers are bytes first.
class marks {
 public:
  /// `least` items are worth a fork in the second pass; no part of it has fewer than `grain`.
  template <fork_policy Fork>
  marks(const Fork& fork, std::size_t n, std::size_t least, std::size_t grain)
      : n_(n),
        blocks_(fork, n / 64 + (n % 64 != 0 ? 1 : 0), std::max(least / 64, grain_in_words(grain))),
        many_words_(n > few_items ? blocks_.items() : 0),
        many_counts_(blocks_.count() > 1 ? blocks_.count() + 1 : 0) {}
  marks(const marks&) = delete;
  marks& operator=(const marks&) = delete;

  /// Was there enough memory? Otherwise nothing but this may be called.
  explicit operator bool() const noexcept { return many_words_ && many_counts_; }

  /// Marks the items for which test(iterator) says so: calls it once for each, several at once, in
  /// the order of the range within a part. Options, Throws and `least` as for_blocks().
  template <fork_policy Fork, std::random_access_iterator I, class Test>
  void make(const Fork& fork, const I& first, const options& o, Test&& test,
            std::size_t least = 1) {
    if (n_ <= few_items)
      make_few(fork, first, o, test, least);
    else
      make_many(fork, first, o, test, least);
    std::size_t before = 0;
    for (std::size_t b = 0; b <= blocks_.count(); ++b) before += std::exchange(counts()[b], before);
  }

  std::size_t items() const noexcept { return n_; }
  /// How many are marked.
  std::size_t total() const noexcept { return before(blocks_.count()); }
  /// For for_each_block(): its numbers of blocks are those below; what it calls first and last is
  /// of no use.
  const even_blocks& blocks() const noexcept { return blocks_; }
  /// Calls body(b) for every block, several at once: the second pass. It is not interrupted.
  template <fork_policy Fork, std::invocable<std::size_t> Body>
  void for_each_block(const Fork& fork, Body&& body) const {
    if (blocks_.count() == 1) return static_cast<void>(body(0));
    detail::for_each_block(fork, blocks_, options{},
                           [&](std::size_t b, std::size_t, std::size_t) { body(b); });
  }
  /// The item with which block `b` begins.
  std::size_t start(std::size_t b) const noexcept { return item(blocks_[b]); }
  /// How many are marked before block `b`.
  std::size_t before(std::size_t b) const noexcept { return counts()[b]; }
  bool operator[](std::size_t i) const noexcept { return (words()[i / 64] >> (i % 64) & 1) != 0; }
  /// How many are marked before item `i`.
  std::size_t before_item(std::size_t i) const noexcept {
    if (i >= n_) return total();
    const std::size_t word = i / 64;
    const std::size_t b = block_of(word);
    std::size_t count = before(b);
    for (std::size_t w = blocks_[b]; w != word; ++w) count += bits_in(words()[w]);
    const std::uint64_t lower = (std::uint64_t{1} << (i % 64)) - 1;
    return count + bits_in(words()[word] & lower);
  }

  /// Calls f(iterator) for the items of block `b` that are marked (or, for `Marked` false, those
  /// that are not), in order. `first` is that of the whole range.
  template <bool Marked = true, std::random_access_iterator I, class F>
  void each(std::size_t b, const I& first, F&& f) const {
    for (std::size_t w = blocks_[b]; w != blocks_[b + 1]; ++w) {
      const I base = detail::at(first, item(w));
      std::uint64_t bits = bits_of<Marked>(w);
      if (bits == ~std::uint64_t{0}) {
        for (std::size_t k = 0; k != 64; ++k) f(detail::at(base, k));
        continue;
      }
      for (; bits != 0; bits &= bits - 1)
        f(detail::at(base, static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }

  /// Elements that are no more than their bytes, one beside the other, copied to such: copy() then
  /// needs no branch for each of them.
  template <class I, class O>
  static constexpr bool copies_bytes =
      std::contiguous_iterator<I>&& std::contiguous_iterator<O>&&
          std::is_same_v<std::iter_reference_t<O>, std::iter_value_t<I>&>&&
              std::is_trivially_copyable_v<std::iter_value_t<I>>&&
                  std::is_copy_assignable_v<std::iter_value_t<I>> &&
      sizeof(std::iter_value_t<I>) <= 16;

  /// Copies the items of block `b` that are marked (or not) to `out` and what follows it, in order.
  /// `out` is memory apart, or lies in the same range, and no item is overwritten before it has
  /// been copied. Returns the end of the copies.
  template <bool Marked = true, std::random_access_iterator I, std::random_access_iterator O>
  O copy(std::size_t b, const I& first, O out) const {
    if constexpr (copies_bytes<I, O>) {
      const std::size_t marked = before(b + 1) - before(b);
      const std::size_t count = Marked ? marked : start(b + 1) - start(b) - marked;
      copy_bytes<Marked>(b, std::to_address(first), std::to_address(out), count);
      return detail::at(out, count);
    } else {
      each<Marked>(b, first, [&](const I& i) {
        *out = *i;
        ++out;
      });
      return out;
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
      for (bits_ = all.words()[word_]; bits_in(bits_) <= rank;) {
        rank -= bits_in(bits_);
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
  template <std::random_access_iterator I>
  friend class few_marks;

  /// Up to so many, every item may be asked in a part of its own.
  static constexpr std::size_t few_items = 4096;

  /// So many words have no fewer items, though the last word may have a single one.
  static std::size_t grain_in_words(std::size_t grain) noexcept {
    return grain <= 1 ? grain : (grain - 2) / 64 + 2;
  }
  std::size_t item(std::size_t word) const noexcept { return std::min(n_, word * 64); }
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

  /// copy() of elements for which an assignment more is no harm and costs less than a branch that
  /// cannot be predicted: all items of a word are written, each over the one before it if that was
  /// not to be copied. What the last ones leave behind is overwritten by those that follow; where
  /// none of this block do, it ends with the last that is to be copied, since what lies behind is
  /// another block's place.
  template <bool Marked, class T>
  void copy_bytes(std::size_t b, const T* first, T* to, std::size_t count) const {
    const T* const end = to + count;
    for (std::size_t w = blocks_[b]; to != end; ++w) {
      const T* const base = first + item(w);
      std::uint64_t bits = bits_of<Marked>(w);
      const auto marked = static_cast<std::ptrdiff_t>(bits_in(bits));
      if (bits == ~std::uint64_t{0}) {
        for (std::size_t k = 0; k != 64; ++k) to[k] = base[k];
        to += 64;
      } else if (marked < worth_writing_all) {
        for (; bits != 0; bits &= bits - 1) *to++ = base[std::countr_zero(bits)];
      } else {
        std::size_t k = 0;
        const auto items = end - to > marked ? 64 : static_cast<std::size_t>(std::bit_width(bits));
        for (; k + 8 <= items; k += 8, bits >>= 8)
#pragma GCC unroll 8
          for (std::size_t eighth = 0; eighth != 8; ++eighth) {
            *to = base[k + eighth];
            to += bits >> eighth & 1;
          }
        for (; k != items; ++k, bits >>= 1) {
          *to = base[k];
          to += bits & 1;
        }
      }
    }
  }
  /// So many of a word, and writing all of them is faster than going from one to the next.
  static constexpr std::ptrdiff_t worth_writing_all = 12;

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

  template <std::size_t Size>
  using answer_of = std::conditional_t<
      Size == 1, std::uint8_t,
      std::conditional_t<Size == 2, std::uint16_t,
                         std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

  template <fork_policy Fork, class I, class Test>
  void make_few(const Fork& fork, const I& first, const options& o, Test& test, std::size_t least) {
    std::array<unsigned char, few_items> answers;
    for_blocks(
        fork, n_, o,
        [&](std::size_t from, std::size_t to) {
          ask(detail::at(first, from), to - from, answers.data() + from, test);
        },
        least);
    std::fill(answers.data() + n_, answers.data() + (n_ + 7) / 8 * 8, 0);
    for (std::size_t b = 0; b != blocks_.count(); ++b) {
      counts()[b] = 0;
      for (std::size_t w = blocks_[b]; w != blocks_[b + 1]; ++w) {
        words()[w] = packed(answers.data() + 64 * w, item(w + 1) - item(w));
        counts()[b] += bits_in(words()[w]);
      }
    }
    counts()[blocks_.count()] = 0;
  }

  template <fork_policy Fork, class I, class Test>
  void make_many(const Fork& fork, const I& first, const options& o, Test& test,
                 std::size_t least) {
    std::fill_n(counts(), blocks_.count() + 1, std::size_t{0});
    options in_words = o;
    in_words.grain = grain_in_words(o.grain);
    if (o.progress)
      in_words.progress = [&](std::size_t done, std::size_t) { o.progress(item(done), n_); };
    const auto ask_words = [&](std::size_t from, std::size_t to) {
      std::array<unsigned char, 64> answers;
      for (std::size_t b = block_of(from); from != to; ++b) {
        const std::size_t end = std::min(to, blocks_[b + 1]);
        std::size_t marked = 0;
        for (; from != end; ++from) {
          const std::size_t count = item(from + 1) - item(from);
          if (count != 64) answers.fill(0);  // the last one
          ask(detail::at(first, item(from)), count, answers.data(), test);
          const std::uint64_t word = packed(answers.data(), count);
          words()[from] = word;
          marked += bits_in(word);
        }
        std::atomic_ref(counts()[b])
            .fetch_add(marked, std::memory_order_relaxed);  // orders nothing: joins do
      }
    };
    for_blocks(fork, blocks_.items(), in_words, ask_words, grain_in_words(least));
  }

  /// A byte for each of `count` answers: loops that vectorise.
  template <class I, class Test>
  static void ask(I i, std::size_t count, unsigned char* answers, Test& test) {
    if constexpr (std::contiguous_iterator<I> && std::is_arithmetic_v<std::iter_value_t<I>>) {
      for (; count >= 64; count -= 64, i += 64, answers += 64) ask_many<64>(i, answers, test);
      for (; count >= 8; count -= 8, i += 8, answers += 8) ask_many<8>(i, answers, test);
    }
    for (; count != 0; --count, ++i) *answers++ = test(i) ? 1 : 0;
  }

  /// As wide as the elements before they are bytes: x % 2 == 0 becomes ~x & 1, of which g++ 12
  /// makes vectors only if it stays as wide as x. And apart from `answers`, which may be anywhere.
  template <std::size_t Count, class I, class Test>
  static void ask_many(const I& i, unsigned char* answers, Test& test) {
    std::array<answer_of<sizeof(std::iter_value_t<I>)>, Count> wide;
    for (std::size_t k = 0; k != Count; ++k) wide[k] = test(detail::at(i, k)) ? 1 : 0;
    std::array<unsigned char, Count> narrow;
    for (std::size_t k = 0; k != Count; ++k) narrow[k] = static_cast<unsigned char>(wide[k]);
    std::memcpy(answers, narrow.data(), Count);
  }

  /// A bit for each of `count` answers. Up to seven bytes behind them are 0.
  static std::uint64_t packed(const unsigned char* answers, std::size_t count) noexcept {
    std::uint64_t word = 0;
#pragma GCC unroll 8
    for (std::size_t k = 0; k != 64; k += 8) {
      if (k >= count) break;
      std::uint64_t eight = 0;
      if constexpr (std::endian::native == std::endian::little)
        std::memcpy(&eight, answers + k, 8);
      else
        for (std::size_t byte = 0; byte != 8; ++byte)
          eight |= std::uint64_t{answers[k + byte]} << (8 * byte);
      word |= (eight * 0x0102040810204080u >> 56) << k;
    }
    return word;
  }

  const std::size_t n_;
  std::array<std::uint64_t, few_items / 64> small_words_;
  std::array<std::size_t, 2> small_counts_;
  const even_blocks blocks_;  // of words
  const scratch<std::uint64_t> many_words_;
  const scratch<std::size_t> many_counts_;
};

}  // namespace filch::detail
