// How a thread writes into its log while another thread may end the trace and take the log.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/fence.hpp"

namespace filch::detail {

/// Lets the one writer of a log in while its trace runs, and shows the thread that has ended the
/// trace when the writer is out. The writer enters often, and pays no fence where membarrier is
/// available:
///
///     the writer                              the thread that ends the trace
///     W1 inside = 1                           E1 current = another number, or none
///     W2 light fence                          E2 heavy fence
///     W3 if current is still mine, write      E3 wait until inside = 0; then the log is its own
///     W4 inside = 0
///
/// By the fences, either W3 sees E1, and the writer writes nothing; or E3 sees W1, and waits for
/// W4.
///
/// Edge
///   [out]  leave() -> is_out()   the thread that takes the log sees what was written
class log_gate {
 public:
  /// W1 to W3. True if trace `mine` still runs: then the log belongs to the writer until leave().
  /// Only the writer calls it.
  [[nodiscard]] bool enter(const atomic<std::uint32_t>& current, std::uint32_t mine) noexcept {
    inside_.store(1, std::memory_order_relaxed);  // ordered by the fences
    light_fence();
    if (current.load(std::memory_order_relaxed) == mine) [[likely]]  // ordered by the fences
      return true;
    leave();
    return false;
  }
  /// W4. Only the writer calls it.
  void leave() noexcept { inside_.store(0, std::memory_order_release); }  // [out]

  /// E3, after E1 and E2. Any thread.
  bool is_out() const noexcept {
    return inside_.load(std::memory_order_acquire) == 0;  // [out]
  }

 private:
  atomic<std::uint32_t> inside_{0};
};

}  // namespace filch::detail
