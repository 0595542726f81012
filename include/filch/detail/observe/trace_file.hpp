// The file that a trace writes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "filch/detail/observe/recording.hpp"

namespace filch::detail {

/// Writes text to a file through a buffer. After the first error it drops everything.
class text_file {
 public:
  /// `file` is a descriptor, which the caller keeps.
  explicit text_file(int file) noexcept : file_(file) {}

  text_file& operator<<(std::string_view text) noexcept;
  text_file& operator<<(std::uint64_t number) noexcept;
  /// Writes a JSON string with control characters escaped, so that a terminal can show the file.
  /// Bytes that are not UTF-8 become U+FFFD.
  text_file& quoted(std::string_view text) noexcept;
  /// Writes nanoseconds as microseconds with three decimals.
  text_file& microseconds(std::uint64_t ns) noexcept;
  /// `value` is finite.
  text_file& number(double value) noexcept;

  /// Writes the rest of the buffer. Returns the first error.
  std::error_code flush() noexcept;

 private:
  int file_;
  std::error_code error_;
  std::size_t used_ = 0;
  std::array<char, std::size_t{1} << 16> buffer_;
};

/// Writes `record` as Chrome trace JSON. Throws `std::bad_alloc`.
std::error_code write_trace(int file, const trace_record& record);

}  // namespace filch::detail
