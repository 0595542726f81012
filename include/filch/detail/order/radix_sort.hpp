// Sorts by digits, the most significant first. For plain elements with numbers as keys. Stable.
//
// A level divides by so many bits that the next level finds its bucket in the cache. After two or
// three levels a bucket has a handful of elements, which are sorted by comparing.
#pragma once

#include <new>
#include <optional>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/order/distribute.hpp"
#include "filch/detail/order/quick_sort.hpp"
#include "filch/detail/order/radix_key.hpp"

namespace filch::detail {

/// Sorts the elements in `target`, with scratch memory for as many.
///
/// The user's projection may throw at any time. Then all elements end up in the target: the
/// elements of a bucket are all in one of the two memories, and the other memory holds nothing that
/// is needed.
template <bool Stable, class T, class Key, class Fork>
class radix_sorter {
  using word = typename Key::word;
  static_assert(plain_element<T>);

 public:
  /// `numbers` has memory for the bucket number of each element, unless keys are trusted. One
  /// thread handles up to `grain` elements alone.
  radix_sorter(const Fork& fork, Key key, T* target, T* scratch, bucket_number* numbers,
               std::size_t grain) noexcept
      : fork_(fork),
        key_(key),
        target_(target),
        scratch_(scratch),
        numbers_(numbers),
        alone_(std::max(grain, distribution_block)) {}

  /// Sorts the first `n` elements of the target. Their keys differ only in the lowest `bits` bits.
  void sort(std::size_t n, int bits) { sort_bucket(0, n, bits, true); }

 private:
  static constexpr int widest = 10;                     // bits per level
  static constexpr int spared = 2;                      // bits that are not worth another level
  static constexpr std::size_t compare_below = 48;      // elements
  static constexpr std::size_t counted_at_once = 2048;  // elements
  static constexpr std::size_t per_line = std::max<std::size_t>(1, cache_line_size / sizeof(T));

  // [begin, end) are indices in the target and in the scratch memory alike.
  T* here(bool in_target) const noexcept { return in_target ? target_ : scratch_; }

  void put_into_target(std::size_t begin, std::size_t end, bool in_target) noexcept {
    if (!in_target && begin != end)
      std::memcpy(static_cast<void*>(target_ + begin), scratch_ + begin, (end - begin) * sizeof(T));
  }

  void sort_bucket(std::size_t begin, std::size_t end, int bits, bool in_target) {
    const std::size_t n = end - begin;
    if (n < compare_below || bits == 0) {
      put_into_target(begin, end, in_target);
      if (bits != 0) compare(target_ + begin, target_ + end);
      return;
    }
    // The last level should give buckets of about eight elements, and all levels about the same
    // width. Larger buckets are better than one more level.
    const int wanted = std::min(bits, static_cast<int>(std::bit_width(n)) - 3);
    const int levels = std::max(1, (wanted - spared + widest - 1) / widest);
    const int width = std::min(widest, (wanted + levels - 1) / levels);
    if (n > alone_)
      divide_in_parallel(begin, end, bits, width, in_target);
    else
      divide(begin, end, bits, width, in_target);
  }

  void compare(T* first, T* last) {
    const key_less<Key> less{key_};
    if constexpr (!Stable)
      detail::quick_sort_loop(first, last, less, false, division_limit(last - first));
    else if (last - first <= small_sort_limit<T>)
      detail::stable_small_sort(first, last, less);
    else
      detail::insertion_sort(first, first, last, less);
  }

  /// The number of low bits in which the keys of [begin, end) differ.
  int differing_bits(T* first, T* last) {
    const word one = key_(*first);
    word differ = 0;
    for (; first != last; ++first) differ |= key_(*first) ^ one;
    return static_cast<int>(std::bit_width(differ));
  }

  void divide(std::size_t begin, std::size_t end, int bits, int width, bool in_target) {
    std::array<std::size_t, (1u << widest)> next;
    T* const from = here(in_target) + begin;
    T* const to = here(!in_target) + begin;
    const std::size_t n = end - begin;
    const std::size_t buckets = std::size_t{1} << width;
    const int shift = bits - width;
    const auto digit = [&](T& e) {
      return static_cast<std::size_t>(key_(e) >> shift) & (buckets - 1);
    };
    int bits_below = shift;
    bool one_bucket = false;
    try {
      std::fill_n(next.begin(), buckets, std::size_t{0});
      for (std::size_t i = 0; i != n;) {
        const std::size_t stop = i + std::min(n - i, counted_at_once);
        // Elements are about to be sent there, each to another cache line, so the lines are
        // prefetched.
        if (n > counted_at_once)
          for (std::size_t line = i; line < stop; line += per_line)
            __builtin_prefetch(to + line, 1, 2);
        for (; i != stop; ++i) {
          const std::size_t d = digit(from[i]);
          if constexpr (!Key::trusted) numbers_[begin + i] = static_cast<bucket_number>(d);
          ++next[d];
        }
      }
      one_bucket = next[Key::trusted ? digit(from[0]) : numbers_[begin]] == n;
      if (one_bucket) bits_below = std::min(shift, differing_bits(from, from + n));
    } catch (...) {
      put_into_target(begin, end, in_target);
      throw;
    }
    if (one_bucket) return sort_bucket(begin, end, bits_below, in_target);
    std::size_t position = 0;
    for (std::size_t b = 0; b != buckets; ++b) position += std::exchange(next[b], position);
    for (std::size_t i = 0; i != n; ++i) {
      const std::size_t d = Key::trusted ? digit(from[i]) : numbers_[begin + i];
      detail::relocate(from + i, to + next[d]++);
    }
    std::size_t done = 0;  // the begin of the next bucket
    try {
      for (std::size_t b = 0; b != buckets; ++b) {
        const std::size_t first = std::exchange(done, next[b]);
        if (first != done) sort_bucket(begin + first, begin + done, shift, !in_target);
      }
    } catch (...) {
      put_into_target(begin + done, end, !in_target);
      throw;
    }
  }

  void divide_in_parallel(std::size_t begin, std::size_t end, int bits, int width, bool in_target) {
    T* const from = here(in_target) + begin;
    const std::size_t n = end - begin;
    const std::size_t buckets = std::size_t{1} << width;
    const int shift = bits - width;
    const auto digit = [&](T& e) {
      return static_cast<std::size_t>(key_(e) >> shift) & (buckets - 1);
    };
    std::optional<distribution<T>> parts;
    try {
      parts.emplace(n, buckets);
    } catch (const std::bad_alloc&) {
      return divide(begin, end, bits, width, in_target);  // needs no memory
    }
    try {
      parts->count(fork_, from,
                   [&](T* block, std::size_t size, std::size_t first, std::size_t* counters) {
                     for (std::size_t i = 0; i != size; ++i) {
                       const std::size_t d = digit(block[i]);
                       if constexpr (!Key::trusted)
                         numbers_[begin + first + i] = static_cast<bucket_number>(d);
                       ++counters[d];
                     }
                   });
    } catch (...) {
      put_into_target(begin, end, in_target);
      throw;
    }
    parts->send(fork_, from, here(!in_target) + begin, [&](T& e, std::size_t i) {
      if constexpr (Key::trusted)
        return digit(e);
      else
        return static_cast<std::size_t>(numbers_[begin + i]);
    });
    const bucket_starts& starts = parts->starts();
    fork_buckets(fork_, starts, 0, buckets, distribution_block / 4,
                 [&](std::size_t first, std::size_t last) {
                   sort_buckets(begin, starts, first, last, shift, !in_target);
                 });
  }

  void sort_buckets(std::size_t begin, const bucket_starts& starts, std::size_t first,
                    std::size_t last, int bits, bool in_target) {
    std::size_t b = first;
    if (fork_.may_start()) {
      try {
        while (b != last) {
          const std::size_t from = begin + starts[b], to = begin + starts[b + 1];
          ++b;
          if (from != to) sort_bucket(from, to, bits, in_target);
        }
      } catch (...) {
        put_into_target(begin + starts[b], begin + starts[last], in_target);
        throw;
      }
    }
    put_into_target(begin + starts[b], begin + starts[last], in_target);
  }

  const Fork& fork_;
  Key key_;
  T* target_;
  T* scratch_;
  bucket_number* numbers_;
  std::size_t alone_;  // one thread divides up to this many elements
};

}  // namespace filch::detail
