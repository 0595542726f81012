// One bit for each item of a range: the first pass of algorithms that select items.
#pragma once

#include "filch/detail/base/raw_memory.hpp"
#include "filch/detail/kernel/bitmask_words.hpp"
#include "filch/detail/loop/blocks.hpp"

namespace filch::detail {

/// How many elements are worth a fork when the selected ones are moved or copied.
template <class I>
inline constexpr std::size_t worth_moving = std::max<std::size_t>(worth_a_fork<I>, 256);

/// The options of a second pass: it cannot be stopped, and does not report progress again.
inline options second_pass(const options& o) {
  options rest;
  rest.grain = o.grain;
  return rest;
}

/// The test of an iterator: pred(proj(element)).
template <class I, class Pred, class Proj>
auto test_of(Pred& pred, Proj& proj) {
  return [&](const I& i) { return static_cast<bool>(std::invoke(pred, std::invoke(proj, *i))); };
}

/// Is there nothing to divide, to stop or to report? Then the sequential algorithm will do.
inline bool nothing_to_divide(std::size_t n, const options& o) noexcept {
  return n <= 1 && !can_end_early(o) && !o.progress;
}

/// Which items of [0, n) are selected, and how many selected items lie before each of a few blocks.
/// The user's predicate is called once for each item. Because its answers are kept, a second pass
/// can put each item where it belongs without looking at the others. Going from bit to bit has no
/// branch that depends on the data.
///
/// A word holds the bits of 64 items. If there are many items, 64 are tested in one step. If there
/// are few, each item may be tested in a part of its own, because the predicate may be expensive;
/// their answers are kept as bytes first.
class bitmask {
 public:
  /// `least` items are worth a fork in the second pass. No part of that pass has fewer than `grain`
  /// items.
  template <fork_policy Fork>
  bitmask(const Fork& fork, std::size_t n, std::size_t least, std::size_t grain)
      : n_(n),
        blocks_(fork, words_for(n), std::max(least / 64, grain_in_words(grain))),
        many_words_(n > few_items ? blocks_.items() : 0),
        many_counts_(blocks_.count() > 1 ? blocks_.count() + 1 : 0),
        words_(many_words_.size() != 0 ? many_words_.data() : small_words_),
        counts_(many_counts_.size() != 0 ? many_counts_.data() : small_counts_) {}
  bitmask(const bitmask&) = delete;
  bitmask& operator=(const bitmask&) = delete;

  /// Was there enough memory? If not, no other function may be called.
  explicit operator bool() const noexcept { return many_words_ && many_counts_; }

  /// Selects the items for which test(iterator) is true. It calls `test` once for each item,
  /// several at once, and within a part in the order of the range. Options, Throws and `least` are
  /// those of for_blocks().
  template <fork_policy Fork, std::random_access_iterator I, class Test>
  void make(const Fork& fork, const I& first, const options& o, Test&& test,
            std::size_t least = 1) {
    if (n_ <= few_items)
      make_few(fork, first, o, test, least);
    else
      make_many(fork, first, o, test, least);
    std::size_t before = 0;
    for (std::size_t b = 0; b <= blocks_.count(); ++b) before += std::exchange(counts_[b], before);
  }

  /// How many items are selected.
  std::size_t total() const noexcept { return before(blocks_.count()); }
  /// The blocks, for for_each_block(). The functions below take its block numbers. Its `first` and
  /// `last` count words, and are of no use to the caller.
  const even_blocks& blocks() const noexcept { return blocks_; }
  /// The second pass: calls body(b) for every block, several at once. It cannot be stopped.
  template <fork_policy Fork, std::invocable<std::size_t> Body>
  void for_each_block(const Fork& fork, Body&& body) const {
    if (blocks_.count() == 1) return static_cast<void>(body(0));
    detail::for_each_block(fork, blocks_, options{},
                           [&](std::size_t b, std::size_t, std::size_t) { body(b); });
  }
  /// The first item of block `b`.
  std::size_t start(std::size_t b) const noexcept { return item(blocks_[b]); }
  /// How many items are selected before block `b`.
  std::size_t before(std::size_t b) const noexcept { return counts_[b]; }
  bool operator[](std::size_t i) const noexcept { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  /// How many items are selected before item `i`.
  std::size_t before_item(std::size_t i) const noexcept {
    if (i >= n_) return total();
    const std::size_t word = i / 64;
    const std::size_t b = block_of(word);
    std::size_t count = before(b);
    for (std::size_t w = blocks_[b]; w != word; ++w) count += bits_in(words_[w]);
    const std::uint64_t lower = (std::uint64_t{1} << (i % 64)) - 1;
    return count + bits_in(words_[word] & lower);
  }

  /// Calls f(iterator) for the items of block `b` that are selected (or, if `Selected` is false,
  /// not selected), in order. `first` is the begin of the whole range.
  template <bool Selected = true, std::random_access_iterator I, class F>
  void each(std::size_t b, const I& first, F&& f) const {
    detail::for_each_selected<Selected>(words_ + blocks_[b], start(b + 1) - start(b),
                                        detail::at(first, start(b)), f);
  }

  /// Copies the items of block `b` that are selected (or not) to the range that begins at `out`, in
  /// order. `out` is separate memory, or it lies in the same range and no item is overwritten
  /// before it has been copied. Returns the end of the copies.
  template <bool Selected = true, std::random_access_iterator I, std::random_access_iterator O>
  O copy(std::size_t b, const I& first, O out) const {
    const std::size_t items = start(b + 1) - start(b);
    const std::size_t selected = before(b + 1) - before(b);
    return detail::copy_selected<Selected>(words_ + blocks_[b], items, detail::at(first, start(b)),
                                           out, Selected ? selected : items - selected);
  }

  /// Moves the items of block `b` that are selected (or not) to the raw memory at `to`, in order.
  template <bool Selected = true, std::random_access_iterator I>
  void move_out(std::size_t b, const I& first, std::iter_value_t<I>* to) const {
    if constexpr (copies_bytes<I, std::iter_value_t<I>*>)
      copy<Selected>(b, first, to);
    else
      each<Selected>(b, first,
                     [&](const I& i) { std::construct_at(to++, std::ranges::iter_move(i)); });
  }

  /// Goes through the selected items in order, starting at the one that has `rank` selected items
  /// before it.
  class cursor {
   public:
    /// Such an item exists.
    cursor(const bitmask& all, std::size_t rank) noexcept : all_(all) {
      const std::size_t b = all.last_block([&](std::size_t c) { return all.before(c) <= rank; });
      rank -= all.before(b);
      word_ = all.blocks_[b];
      for (bits_ = all.words_[word_]; bits_in(bits_) <= rank;) {
        rank -= bits_in(bits_);
        bits_ = all.words_[++word_];
      }
      for (; rank != 0; --rank) bits_ &= bits_ - 1;
    }
    /// The index of the next selected item. It exists.
    std::size_t next() noexcept {
      while (bits_ == 0) bits_ = all_.words_[++word_];
      const auto bit = static_cast<std::size_t>(std::countr_zero(bits_));
      bits_ &= bits_ - 1;
      return all_.item(word_) + bit;
    }

   private:
    const bitmask& all_;
    std::size_t word_ = 0;
    std::uint64_t bits_ = 0;
  };

 private:
  /// Up to this number of items, each may be tested in a part of its own.
  static constexpr std::size_t few_items = 4096;

  std::size_t item(std::size_t word) const noexcept { return std::min(n_, word * 64); }
  /// The last block for which `begins` is true, which it is for the first ones.
  template <class Begins>
  std::size_t last_block(const Begins& begins) const noexcept {
    return detail::first_not(1, blocks_.count(), begins) - 1;
  }
  std::size_t block_of(std::size_t word) const noexcept {
    return last_block([&](std::size_t b) { return blocks_[b] <= word; });
  }

  template <fork_policy Fork, class I, class Test>
  void make_few(const Fork& fork, const I& first, const options& o, Test& test, std::size_t least) {
    std::array<unsigned char, few_items> answers;
    const auto leaf = [&](std::size_t from, std::size_t to) {
      detail::ask_items(detail::at(first, from), to - from, answers.data() + from, test);
    };
    for_blocks(fork, n_, o, leaf, least);
    std::fill(answers.data() + n_, answers.data() + (n_ + 15) / 16 * 16, 0);
    for (std::size_t b = 0; b != blocks_.count(); ++b) {
      counts_[b] = 0;
      for (std::size_t w = blocks_[b]; w != blocks_[b + 1]; ++w) {
        words_[w] = packed_answers(answers.data() + 64 * w, item(w + 1) - item(w));
        counts_[b] += bits_in(words_[w]);
      }
    }
    counts_[blocks_.count()] = 0;
  }

  template <fork_policy Fork, class I, class Test>
  void make_many(const Fork& fork, const I& first, const options& o, Test& test,
                 std::size_t least) {
    std::fill_n(counts_, blocks_.count() + 1, std::size_t{0});
    const auto ask_blocks = [&](std::size_t from, std::size_t to) {
      for (std::size_t b = block_of(from); from != to; ++b) {
        const std::size_t end = std::min(to, blocks_[b + 1]);
        const std::size_t selected = detail::ask_words(detail::at(first, item(from)),
                                                       item(end) - item(from), words_ + from, test);
        from = end;
        std::atomic_ref(counts_[b])
            .fetch_add(selected, std::memory_order_relaxed);  // orders nothing: joins do
      }
    };
    for_blocks(fork, blocks_.items(), in_words(o, n_), ask_blocks, grain_in_words(least));
  }

  const std::size_t n_;
  std::uint64_t small_words_[few_items / 64];
  std::size_t small_counts_[2];
  const even_blocks blocks_;  // of words
  const raw_memory<std::uint64_t> many_words_;
  const raw_memory<std::size_t> many_counts_;
  std::uint64_t* const words_;
  std::size_t* const counts_;
};

}  // namespace filch::detail
