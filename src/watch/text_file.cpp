// Writing JSON piece by piece.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "filch/detail/base/files.hpp"
#include "filch/detail/watch/trace_file.hpp"

namespace filch::detail {

namespace {

/// The length of the UTF-8 character that `text` begins with; 0 if that is none.
std::size_t character_at(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Too long for what they say, surrogates, beyond the last one.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
    return 0;
  return length;
}

}  // namespace

text_file& text_file::operator<<(std::string_view text) noexcept {
  while (!text.empty()) {
    if (used_ == buffer_.size()) (void)flush();
    const std::size_t part = std::min(text.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, text.data(), part);
    used_ += part;
    text.remove_prefix(part);
  }
  return *this;
}

text_file& text_file::operator<<(std::uint64_t number) noexcept {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

text_file& text_file::microseconds(std::uint64_t ns) noexcept {
  const auto part = static_cast<unsigned>(ns % 1000);
  const std::array<char, 4> decimals = {'.', static_cast<char>('0' + part / 100),
                                        static_cast<char>('0' + part / 10 % 10),
                                        static_cast<char>('0' + part % 10)};
  return *this << ns / 1000 << std::string_view(decimals.data(), decimals.size());
}

text_file& text_file::number(double value) noexcept {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

text_file& text_file::quoted(std::string_view text) noexcept {
  *this << "\"";
  while (!text.empty()) {
    const std::size_t length = character_at(text);
    const char c = text[0];
    if (length == 0) {
      *this << "\\ufffd";
    } else if (c == '"' || c == '\\') {
      *this << "\\" << text.substr(0, 1);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      *this << code.data();
    } else {
      *this << text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return *this << "\"";
}

std::error_code text_file::flush() noexcept {
  const std::size_t size = std::exchange(used_, 0);
  if (!error_) error_ = write_all(file_, buffer_.data(), size);
  return error_;
}

}  // namespace filch::detail
