// Characters of a text that may not be UTF-8, and may contain commands for a terminal.
#pragma once

#include <cstddef>
#include <string_view>

namespace filch::detail {

struct utf8_character {
  char32_t code = 0;
  std::size_t length = 0;  ///< bytes; 0: this is no character
};

/// The character that `text`, which is not empty, begins with.
constexpr utf8_character first_character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  char32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (too_long || surrogate || code > 0x10FFFF) return {};
  return {code, length};
}

/// Is it a command to a terminal (C0, DEL, C1), or one that puts the text after it in another order
/// (embeddings, overrides and isolates of the bidirectional algorithm), beyond the end of a name?
constexpr bool is_control(char32_t code) noexcept {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace filch::detail
