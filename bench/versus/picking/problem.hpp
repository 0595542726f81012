// Loops whose results do not lie where their inputs do.
//
//   copy_if     of random 32-bit numbers those that are even, in order: half of them, so that no
//               branch predictor knows which. The size is the number of thousands.
//   histogram   how often each byte occurs in random bytes that favour some. In thousands, too.
//   word_count  how often each word occurs in a text of words whose frequencies are those of a
//               language (the k-th has 1/k of the first). The size is the number of thousand words.
//
// All memory is allocated before the time begins, also for results whose size is known. `serial`
// and `openmp` are what a programmer would write by hand; none of the programs uses intrinsics.
// Word counts go to std::unordered_map where the runtime has no table of its own. Rayon copies to a
// new vector, as its users do, because it cannot copy to an existing one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace picking {

inline std::size_t thousands(int size) {
  return std::size_t{1000} * static_cast<std::size_t>(size);
}

class random_numbers {
 public:
  std::uint32_t next() {
    x_ ^= x_ << 13;
    x_ ^= x_ >> 17;
    x_ ^= x_ << 5;
    return x_;
  }

 private:
  std::uint32_t x_ = 2'463'534'242;
};

// ---- copy_if -----------------------------------------------------------------------------------

/// Not a plain function: code that gets a function pointer calls it for every element.
inline constexpr auto is_even = [](std::uint32_t x) { return x % 2 == 0; };

struct numbers {
  std::vector<std::uint32_t> in;
  std::vector<std::uint32_t> out;
  std::size_t copied = 0;  // what is to be found out, with `out`

  explicit numbers(int size) : in(thousands(size)), out(in.size()) {
    random_numbers random;
    for (std::uint32_t& x : in) x = random.next();
  }
  bool correct() const {
    std::size_t k = 0;
    for (const std::uint32_t x : in)
      if (is_even(x) && (k >= copied || out[k++] != x)) return false;
    return k == copied;
  }
};

/// Copies without a branch: writes every element, and advances if it is one to keep. There is room
/// for one more than are kept, or `last` is the end of all.
inline std::uint32_t* copy_even(const std::uint32_t* first, const std::uint32_t* last,
                                std::uint32_t* out) {
  for (; first != last; ++first) {
    *out = *first;
    out += is_even(*first) ? 1 : 0;
  }
  return out;
}
inline std::size_t count_even(const std::uint32_t* first, const std::uint32_t* last) {
  std::size_t count = 0;
  for (; first != last; ++first) count += is_even(*first) ? 1 : 0;
  return count;
}

// ---- histogram ---------------------------------------------------------------------------------

using table = std::array<std::size_t, 256>;

struct bytes {
  std::vector<std::uint8_t> in;
  table counts{};  // what is to be found out

  explicit bytes(int size) : in(thousands(size)) {
    random_numbers random;
    for (std::uint8_t& x : in) {
      const std::uint32_t r = random.next();
      x = static_cast<std::uint8_t>(r & r >> 8);
    }
  }
  bool correct() const {
    table expected{};
    for (const std::uint8_t x : in) ++expected[x];
    return counts == expected;
  }
};

// ---- word_count --------------------------------------------------------------------------------

using word_table = std::unordered_map<std::string_view, std::size_t>;

struct text {
  std::string in;
  std::size_t words;
  std::vector<std::pair<std::string_view, std::size_t>> found = {};  // in any order

  explicit text(int size) : words(thousands(size)) {
    constexpr std::size_t different = 20'000;
    std::vector<std::uint32_t> chances;  // word k is meant by numbers below chances[k]
    double sum = 0;
    for (std::size_t k = 0; k < different; ++k) sum += 1.0 / static_cast<double>(k + 1);
    double so_far = 0;
    for (std::size_t k = 0; k < different; ++k) {
      so_far += 1.0 / static_cast<double>(k + 1);
      chances.push_back(static_cast<std::uint32_t>(4294967295.0 * std::min(so_far / sum, 1.0)));
    }
    random_numbers random;
    for (std::size_t i = 0; i < words; ++i) {
      const auto k = std::lower_bound(chances.begin(), chances.end(), random.next());
      in += name_of(static_cast<std::size_t>(k - chances.begin()));
      in += i % 12 == 11 ? '\n' : ' ';
    }
  }
  bool correct() const {
    std::size_t sum = 0;
    for (const auto& [word, times] : found) sum += times;
    return sum == words && found.size() == expected().size() && same_as_expected();
  }

 private:
  /// Frequent words are short, as in a language.
  static std::string name_of(std::size_t k) {
    std::string name;
    for (k += 3; k != 0; k /= 20) name += static_cast<char>('a' + k % 20);
    return name;
  }
  const word_table& expected() const {
    if (expected_.empty()) {
      std::size_t begin = 0;
      for (std::size_t i = 0; i < in.size(); ++i)
        if (in[i] == ' ' || in[i] == '\n') {
          ++expected_[std::string_view(in).substr(begin, i - begin)];
          begin = i + 1;
        }
    }
    return expected_;
  }
  bool same_as_expected() const {
    return std::all_of(found.begin(), found.end(), [&](const auto& entry) {
      const auto known = expected().find(entry.first);
      return known != expected().end() && known->second == entry.second;
    });
  }
  mutable word_table expected_ = {};
};

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Counts the words that begin in [from, to) of `all`.
inline void count_words(std::string_view all, std::size_t from, std::size_t to,
                        word_table& counts) {
  if (from != 0 && !is_space(all[from - 1]))
    while (from < to && !is_space(all[from])) ++from;
  while (from < to) {
    if (is_space(all[from])) {
      ++from;
      continue;
    }
    std::size_t end = from;
    while (end < all.size() && !is_space(all[end])) ++end;
    ++counts[all.substr(from, end - from)];
    from = end;
  }
}

// ---- sizes -------------------------------------------------------------------------------------

inline constexpr bench::problem copy_if{"copy_if", {.full = 100'000, .quick = 20'000, .tiny = 10}};
inline constexpr bench::problem histogram{"histogram",
                                          {.full = 100'000, .quick = 20'000, .tiny = 10}};
inline constexpr bench::problem word_count{"word_count",
                                           {.full = 10'000, .quick = 2'000, .tiny = 10}};

}  // namespace picking
