// Divides a text at lines or words.
#pragma once

#include "filch/detail/kernel/by_key.hpp"
#include "filch/detail/kernel/collect.hpp"
#include "filch/detail/kernel/text_parts.hpp"

namespace filch::detail {

/// The number of characters that are worth a fork: few, because a line may be expensive.
inline constexpr std::size_t least_text = 32;
/// The same for algorithms that only look at the characters.
inline constexpr std::size_t cheap_text = std::size_t{16} * 1024;

template <fork_policy Fork, class Splitter, class F>
void for_each_piece_with(const Fork& fork, const Splitter& splitter, std::string_view text, F& f,
                         const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    splitter.each(text, from, to,
                  [&](std::size_t, std::string_view piece) { std::invoke(f, piece); });
  };
  for_blocks(fork, splitter.begins(text), o, leaf, least_text);
}

template <fork_policy Fork, class Splitter>
std::vector<std::string_view> pieces_with(const Fork& fork, const Splitter& splitter,
                                          std::string_view text, const options& o) {
  const even_blocks blocks(fork, splitter.begins(text), grain_of(o, cheap_text));
  std::vector<std::size_t> before(blocks.count() + 1);
  options counting_pass = o;
  counting_pass.progress = {};
  for_each_block(fork, blocks, counting_pass, [&](std::size_t b, std::size_t from, std::size_t to) {
    before[b + 1] = splitter.count(text, from, to);
  });
  for (std::size_t b = 1; b <= blocks.count(); ++b) before[b] += before[b - 1];
  return detail::collect<std::string_view>(
      fork, blocks, o, [&](std::size_t b) { return before[b]; },
      [&](std::size_t, std::size_t from, std::size_t to, auto out) {
        splitter.each(text, from, to, [&](std::size_t, std::string_view piece) { *out++ = piece; });
      });
}

/// `Word` is a parameter so that only programs that count words compile it.
template <fork_policy Fork, class Word = std::string_view>
std::vector<std::pair<Word, std::size_t>> count_words_with(const Fork& fork, std::string_view text,
                                                           const options& o) {
  std::hash<Word> hash;
  std::equal_to<> equal;
  counting values;
  return by_key<Word, std::size_t, std::hash<Word>, std::equal_to<>, counting>(hash, equal, values)
      .run(fork, text.size(), 4 * worth_hashing, o,
           [&](std::size_t from, std::size_t to, auto&& sink) {
             word_splitter().each(text, from, to, sink);
           });
}

template <class Splitter, class F>
void for_each_piece_of(const Splitter& splitter, std::string_view text, F& f, const options& o) {
  launch(o, [&] { for_each_piece_with(parallel_fork{}, splitter, text, f, o); });
}

template <fork_policy Fork, class Splitter>
std::vector<std::string_view> pieces_of(const Splitter& splitter, std::string_view text,
                                        const options& o) {
  return launch(o, [&] { return pieces_with(Fork(), splitter, text, o); });
}

}  // namespace filch::detail
