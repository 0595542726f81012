// Coroutines of any type that go on as tasks.
#pragma once

#include <memory>

#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/pool_access.hpp"

namespace filch::detail {

/// A suspended coroutine, as a task. It lies in the coroutine's own frame, so waiting needs no
/// memory. All that it needs of the coroutine is a handle with address(), from_address() and
/// resume().
class resumption : public continuation {
 public:
  void run_here() noexcept final;

 protected:
  resumption() = default;
  ~resumption() = default;

  template <class Handle>
  void remember(Handle coroutine) noexcept {
    frame_ = coroutine.address();
    resume_ = [](void* frame) { Handle::from_address(frame).resume(); };
  }

 private:
  void* frame_ = nullptr;
  void (*resume_)(void* frame) = nullptr;
};

/// What pool::schedule() returns: the coroutine goes on as a task that a worker runs.
class [[nodiscard]] schedule_awaiter final : public resumption {
 public:
  explicit schedule_awaiter(const std::shared_ptr<registry>& home) noexcept : home_(home) {}

  bool await_ready() const noexcept { return false; }
  // Not inlined: clang 14 would keep the variables of this function in the frame of the coroutine,
  // which may be gone.
  template <class Handle>
  [[gnu::noinline]] bool await_suspend(Handle coroutine) {
    remember(coroutine);
    // The coroutine may end before the submission is over, and this object and the pool with it.
    std::shared_ptr<registry> home = home_;
    given();
    const sanitizer_hidden hidden;
    const bool suspended = submit_to_worker_unless_retired(*home, this);
    let_go(home);
    return suspended;
  }
  void await_resume() const noexcept {}

 private:
  const std::shared_ptr<registry>& home_;  // the pool's
};

}  // namespace filch::detail
