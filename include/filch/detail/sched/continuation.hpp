// Tasks that start when a result is there.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/base/var.hpp"
#include "filch/detail/sched/end_task.hpp"
#include "filch/detail/sched/followed_latch.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/listed_job.hpp"

namespace filch::detail {

/// A task that starts when it is notified. It has all the memory that it needs before that, so
/// starting cannot fail. It always goes through a queue, so a chain of any length needs no stack.
class continuation : public listed_job, public follower {
 public:
  void notified() noexcept override { start(); }

  /// Does its work on the calling thread, and notifies its own follower. It may be gone afterwards.
  virtual void run_here() noexcept = 0;

 protected:
  continuation() noexcept : listed_job(&continuation::entry) {}
  ~continuation() = default;

  /// On a participant of a pool: it becomes a task of that pool, in the participant's deque;
  /// without memory for a larger deque, in the injector. On another thread: it becomes a task of
  /// the default pool; if that takes none, or cannot be made, it runs here. Any thread. It may be
  /// gone afterwards.
  void start() noexcept {
    given();
    const sanitizer_hidden hidden;
    start_given();
  }

 private:
  void start_given() noexcept;
  static void entry(job& self) noexcept {
    const sanitizer_seen seen;
    self.taken();
    static_cast<continuation&>(self).run_here();
    end_task();
  }
};

/// What `F` returns, given the result of a future<T>.
template <class F, class T>
struct then_result : std::invoke_result<F&, T> {};
template <class F>
struct then_result<F, void> : std::invoke_result<F&> {};
template <class F, class T>
using then_result_t = typename then_result<F, T>::type;

/// A function for future<T>::then(): it can be copied or moved, and called with the result.
template <class F, class T>
concept then_function = std::constructible_from<std::decay_t<F>, F> &&
    std::move_constructible<std::decay_t<F>> && requires {
  typename then_result_t<std::decay_t<F>, T>;
};

/// What then() makes: calls `F` with the result of another task, or passes its exception on.
template <class F, class T>
class then_task : public continuation, public future_state<then_result_t<F, T>> {
 public:
  explicit then_task(F&& f) : f_(std::move(f)) {}

  /// Follows `from`, and takes over the share of its future. Afterwards only the share of its own
  /// future keeps it alive.
  void follow(future_state<T>& from) noexcept {
    from_.set(&from);
    if (!from.done.try_follow(*this)) start();
  }

  void run_here() noexcept override {
    future_state<T>& from = *from_.get();
    if (from.result.failed()) {
      this->result.fail(std::move(from.result.error()));
    } else {
      const auto call = [&]() -> then_result_t<F, T> {
        if constexpr (std::is_void_v<T>)
          return std::invoke(*f_);
        else
          return std::invoke(*f_, from.result.take());
      };
      this->result.run(call);
    }
    f_.reset();  // what it holds is not kept for as long as the future lives
    from.let_go();
    this->deliver();
    this->let_go();
  }

 private:
  std::optional<F> f_;
  var<future_state<T>*> from_{nullptr};  // written before it follows
};

}  // namespace filch::detail
