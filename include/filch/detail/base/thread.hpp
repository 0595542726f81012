// A thread of the system, with choices that std::thread lacks: name, stack size, CPU, signals.
//
// Each one
//   - blocks all signals that do not come from its own code, so that the handlers of the program
//     run on the program's threads, and no system call here is interrupted. Signals that its own
//     code raises are not blocked: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS.
//   - runs where the process may run (see affinity.hpp), even if its creator is confined further.
//   - inherits the floating-point environment of its creator: rounding, traps, flush-to-zero.
//
// All that holds before its function is called. The implementation is src/base/thread_<system>.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace filch::detail {

/// The choices for a thread before it starts.
struct thread_settings {
  std::string name = {};                ///< See set_thread_name(). Empty: that of its creator.
  std::size_t stack_size = 0;           ///< In bytes; 0: what the system finds right.
  std::optional<std::size_t> cpu = {};  ///< One of process_cpus(): it runs there and only there.
};

/// A running thread that must be joined, or nothing. It can be moved, but not copied. One thread at
/// a time may use an object, as with std::thread.
class os_thread {
 public:
  /// What the thread does. An exception that leaves it terminates the program.
  using function = void (*)(void* argument);

  /// No thread.
  os_thread() noexcept = default;

  /// Starts a thread that calls `entry(argument)`. What the caller did before this happens before
  /// that call. Any thread.
  ///
  /// \throws usage_error if the stack size is less than minimum_stack_size(), or no stack size at
  ///     all; or if `settings.cpu` is none of process_cpus().
  /// \throws std::system_error if the system has no thread left, or no memory for its stack.
  [[nodiscard]] static os_thread start(function entry, void* argument,
                                       const thread_settings& settings = {});

  os_thread(os_thread&& other) noexcept
      : handle_(other.handle_), joinable_(std::exchange(other.joinable_, false)) {}

  /// Aborts if this object has a thread that was not joined.
  os_thread& operator=(os_thread&& other) noexcept;

  /// Aborts if the thread was not joined: the thread would outlive what it uses.
  ~os_thread();

  /// Is there a thread to join?
  [[nodiscard]] bool joinable() const noexcept { return joinable_; }

  /// Waits until the thread has ended. What it did happens before the return. Aborts if called
  /// twice, or by that thread itself.
  void join() noexcept;

  /// The thread goes on alone: no thread can join it, and what it uses must live as long as the
  /// process. Aborts if there is no thread.
  void detach() noexcept;

 private:
  explicit os_thread(std::thread::native_handle_type handle) noexcept
      : handle_(handle), joinable_(true) {}

  std::thread::native_handle_type handle_{};
  bool joinable_ = false;
};

/// The smallest stack that a thread can have, in bytes. The thread_local variables of the program
/// need space besides. Any thread.
[[nodiscard]] std::size_t minimum_stack_size() noexcept;

/// Names the calling thread, for debuggers, top and thread_name(). The system keeps 15 bytes: a
/// longer name is cut, but not inside a UTF-8 character. "" changes nothing. Any thread.
void set_thread_name(std::string_view name) noexcept;

/// The name of the calling thread, which ends with a 0.
std::array<char, 32> name_of_this_thread() noexcept;

}  // namespace filch::detail
