#include "filch/algorithm/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/any_fork_policy.hpp"
#include "support/sizes.hpp"

using namespace filch::detail;

namespace {

using views = std::vector<std::string_view>;

class text_on : public filch::test::on_any_fork {
 protected:
  /// Random characters from `letters`.
  std::string text(std::size_t n, std::string_view letters) {
    std::string s(n, ' ');
    for (char& c : s) c = letters[random().bounded(static_cast<std::uint32_t>(letters.size()))];
    return s;
  }
  /// The calls of for_each_..., in the order of the text.
  template <class Splitter>
  views called(const auto& fork, const Splitter& splitter, std::string_view t) {
    std::mutex mutex;
    views all;
    auto f = [&](std::string_view piece) {
      const std::scoped_lock lock(mutex);
      all.push_back(piece);
    };
    for_each_piece_with(fork, splitter, t, f, {});
    std::sort(all.begin(), all.end(), [](std::string_view a, std::string_view b) {
      return a.data() != b.data() ? a.data() < b.data() : a.size() < b.size();
    });
    return all;
  }
};
FILCH_TEST_ON_EVERY_FORK(text_on);

views pieces_by_hand(std::string_view text, char delimiter) {
  views all;
  if (text.empty()) return all;
  for (;;) {
    const std::size_t end = text.find(delimiter);
    all.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return all;
    text.remove_prefix(end + 1);
  }
}

views lines_by_hand(std::string_view text) {
  views all = pieces_by_hand(text, '\n');
  if (text.ends_with('\n')) all.pop_back();
  for (auto& line : all)
    if (line.data() + line.size() != text.data() + text.size() && line.ends_with('\r'))
      line.remove_suffix(1);
  return all;
}

views words_by_hand(std::string_view text) {
  views all;
  constexpr std::string_view spaces = " \t\n\v\f\r";
  for (std::size_t i = 0;;) {
    i = text.find_first_not_of(spaces, i);
    if (i == std::string_view::npos) return all;
    const std::size_t end = std::min(text.find_first_of(spaces, i), text.size());
    all.push_back(text.substr(i, end - i));
    i = end;
  }
}

TEST_P(text_on, pieces_lines_and_words_are_those_found_by_hand) {
  auto sizes = filch::test::sizes(2000);
  sizes.insert(sizes.end(), {16'385, 40'000, 70'001});
  for (const std::size_t n : sizes)
    for (const std::string_view letters :
         {"a", "\n", "ab \n", "\r\n", "aaaaaaa\r\n", "x\t\v y\f"}) {
      const std::string t = text(n, letters);
      run([&](const auto& fork) {
        ASSERT_EQ(pieces_with(fork, piece_splitter{'\n'}, t, {}), pieces_by_hand(t, '\n'));
        ASSERT_EQ(pieces_with(fork, line_splitter(), t, {}), lines_by_hand(t));
        ASSERT_EQ(pieces_with(fork, word_splitter(), t, {}), words_by_hand(t));
        if (n > 5000) return;
        ASSERT_EQ(called(fork, piece_splitter{'\n'}, t), pieces_by_hand(t, '\n'));
        ASSERT_EQ(called(fork, line_splitter(), t), lines_by_hand(t));
        ASSERT_EQ(called(fork, word_splitter(), t), words_by_hand(t));
      });
    }
}

TEST_P(text_on, counts_words_in_the_order_of_first_appearance) {
  for (const std::size_t n : filch::test::sizes(10'000)) {
    const std::string t = text(n, "abc  \n");
    std::vector<std::pair<std::string_view, std::size_t>> expected;
    std::map<std::string_view, std::size_t> positions;
    for (const std::string_view word : words_by_hand(t)) {
      const auto [position, is_new] = positions.try_emplace(word, expected.size());
      if (is_new) expected.emplace_back(word, 0);
      ++expected[position->second].second;
    }
    run([&](const auto& fork) { ASSERT_EQ(count_words_with(fork, t, {}), expected); });
  }
}

TEST_P(text_on, throws_what_the_first_line_that_threw_has_thrown) {
  std::string t;
  for (int i = 0; i < 2000; ++i) t += std::to_string(i) + '\n';
  std::mutex mutex;
  std::vector<int> thrown;
  run([&](const auto& fork) {
    auto f = [&](std::string_view line) {
      if (!line.ends_with("77")) return;
      const std::scoped_lock lock(mutex);
      thrown.push_back(std::stoi(std::string(line)));
      throw thrown.back();
    };
    try {
      for_each_piece_with(fork, line_splitter(), t, f, {});
      ADD_FAILURE();
    } catch (int line) {
      EXPECT_EQ(line, *std::min_element(thrown.begin(), thrown.end()));
    }
  });
}

TEST(text, an_empty_line_is_a_line_but_behind_the_last_end_there_is_none) {
  EXPECT_EQ(filch::lines("a\n\nb\n"), (views{"a", "", "b"}));
  EXPECT_EQ(filch::lines("a\r\n\r\nb\r"), (views{"a", "", "b\r"}));
  EXPECT_EQ(filch::lines("\n"), (views{""}));
  EXPECT_TRUE(filch::lines("").empty());
}

TEST(text, pieces_are_one_more_than_delimiters) {
  EXPECT_EQ(filch::pieces("a,,b,", ','), (views{"a", "", "b", ""}));
  EXPECT_EQ(filch::pieces(",", ',', {.grain = 1}), (views{"", ""}));
  EXPECT_TRUE(filch::pieces("", ',').empty());
  int count = 0;
  filch::for_each_piece("abc", ',', [&](std::string_view) { ++count; });
  EXPECT_EQ(count, 1);
}

TEST(text, words_are_never_empty_and_know_nothing_of_locales) {
  EXPECT_EQ(filch::words("  two\xa0words \n here"), (views{"two\xa0words", "here"}));
  EXPECT_TRUE(filch::words(" \n ").empty());
  EXPECT_EQ(filch::count_words("a b a")[0], std::pair(std::string_view("a"), std::size_t{2}));
  int words = 0, lines = 0;
  filch::for_each_word("a b", [&](std::string_view) { ++words; }, {.grain = 100});
  filch::for_each_line("a b", [&](std::string_view) { ++lines; }, {.grain = 100});
  EXPECT_EQ(words, 2);
  EXPECT_EQ(lines, 1);
}

}  // namespace
