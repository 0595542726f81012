#include "terminal/style.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "filch/detail/base/environment_variable.hpp"

namespace filch::cli {
namespace {

const char* code_of(style how) {
  switch (how) {
    case style::plain:
      return "0";
    case style::bold:
      return "1";
    case style::dim:
      return "2";
    case style::good:
      return "32";
    case style::bad:
      return "31";
    case style::accent:
      return "36";
  }
  return "0";
}

/// The length of the escape code at the begin of `text`; 0 if there is none.
std::size_t escape_length(std::string_view text) noexcept {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t end = 2;
  while (end < text.size() && !(text[end] >= '@' && text[end] <= '~')) ++end;
  return end < text.size() ? end + 1 : text.size();
}

/// Is this byte a continuation of a UTF-8 character?
bool continues(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

}  // namespace

bool is_terminal(int descriptor) noexcept {
  const char* const term = detail::environment_variable("TERM");
  return isatty(descriptor) == 1 && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

bool colours_wanted() noexcept {
  const char* const no = detail::environment_variable("NO_COLOR");
  return is_terminal(STDOUT_FILENO) && (no == nullptr || *no == '\0');
}

std::string styled(std::string_view text, style how, bool on) {
  if (!on || how == style::plain) return std::string(text);
  return std::string("\x1b[") + code_of(how) + "m" + std::string(text) + "\x1b[0m";
}

std::size_t width_of(std::string_view text) noexcept {
  std::size_t columns = 0;
  while (!text.empty()) {
    if (const std::size_t length = escape_length(text); length != 0) {
      text.remove_prefix(length);
      continue;
    }
    if (!continues(text[0])) ++columns;
    text.remove_prefix(1);
  }
  return columns;
}

std::string cut_to(std::string_view text, std::size_t columns) {
  std::string kept;
  std::size_t taken = 0;
  while (!text.empty()) {
    if (const std::size_t length = escape_length(text); length != 0) {
      kept += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    if (!continues(text[0])) ++taken;
    if (taken <= columns) kept += text[0];
    text.remove_prefix(1);
  }
  return kept;
}

}  // namespace filch::cli
