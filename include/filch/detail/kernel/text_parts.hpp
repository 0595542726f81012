// The lines and words that begin within a part of a text.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace filch::detail {

/// The pieces between delimiters, as std::views::split defines them: one more than there are
/// delimiters. A piece belongs to the part of the text in which it begins, wherever it ends.
struct piece_splitter {
  char delimiter;

  /// Calls f(position, piece) for the pieces that begin in [from, to), in order.
  template <class F>
  void each(std::string_view text, std::size_t from, std::size_t to, F&& f) const {
    std::size_t begin = from;
    if (from != 0) {
      begin = text.substr(0, to).find(delimiter, from - 1);
      if (begin == std::string_view::npos || ++begin >= to) return;
    }
    for (;;) {
      const std::size_t end = std::min(text.find(delimiter, begin), text.size());
      f(begin, text.substr(begin, end - begin));
      if (end + 1 >= to) return;
      begin = end + 1;
    }
  }
  /// How many pieces begin in [from, to).
  std::size_t count(std::string_view text, std::size_t from, std::size_t to) const {
    const std::size_t first = from == 0 ? 0 : from - 1;
    const auto delimiters =
        std::count(text.begin() + static_cast<std::ptrdiff_t>(first),
                   text.begin() + static_cast<std::ptrdiff_t>(to - 1), delimiter);
    return static_cast<std::size_t>(delimiters) + (from == 0 ? 1 : 0);
  }
  /// The number of positions at which pieces can begin. A piece can begin behind a delimiter that
  /// is the last character.
  std::size_t begins(std::string_view text) const noexcept {
    return text.empty() ? 0 : text.size() + 1;
  }
};

/// Lines end with "\n" or "\r\n". The last one may end with the text.
struct line_splitter {
  template <class F>
  void each(std::string_view text, std::size_t from, std::size_t to, F&& f) const {
    piece_splitter{'\n'}.each(text, from, to, [&](std::size_t position, std::string_view line) {
      if (position + line.size() != text.size() && line.ends_with('\r')) line.remove_suffix(1);
      f(position, line);
    });
  }
  std::size_t count(std::string_view text, std::size_t from, std::size_t to) const {
    return piece_splitter{'\n'}.count(text, from, to);
  }
  /// No line begins behind the last character: a "\n" there ends a line and begins none.
  std::size_t begins(std::string_view text) const noexcept { return text.size(); }
};

/// Words are separated by white space: space, \t, \n, \v, \f, \r, in any locale.
struct word_splitter {
  template <class F>
  void each(std::string_view text, std::size_t from, std::size_t to, F&& f) const {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const char* const stop = begin + to;
    const char* i = begin + from;
    // Skips the rest of a word that began in an earlier part.
    if (from != 0 && !space(i[-1]))
      while (i != stop && !space(*i)) ++i;
    for (;;) {
      while (i != stop && space(*i)) ++i;
      if (i >= stop) return;
      const char* const word = i;
      while (i != end && !space(*i)) ++i;
      f(static_cast<std::size_t>(word - begin),
        std::string_view(word, static_cast<std::size_t>(i - word)));
      if (i >= stop) return;
    }
  }
  std::size_t count(std::string_view text, std::size_t from, std::size_t to) const {
    bool before = from == 0 || space(text[from - 1]);
    std::size_t words = 0;
    for (; from != to; ++from) {
      const bool here = space(text[from]);
      words += before && !here ? 1 : 0;
      before = here;
    }
    return words;
  }
  std::size_t begins(std::string_view text) const noexcept { return text.size(); }

  static bool space(char c) noexcept { return is_space[static_cast<unsigned char>(c)]; }

 private:
  static constexpr std::array<bool, 256> is_space = [] {
    std::array<bool, 256> table{};
    for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'})
      table[static_cast<unsigned char>(c)] = true;
    return table;
  }();
};

}  // namespace filch::detail
