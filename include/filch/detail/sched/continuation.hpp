// Tasks that start when a result is there.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/base/var.hpp"
#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/end_task.hpp"
#include "filch/detail/sched/followed_latch.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/outcome.hpp"

namespace filch::detail {

/// A task that starts when it is notified. It has all the memory that it needs before that, so
/// starting cannot fail. It goes through a queue. Where no pool takes it, it nests a few levels
/// deep instead. So a chain of any length needs little stack.
class continuation : public listed_job, public follower {
 public:
  void notified(const chosen_pool* where) noexcept override { start(where); }

  /// Does its work on the calling thread, and notifies its own follower. It may be gone afterwards.
  virtual void run_here() noexcept = 0;

 protected:
  continuation() noexcept : listed_job(&continuation::entry) {}
  ~continuation() = default;

  /// It becomes a task of the pool `where`. If that is null, it becomes a task of the pool in which
  /// the calling thread takes part; if there is none, of the default pool. On a worker of the pool,
  /// or a guest in an isolate(), it goes into the participant's deque; without memory for a larger
  /// deque, and on any other thread, into the injector, whatever the limit is. If the pool takes no
  /// tasks, or cannot be made, it runs here: at once, or, if many nest on the stack, before the
  /// thread leaves them or waits. Any thread. It may be gone afterwards.
  void start(const chosen_pool* where = nullptr) noexcept {
    given();
    const sanitizer_hidden hidden;
    start_given(where);
  }

  /// The same after the task that it follows has ended in pool number `pool`. If that pool has
  /// ended, it is as if there had been none.
  void start_late(std::uint32_t pool) noexcept {
    given();
    const sanitizer_hidden hidden;
    start_late_given(pool);
  }

 private:
  void start_given(const chosen_pool* where) noexcept;
  void start_late_given(std::uint32_t pool) noexcept;
  static void entry(job& self) noexcept {
    const sanitizer_seen seen;
    self.taken();
    static_cast<continuation&>(self).run_here();
    end_task();
  }
};

/// The calling thread waits for as long as this lives. It first runs the continuations that wait
/// for their turn on it because no pool takes them. Those that it starts while it waits nest as if
/// none did below: the frame that would run them later is one that waits.
class continuations_in_wait {
 public:
  continuations_in_wait() noexcept;
  continuations_in_wait(const continuations_in_wait&) = delete;
  continuations_in_wait& operator=(const continuations_in_wait&) = delete;
  ~continuations_in_wait();

 private:
  int nested_before_;
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

/// A continuation that calls `F` once it has the result of another task. `From` is the state with
/// that result, which it follows: a future_state, or a shared_state.
template <class F, class From>
class follow_up : public continuation {
 public:
  /// Follows `from`, and takes over the share of its future. Afterwards only the share of its own
  /// future keeps it alive.
  void follow(From& from) noexcept {
    from_.set(&from);
    if (!from.try_follow(*this, link_)) start_late(from.pool());
  }

 protected:
  using argument = typename From::argument;

  explicit follow_up(F&& f) : f_(std::move(f)) {}
  ~follow_up() = default;

  /// Calls `use(f, from)`, and then lets go of both. Once.
  template <class Use>
  void use_once(Use use) noexcept {
    From& from = *from_.get();
    use(*f_, from);
    f_.reset();  // what it holds is not kept for as long as the future lives
    from.let_go();
  }

  /// Sets `result` to what `F` makes of the result of the other task, or to its exception. Once.
  template <class R>
  void call_into(outcome<R>& result) noexcept {
    use_once([&](F& f, From& from) {
      if (from.failed()) return result.fail(from.give_error());
      const auto call = [&]() -> then_result_t<F, argument> {
        if constexpr (std::is_void_v<argument>)
          return std::invoke(f);
        else
          return std::invoke(f, from.give_value());
      };
      result.run(call);
    });
  }

 private:
  std::optional<F> f_;
  var<From*> from_{nullptr};                        // written before it follows
  [[no_unique_address]] typename From::link link_;  // where `from` finds it
};

/// What then() makes: calls `F` with the result of another task, or passes its exception on.
template <class F, class From>
class then_task : public follow_up<F, From>,
                  public future_state<then_result_t<F, typename From::argument>> {
 public:
  explicit then_task(F&& f) : follow_up<F, From>(std::move(f)) {}

  void run_here() noexcept override {
    this->call_into(this->result);
    this->deliver();
    this->let_go();
  }
};

}  // namespace filch::detail
