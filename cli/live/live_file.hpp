// The counters of a program that runs with FILCH_LIVE=1.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "filch/detail/watch/live.hpp"

namespace filch::cli {

/// The page of one process, mapped. It stays readable after the process has ended.
class live_file {
 public:
  /// Nothing if there is no such process, it is another user's, or it has not published anything
  /// (yet).
  /// How     The page is among the files that the process has opened, so that no other process can
  ///         put one in its place; one that another user has handed to it is not believed. Its size
  ///         must be sealed: then reading it raises no SIGBUS.
  /// Throws  `failure` if what it publishes cannot be used; it says why.
  static std::optional<live_file> open(pid_t pid);

  /// Does the process that publishes here still live?
  bool has_writer() const noexcept;

  /// A page as a whole. Null if the writer has been in the middle of one for a tenth of a second:
  /// it was stopped there.
  std::unique_ptr<detail::live_page> read() const;

 private:
  struct unmap {
    void operator()(const detail::live_page* page) const noexcept;
  };
  using mapped_page = std::unique_ptr<const detail::live_page, unmap>;

  /// The page in an open file of a process of user `owner`; null if that is none, or not yet.
  /// Throws  `failure` if it cannot be used.
  static mapped_page map(int file, uid_t owner);

  live_file(pid_t pid, mapped_page page)
      : page_(std::move(page)), pid_(pid), process_mark_(page_->process_mark) {}
  mapped_page page_;
  pid_t pid_;
  std::uint64_t process_mark_;
};

}  // namespace filch::cli
