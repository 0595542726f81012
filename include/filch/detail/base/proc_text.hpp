// A file of /proc, as text.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace filch::detail {

/// The first bytes of a file of /proc; nothing if it cannot be read.
class proc_text {
 public:
  explicit proc_text(const char* path) noexcept {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t length = ::read(file, text_.data(), text_.size());
    if (length > 0) length_ = static_cast<std::size_t>(length);
    ::close(file);
  }
  std::string_view text() const noexcept { return {text_.data(), length_}; }

  /// Field `number` of a line of stat, from 3 on. The second field is a name in parentheses, which
  /// may contain any character. Empty if there is no such field.
  std::string_view stat_field(int number) const noexcept {
    const std::size_t name_end = text().rfind(')');
    if (name_end == std::string_view::npos) return {};
    std::string_view rest = text().substr(name_end + 1);  // " S 1 ...": a space before the third
    for (int field = 3; field <= number; ++field) {
      const std::size_t space = rest.find(' ');
      if (space == rest.npos) return {};
      rest.remove_prefix(space + 1);
    }
    return rest.substr(0, rest.find(' '));
  }

 private:
  std::array<char, 1024> text_;  // a line of stat has 52 numbers and a short name
  std::size_t length_ = 0;
};

}  // namespace filch::detail
