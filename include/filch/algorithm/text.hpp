// Lines, words and other pieces of a text.
#pragma once

#include "filch/detail/kernel/text.hpp"

namespace filch {

/// Calls f(line) for every line of `text`, several at once. A line is a std::string_view into the
/// text, without its line end. Rayon: par_lines.
///
/// How      A line ends with "\n" or "\r\n"; the last one may also end with the text. As with
///          std::getline, an empty line is a line, but there is none behind the last "\n":
///          "a\n\nb\n" has the lines "a", "" and "b", and an empty text has none. The text is
///          divided by its characters: a part has the lines that begin in it. Within a part, lines
///          come in their order.
/// Options, Throws, Threads, Memory, Cost  as parallel_for(); its numbers are the characters. If
///          several calls throw, the exception of the first line in the text is thrown.
///
///     filch::for_each_line(log, [&](std::string_view line) { errors += is_error(line); });
template <std::invocable<std::string_view> F>
void for_each_line(std::string_view text, F&& f, const options& o = {}) {
  detail::for_each_piece_of(detail::line_splitter(), text, f, o);
}

/// Calls f(word) for every word of `text`, several at once. Words are separated by white space
/// (space, \t, \n, \v, \f, \r, in any locale), and are never empty. Rayon:
/// par_split_ascii_whitespace. Otherwise like for_each_line().
template <std::invocable<std::string_view> F>
void for_each_word(std::string_view text, F&& f, const options& o = {}) {
  detail::for_each_piece_of(detail::word_splitter(), text, f, o);
}

/// Calls f(piece) for every piece of `text` between two delimiters, several at once. The pieces are
/// those of std::views::split: a text with n delimiters has n + 1 pieces, some of which may be
/// empty, but an empty text has none. Rayon: par_split. Otherwise like for_each_line().
template <std::invocable<std::string_view> F>
void for_each_piece(std::string_view text, char delimiter, F&& f, const options& o = {}) {
  detail::for_each_piece_of(detail::piece_splitter{delimiter}, text, f, o);
}

// What follows are templates only so that programs that do not call them need not compile them.

/// Returns the lines of `text`, in order, as views into it. for_each_line() defines a line.
///
/// How      The text is read twice: once to count, once to write.
/// Options, Threads, Memory  as parallel_for().
/// Throws   `cancelled` if it was asked to stop; `std::bad_alloc`.
///
///     const auto lines = filch::lines(file);
template <class Fork = detail::parallel_fork>
[[nodiscard]] std::vector<std::string_view> lines(std::string_view text, const options& o = {}) {
  return detail::pieces_of<Fork>(detail::line_splitter(), text, o);
}

/// Returns the words of `text`, in order: see for_each_word(). Otherwise like lines().
template <class Fork = detail::parallel_fork>
[[nodiscard]] std::vector<std::string_view> words(std::string_view text, const options& o = {}) {
  return detail::pieces_of<Fork>(detail::word_splitter(), text, o);
}

/// Returns the pieces of `text` between delimiters, in order: see for_each_piece(). Otherwise like
/// lines().
template <class Fork = detail::parallel_fork>
[[nodiscard]] std::vector<std::string_view> pieces(std::string_view text, char delimiter,
                                                   const options& o = {}) {
  return detail::pieces_of<Fork>(detail::piece_splitter{delimiter}, text, o);
}

/// Counts how often each word of `text` occurs. The words are in the order of their first
/// occurrence. It is count_by_key() of words(), without a vector of all words.
///
///     for (const auto& [word, times] : filch::count_words(text)) ...
template <class Fork = detail::parallel_fork>
[[nodiscard]] std::vector<std::pair<std::string_view, std::size_t>> count_words(
    std::string_view text, const options& o = {}) {
  return detail::launch(o, [&] { return detail::count_words_with(Fork(), text, o); });
}

}  // namespace filch
