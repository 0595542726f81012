// Files of the system: files to write, and memory that other processes can map.
//
// The implementation is src/base/files_<system>.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <system_error>

namespace filch::detail {

/// A descriptor of a new file, or of an old one that is emptied. Programs started from here do not
/// inherit it. -1 if there is none; then `error` says why: a FIFO without a reader is
/// no_such_device_or_address.
int create_file(const std::string& path, std::error_code& error) noexcept;
/// Writes all of the text, in as many pieces as it takes. No error raises a signal.
std::error_code write_all(int file, const char* text, std::size_t size) noexcept;
std::error_code close_file(int file) noexcept;

/// An error of these functions in words. `message()` of the error says the same, but allocates.
class error_text {
 public:
  explicit error_text(std::error_code error) noexcept;
  error_text(const error_text&) = delete;
  error_text& operator=(const error_text&) = delete;
  const char* c_str() const noexcept { return text_; }

 private:
  std::array<char, 128> storage_;
  const char* text_;  // there, or a constant of the system
};

/// Memory that other processes can map: a file without a name in any folder. Processes that may
/// look into this one find it in /proc/<pid>/fd, where it links to "/memfd:<name> (deleted)".
///
/// No process can change its size, so no access to the memory raises SIGBUS. When the process ends,
/// in whatever way, nothing of the file is left; a process that has mapped it keeps what was
/// written last. Programs started from here do not inherit it.
class shared_memory {
 public:
  /// It begins as a copy of the `size` bytes at `contents`. The seal of its size (F_SEAL_SHRINK)
  /// tells other processes that the copy is complete. Throws `std::system_error`.
  shared_memory(const char* name, const void* contents, std::size_t size);
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;
  ~shared_memory();

  void* memory() const noexcept { return memory_; }

  /// In the child of a fork, whose parent shares it: no process finds it in the child.
  void hide() noexcept;

 private:
  std::size_t size_;
  int file_;
  void* memory_ = nullptr;
};

}  // namespace filch::detail
