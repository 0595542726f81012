// The counters of a program that runs with FILCH_LIVE=1.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "filch/detail/observe/live.hpp"

namespace filch::cli {

/// The mapped page of one process. It stays readable after the process has ended.
class live_file {
 public:
  /// Returns nothing if there is no such process, it belongs to another user, or it has not
  /// published anything (yet).
  /// How     Looks for the page among the files that the process has open, so that no other process
  ///         can put one in its place. A page that another user has handed to the process is
  ///         refused. The size of the page must be sealed, so that reading it raises no SIGBUS.
  /// Throws  `failure` with the reason if the page cannot be used.
  static std::optional<live_file> open(pid_t pid);

  /// Is the process that publishes here still alive?
  bool has_writer() const noexcept;

  /// A whole page. Null if the writer has been in the middle of one for a tenth of a second: it was
  /// stopped there.
  std::unique_ptr<detail::live_page> read() const;

 private:
  struct unmap {
    void operator()(const detail::live_page* page) const noexcept;
  };
  using mapped_page = std::unique_ptr<const detail::live_page, unmap>;

  /// Maps the page in an open file of a process of user `owner`. Null if it is not a page, or not
  /// yet.
  /// Throws  `failure` if it cannot be used.
  static mapped_page map(int file, uid_t owner);

  live_file(pid_t pid, mapped_page page)
      : page_(std::move(page)), pid_(pid), process_mark_(page_->process_mark) {}
  mapped_page page_;
  pid_t pid_;
  std::uint64_t process_mark_;
};

}  // namespace filch::cli
