// FILCH_TRACE_ON_SIGNAL=1: a signal that ends the program waits until the trace is written.
#pragma once

#include <array>
#include <csignal>

#include "filch/detail/base/thread.hpp"

namespace filch::detail {

/// While it lives, SIGINT, SIGTERM and SIGHUP have a handler each, if they would have ended the
/// program. When a signal arrives, a thread calls `finish` and sends the signal again, which ends
/// the program as if nothing had caught it. A second signal ends the program at once. There may be
/// one object at a time.
class last_signal {
 public:
  /// `finish` returns false if the program is ending anyway. Then the signal is not sent again.
  /// Throws `std::system_error`.
  explicit last_signal(bool (*finish)());
  last_signal(const last_signal&) = delete;
  last_signal& operator=(const last_signal&) = delete;
  /// Restores the signals and ends the thread. Not in the child of a fork, which has no such
  /// thread.
  ~last_signal();

 private:
  static constexpr std::array<int, 3> caught = {SIGINT, SIGTERM, SIGHUP};
  void run() noexcept;

  bool (*finish_)();
  int read_end_ = -1;
  os_thread thread_;
};

}  // namespace filch::detail
