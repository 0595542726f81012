// Files of the system: one that is written, and one that other processes map.
//
// The implementation is src/base/files_<system>.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <system_error>

namespace filch::detail {

/// A descriptor of a new file, or of an old one that is emptied, which programs started from here
/// do not inherit. -1 if there is none; then `error` says why: a FIFO that nobody reads is
/// no_such_device_or_address.
int create_file(const std::string& path, std::error_code& error) noexcept;
/// Writes all of it, in as many pieces as it takes. No error raises a signal.
std::error_code write_all(int file, const char* text, std::size_t size) noexcept;
std::error_code close_file(int file) noexcept;

/// What an error of these functions means, in words. `message()` of the error says the same, but
/// allocates.
class error_text {
 public:
  explicit error_text(std::error_code error) noexcept;
  error_text(const error_text&) = delete;
  error_text& operator=(const error_text&) = delete;
  const char* c_str() const noexcept { return text_; }

 private:
  std::array<char, 128> room_;
  const char* text_;  // there, or a constant of the system
};

/// A new file of zeros in memory that other processes of this user can map, and nobody else can
/// read. Its name is gone at the end; whoever has mapped it keeps what was written last.
class shared_file {
 public:
  /// What a process left behind under that name is removed, if it is a file of this user. All of it
  /// is allotted: a full disk says so now, instead of killing the program when the memory is used.
  /// Throws `std::system_error`, which names the path.
  shared_file(std::string path, std::size_t size);
  shared_file(const shared_file&) = delete;
  shared_file& operator=(const shared_file&) = delete;
  ~shared_file();

  void* memory() const noexcept { return memory_; }

 private:
  std::string path_;
  std::size_t size_;
  void* memory_ = nullptr;
};

}  // namespace filch::detail
