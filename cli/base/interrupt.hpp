// Ctrl-C sets a flag instead of ending the program, so that measurements are kept. A second one
// ends the program as if there were no handler.
#pragma once

namespace filch::cli {

/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT only set a flag, unless they are ignored.
/// System calls are interrupted. There may be one object at a time.
class interrupt_guard {
 public:
  interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
  ~interrupt_guard();
};

/// Has a signal asked the program to stop? Any thread.
bool was_interrupted() noexcept;

}  // namespace filch::cli
