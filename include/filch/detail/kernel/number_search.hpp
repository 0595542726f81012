// Finds the best of numbers in memory: the smallest or the largest, the first or the last of them.
#pragma once

#include "filch/detail/kernel/lanes.hpp"
#include "filch/detail/kernel/scanners.hpp"

namespace filch::detail {

/// Which of several equal elements is the result.
enum class tie : unsigned char { first, last };

/// How many bytes the processor compares at once.
#if defined(__AVX512BW__)
inline constexpr std::size_t bytes_compared = 64;
#elif defined(__AVX2__)
inline constexpr std::size_t bytes_compared = 32;
#else
inline constexpr std::size_t bytes_compared = 16;
#endif

/// The widest integers that are compared as vectors. SSE2 compares no integers of 8 bytes; what
/// compilers make instead takes longer than one comparison after the other.
#if defined(__x86_64__) && !defined(__SSE4_2__)
inline constexpr std::size_t widest_compared = 4;
#else
inline constexpr std::size_t widest_compared = 8;
#endif

template <class T>
concept compared_as_vectors = std::same_as<T, float> || std::same_as<T, double> ||
    (std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= widest_compared);

/// A number of the same values that can be in a vector.
template <class T>
struct compared_number
    : std::conditional<std::is_signed_v<T>, std::make_signed<T>, std::make_unsigned<T>>::type {};
template <std::floating_point T>
struct compared_number<T> : std::type_identity<T> {};
template <class T>
using compared_vector [[gnu::vector_size(bytes_compared)]] = typename compared_number<T>::type;
/// The results of such a comparison. g++ -O2 combines masks of 8-byte numbers one by one, unless
/// they are mere bits.
using compared_bits [[gnu::vector_size(bytes_compared)]] = std::uint64_t;

/// Is asks(x, y...) true for one of the `Count` numbers x from `p` on? It compares numbers, or
/// vectors of numbers. Vectors are written out, because compilers vectorise this loop only with
/// some flags.
template <std::size_t Count, class Asks, class T, std::same_as<T>... Y>
[[gnu::always_inline]] inline bool some_number(const Asks& asks, const T* p, Y... y) {
  if constexpr (compared_as_vectors<T>) {
    using vector = compared_vector<T>;
    constexpr std::size_t width = bytes_compared / sizeof(T);
    static_assert(Count % (4 * width) == 0);
    const auto at = [&](std::size_t i) __attribute__((always_inline)) {
      vector xs;
      std::memcpy(&xs, p + i, sizeof xs);
      return std::bit_cast<compared_bits>(
          asks(xs, (vector{} + static_cast<typename compared_number<T>::type>(y))...));
    };
    compared_bits some = at(0) | at(width) | at(2 * width) | at(3 * width);
    for (std::size_t i = 4 * width; i != Count; i += 4 * width)
      some |= (at(i) | at(i + width)) | (at(i + 2 * width) | at(i + 3 * width));
    std::uint64_t any = 0;
    for (std::size_t k = 0; k != bytes_compared / 8; ++k) any |= some[k];
    return any != 0;
  } else {
#pragma GCC unroll 4
    for (std::size_t i = 0; i != Count; ++i)
      if (asks(p[i], y...)) return true;
    return false;
  }
}

/// The best of `best` and the numbers in [from, to). A NaN is better than no number, and no number
/// is better than a NaN. Of a positive and a negative zero, either may be the result.
template <class T, class Better>
[[gnu::always_inline]] inline T best_number(const T* p, std::size_t from, std::size_t to, T best,
                                            const Better& better) {
#if defined(__clang__)
  if constexpr (!compared_as_vectors<T>) {
#pragma clang loop vectorize(disable)
    for (; from != to; ++from) best = better(p[from], best) ? p[from] : best;
    return best;
  }
#endif
  return detail::fold_numbers_from<T>(
      best, [&](T a, T b) { return better(b, a) ? b : a; }, [p](std::size_t i) { return p[i]; },
      from, to);
}

/// Finds the smallest (or largest) number, the same as if the numbers were compared one after the
/// other. It asks of each block whether a number there replaces the best one so far. Few blocks
/// have one. Of such a block it computes the best number. Where that number is, it asks only at the
/// end, so that many equal numbers cost nothing.
///
/// Where the last of equal numbers is wanted, a NaN replaces any number, and any number replaces a
/// NaN: a block that has a NaN is then compared number by number.
template <bool Largest, tie Tie, class T>
class number_search {
 public:
  /// Looks for a number that replaces `top`.
  number_search(const T* p, T top) noexcept : p_(p), top_(top) {}

  /// Takes the numbers in [from, to), which lie behind all that it has taken.
  void take(std::size_t from, std::size_t to) {
    for (; to - from >= block; from += block) {
      if (!detail::some_number<block>(asks_replaced{}, p_ + from, top_)) continue;
      if (Tie == tie::last && detail::some_number<block>(is_nan{}, p_ + from)) {
        one_by_one(from, from + block);
      } else {
        top_ = detail::best_number(p_, from, from + block, top_, is_better{});
        found_ = from;
        in_block_ = true;
      }
    }
    one_by_one(from, to);
  }
  /// The index of the number that has replaced all others; `none` if `top` is still the best one.
  std::size_t found(std::size_t none) const noexcept {
    if (found_ == nothing) return none;
    if (!in_block_) return found_;
    if constexpr (Tie == tie::first)
      return static_cast<std::size_t>(std::find(p_ + found_, p_ + found_ + block, top_) - p_);
    std::size_t i = found_ + block - 1;
    while (p_[i] != top_) --i;
    return i;
  }

  /// Does `x` replace `top`? For numbers, and for vectors of them.
  struct asks_replaced {
    template <class X>
    [[gnu::always_inline]] auto operator()(const X& x, const X& top) const noexcept {
      if constexpr (Tie == tie::first)
        return Largest ? top < x : x < top;
      else if constexpr (std::is_arithmetic_v<X>)
        return !(Largest ? x < top : top < x);
      else
        return ~(Largest ? x < top : top < x);
    }
  };

  const T* numbers() const noexcept { return p_; }
  T top() const noexcept { return top_; }

  /// So many numbers are compared without a branch for each.
  static constexpr std::size_t block = 1024 / sizeof(T);

 private:
  static constexpr std::size_t nothing = ~std::size_t{0};

  struct is_better {
    bool operator()(T a, T b) const noexcept { return Largest ? b < a : a < b; }
  };
  struct is_nan {
    template <class X>
    [[gnu::always_inline]] auto operator()(const X& x) const noexcept {
      return x != x;  // NOLINT(misc-redundant-expression): true of a NaN
    }
  };

  void one_by_one(std::size_t from, std::size_t to) noexcept {
    for (; from < to; ++from) {
      if (!asks_replaced{}(p_[from], top_)) continue;
      top_ = p_[from];
      found_ = from;
      in_block_ = false;
    }
  }

  const T* const p_;
  T top_;
  std::size_t found_ = nothing;  // where the best number is, or where the block begins that has it
  bool in_block_ = false;
};

/// Does one of two searches take `x`?
template <class First, class Second>
struct asks_both {
  template <class X>
  [[gnu::always_inline]] auto operator()(const X& x, const X& a, const X& b) const noexcept {
    const typename First::asks_replaced first;
    const typename Second::asks_replaced second;
    if constexpr (std::is_arithmetic_v<X>)
      return first(x, a) || second(x, b);
    else
      return std::bit_cast<compared_bits>(first(x, a)) | std::bit_cast<compared_bits>(second(x, b));
  }
};

/// Two searches take the same numbers. Most blocks are read once.
template <bool Largest1, tie Tie1, bool Largest2, tie Tie2, class T>
void take_both(number_search<Largest1, Tie1, T>& a, number_search<Largest2, Tie2, T>& b,
               std::size_t from, std::size_t to) {
  constexpr std::size_t block = number_search<Largest1, Tie1, T>::block;
  constexpr asks_both<number_search<Largest1, Tie1, T>, number_search<Largest2, Tie2, T>> asks;
  const T* const p = a.numbers();
  for (; to - from >= block; from += block) {
    if (!detail::some_number<block>(asks, p + from, a.top(), b.top())) continue;
    a.take(from, from + block);
    b.take(from, from + block);
  }
  a.take(from, to);
  b.take(from, to);
}

}  // namespace filch::detail
