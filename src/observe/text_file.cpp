// Writes JSON piece by piece.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "filch/detail/base/files.hpp"
#include "filch/detail/base/utf8.hpp"
#include "filch/detail/observe/trace_file.hpp"

namespace filch::detail {

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
    const auto [code, length] = first_character(text);
    if (length == 0) {
      *this << "\\ufffd";
    } else if (code == '"' || code == '\\') {
      *this << "\\" << text.substr(0, 1);
    } else if (is_control(code)) {
      std::array<char, 16> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(code));
      *this << escaped.data();
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
