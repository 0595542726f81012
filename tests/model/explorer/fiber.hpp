// A thread of the program under test, switched by hand, so that the explorer decides which one
// runs.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <functional>
#include <memory>

namespace model {

/// A stack with a function on it. Unlike a boost::context::fiber, it can be abandoned half-way (as
/// in a failed schedule) and started again without unwinding its stack.
class fiber {
 public:
  /// Starts again with `body`, which runs at the next resume().
  void start(std::function<void()> body);
  /// Runs the fiber until it suspends or ends. Called from outside.
  void resume();
  /// Returns control to the caller of resume(). Called from inside.
  void suspend();

 private:
  static constexpr std::size_t stack_bytes = 256 * 1024;
  static void enter(boost::context::detail::transfer_t from);

  std::unique_ptr<char[]> stack_;
  boost::context::detail::fcontext_t inside_ = nullptr;
  boost::context::detail::fcontext_t outside_ = nullptr;
  std::function<void()> body_;
};

}  // namespace model
