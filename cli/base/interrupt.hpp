// Ctrl-C: what has been measured is kept, so it asks instead of ending the program. A second time
// it ends the program, as if nobody listened.
#pragma once

namespace filch::cli {

/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT only ask, unless they are ignored. System
/// calls are interrupted. One at a time.
class interrupt_guard {
 public:
  interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
  ~interrupt_guard();
};

/// Has somebody asked the program to stop? Any thread.
bool was_interrupted() noexcept;

}  // namespace filch::cli
