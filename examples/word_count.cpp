// Counts the words of a file, and shows the most frequent ones.
//
//     example_word_count FILE [HOW_MANY]
//
// Without arguments it counts the words of a text that it makes itself, and checks the result.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "filch/algorithm/text.hpp"

namespace {

using word_counts = std::vector<std::pair<std::string_view, std::size_t>>;

/// Returns the most frequent first; words that occur equally often are in the order of the text.
word_counts most_frequent(std::string_view text) {
  word_counts counts = filch::count_words(text);
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return counts;
}

void print(const word_counts& counts, std::size_t how_many) {
  std::size_t total = 0;
  for (const auto& [word, times] : counts) total += times;
  std::printf("%zu words, %zu different ones\n", total, counts.size());
  for (std::size_t i = 0; i < std::min(how_many, counts.size()); ++i)
    std::printf("%10zu  %.*s\n", counts[i].second, static_cast<int>(counts[i].first.size()),
                counts[i].first.data());
}

std::optional<std::string> contents_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return std::nullopt;
  return text;
}

/// Checks a text with "word0" once, "word1" twice, and so on, in mixed order.
int check() {
  std::string text;
  for (int round = 100; round > 0; --round)
    for (int i = 99; i >= 100 - round; --i)
      text += "word" + std::to_string(i) + (i % 7 ? " " : "\n");
  const word_counts counts = most_frequent(text);
  print(counts, 3);
  bool right = counts.size() == 100;
  for (std::size_t i = 0; i < counts.size(); ++i)
    right =
        right && counts[i].second == 100 - i && counts[i].first == "word" + std::to_string(99 - i);
  if (!right) std::fprintf(stderr, "these counts are WRONG\n");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 1) return check();
  std::size_t how_many = 10;
  if (argc == 3) {
    const char* const end = argv[2] + std::strlen(argv[2]);
    const auto [rest, error] = std::from_chars(argv[2], end, how_many);
    if (error != std::errc() || rest != end) {
      std::fprintf(stderr, "word_count: '%s' is not a number of words to show\n", argv[2]);
      return 2;
    }
  } else if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE [HOW_MANY]\n", argv[0]);
    return 2;
  }
  const auto text = contents_of(argv[1]);
  if (!text) {
    std::fprintf(stderr, "word_count: cannot read '%s': %s\n", argv[1], std::strerror(errno));
    return 1;
  }
  print(most_frequent(*text), how_many);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "word_count: %s\n", e.what());
  return 1;
}
