// The items of the random chains: texts, pairs, and types that can only be moved. Chains and plain
// loops both identify an item by its text. So both treat it in the same way, whatever its type.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "filch/detail/chain/decayed.hpp"

namespace filch::test {

using number = std::int64_t;

/// A text in separate memory. It can be moved, but not copied. An object that was moved from says
/// so in its text. Instances are counted for all threads together, separately for each `Kind`.
template <int Kind>
class parcel {
 public:
  parcel() : parcel(std::string()) {}
  explicit parcel(std::string words) : words_(std::make_unique<std::string>(std::move(words))) {
    ++live_;
    ++made_;
  }
  parcel(parcel&& other) noexcept : words_(std::move(other.words_)) {
    ++live_;
    ++moves_;
  }
  parcel& operator=(parcel&& other) noexcept {
    words_ = std::move(other.words_);
    ++moves_;
    return *this;
  }
  ~parcel() {
    if (self_ != this) ++wrong_;
    self_ = nullptr;
    --live_;
  }

  std::string words() const { return words_ ? *words_ : "moved away"; }
  void add(std::string_view more) { *words_ += more; }
  friend bool operator<(const parcel& a, const parcel& b) { return a.words() < b.words(); }

  static number live() { return live_; }
  /// How many were made from a text, not from another parcel.
  static number made() { return made_; }
  static number moves() { return moves_; }
  /// Destructions of objects that were not alive.
  static number wrong_destructions() { return wrong_; }
  static void reset_counts() { made_ = moves_ = wrong_ = 0; }

 private:
  static inline std::atomic<number> live_ = 0, made_ = 0, moves_ = 0, wrong_ = 0;

  std::unique_ptr<std::string> words_;
  const parcel* volatile self_ = this;  // volatile: the write in the destructor must stay
};
/// What a chain owns, and what it makes at its end.
using gift = parcel<0>;
using ware = parcel<1>;

/// The text of an item: pairs and tuples as "(a,b)", numbers as such.
template <class T>
std::string text(const T& x) {
  if constexpr (std::convertible_to<const T&, std::string_view>) {
    return std::string(std::string_view(x));
  } else if constexpr (std::same_as<T, char>) {
    return std::string(1, x);
  } else if constexpr (std::integral<T>) {
    return std::to_string(x);
  } else if constexpr (requires { x.words(); }) {
    return x.words();
  } else {
    std::string all;
    std::apply([&](const auto&... half) { ((all += (all.empty() ? "(" : ",") + text(half)), ...); },
               x);
    return all + ")";
  }
}

/// The second half of the text of a pair.
inline std::string second_half(const std::string& pair) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    const char c = pair[i];
    if (depth == 1 && c == ',') {
      if (begin != 0) return pair.substr(begin, i - begin);  // of a tuple
      begin = i + 1;
    }
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
  }
  return pair.substr(begin, pair.size() - 1 - begin);
}

/// A pseudo-random number made from the text of an item.
inline std::uint32_t mixed(const std::string& text, number salt = 0) {
  std::uint32_t h = 2166136261u + static_cast<std::uint32_t>(salt);
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return h ^ (h >> 15);
}
inline constexpr auto text_of = [](const auto& x) { return text(x); };

/// An item as a value. It is moved out of what it refers to, if that is allowed.
inline constexpr auto kept = []<class I>(I&& x) {
  return filch::detail::decayed<I>(std::forward<I>(x));
};

// ---- what stages do, for both sides -------------------------------------------------------------

inline std::size_t size_of(number a) { return static_cast<std::size_t>(a); }
inline bool passes(const std::string& x, number a) { return mixed(x, a) % 3 != 0; }
inline bool together(const std::string& x, const std::string& y, number a) {
  return (mixed(x, a) + mixed(y, a)) % 4 != 0;
}
inline std::size_t inner_length(const std::string& x, number a) { return mixed(x, a) % 4; }
inline std::string marked(const std::string& x, number a) { return x + "'" + std::to_string(a); }
inline constexpr const char* updated = "+";

/// Texts that are too long for the small buffer of a std::string, all different.
inline std::string word(const char* of, std::size_t i) {
  return std::string(of) + "-with-a-long-name-" + std::to_string(i);
}
template <class Container>
Container words(const char* of, std::size_t n) {
  Container all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(typename Container::value_type(word(of, i)));
  return all;
}

/// The other range for zip() and chain().
inline constexpr std::size_t others_size = 300;
inline const std::vector<std::string>& others() {
  static const auto all = words<std::vector<std::string>>("another", others_size);
  return all;
}

/// A group of neighbours as one text.
inline constexpr auto joined = [](auto&& part) {
  std::string all = "[";
  for (auto&& x : part) all += text(x) + ";";
  return all + "]";
};

}  // namespace filch::test
