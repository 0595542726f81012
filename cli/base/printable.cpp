#include "base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "filch/detail/base/utf8.hpp"

namespace filch::cli {
namespace {

/// Replaces each character of `text` by instead_of(character, bytes), also each byte that is not
/// part of a character.
template <class F>
std::string translated(std::string_view text, F instead_of) {
  std::string result;
  while (!text.empty()) {
    const detail::utf8_character c = detail::first_character(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(c.length, 1));
    result += instead_of(c, bytes);
    text.remove_prefix(bytes.size());
  }
  return result;
}

std::string_view shown(const detail::utf8_character& c, std::string_view bytes) {
  return c.length == 0 ? "\uFFFD" : detail::is_control(c.code) ? "?" : bytes;
}

}  // namespace

std::string printable(std::string_view text) { return translated(text, shown); }

std::string printable_lines(std::string_view text) {
  return translated(text, [](const detail::utf8_character& c, std::string_view bytes) {
    return bytes == "\n" ? bytes : shown(c, bytes);
  });
}

std::string printable_json(std::string_view text) {
  return translated(text, [](const detail::utf8_character& c, std::string_view bytes) {
    return c.code >= 0x7F && detail::is_control(c.code)
               ? fmt::format("\\u{:04x}", static_cast<unsigned>(c.code))
               : std::string(bytes);
  });
}

}  // namespace filch::cli
