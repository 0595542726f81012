#include "base/printable.hpp"

#include <gtest/gtest.h>

#include <string>

#include "filch/detail/base/utf8.hpp"

using filch::cli::printable;
using filch::cli::printable_json;
using filch::detail::first_character;

namespace {

/// The bytes of a character, by the rules of UTF-8.
std::string bytes_of(char32_t c) {
  const auto low = [](char32_t bits) { return static_cast<char>(0x80U | (bits & 0x3FU)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0U | c >> 6U), low(c)};
  if (c < 0x10000) return {static_cast<char>(0xE0U | c >> 12U), low(c >> 6U), low(c)};
  return {static_cast<char>(0xF0U | c >> 18U), low(c >> 12U), low(c >> 6U), low(c)};
}

}  // namespace

TEST(cli_printable, a_character_is_itself_or_none_that_a_terminal_obeys) {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 0x1F) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string bytes = bytes_of(c);
    ASSERT_EQ(first_character(bytes).code, c);
    ASSERT_EQ(first_character(bytes).length, bytes.size());
    const bool c0 = c < 0x20, c1 = c >= 0x7F && c < 0xA0;
    const bool order = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    ASSERT_EQ(printable(bytes), c0 || c1 || order ? "?" : bytes) << static_cast<unsigned>(c);
  }
}

TEST(cli_printable, a_byte_that_is_no_character_never_reaches_the_terminal) {
  for (int byte = 0x80; byte <= 0xFF; ++byte)
    EXPECT_EQ(printable(std::string{static_cast<char>(byte), '['}), "\uFFFD[") << byte;
  for (const char* wrong : {"\xC0\x80", "\xC1\xBF", "\xED\xA0\x80", "\xE0\x80\x9B",
                            "\xF0\x80\x80\x9B", "\xF4\x90\x80\x80", "\xE2\x80", "\xF1\x80\x80"}) {
    std::string shown;
    for (std::size_t i = 0; wrong[i] != '\0'; ++i) shown += "\uFFFD";
    EXPECT_EQ(printable(wrong), shown);
  }
  EXPECT_EQ(printable(""), "");
}

TEST(cli_printable, of_several_lines_the_ends_stay) {
  EXPECT_EQ(filch::cli::printable_lines("a\n\rb\x1b\n"), "a\n?b?\n");
  EXPECT_EQ(printable("a\nb"), "a?b");
}

TEST(cli_printable, json_is_the_same_value_without_controls) {
  EXPECT_EQ(printable_json("{\n  \"a\": \"\xC2\x9B\x7F\u202E\u00e9\"\n}"),
            "{\n  \"a\": \"\\u009b\\u007f\\u202e\u00e9\"\n}");
}
