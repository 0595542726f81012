// The counters of a program that runs with FILCH_LIVE=1.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>

#include "filch/detail/watch/live.hpp"

namespace filch::cli {

/// The counters of one process, mapped. They stay readable after the process has ended.
class live_file {
 public:
  /// Nothing if the process has not published anything (yet): what another of the same number has
  /// left behind is not taken for its. Neither a file of another user nor one that others can write
  /// is believed. Throws  `failure` if there is a file, but it cannot be used; it says why.
  static std::optional<live_file> open(pid_t pid);

  /// A process that a signal has ended leaves its file. Removes that of one that had the number
  /// `pid`, if it was of this user. True if there was one.
  static bool remove_left_behind(pid_t pid) noexcept;

  /// Does the process that publishes here still live?
  bool has_writer() const noexcept;

  /// A page as a whole. Null if the writer has been in the middle of one for a tenth of a second:
  /// it was stopped there.
  std::unique_ptr<detail::live_page> read() const;

 private:
  struct unmap {
    void operator()(const detail::live_page* page) const noexcept;
  };
  explicit live_file(const detail::live_page* page) : page_(page) {}
  std::unique_ptr<const detail::live_page, unmap> page_;
};

}  // namespace filch::cli
