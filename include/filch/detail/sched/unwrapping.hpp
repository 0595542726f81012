// then() of a function that returns a future itself.
#pragma once

#include <type_traits>
#include <utility>

#include "filch/detail/base/var.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/future_fwd.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/outcome.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

/// What then() makes of a function that returns `R`: a future of `type`.
template <class R>
struct unwrapped {
  using type = R;
  static constexpr bool was_future = false;
};
template <class U>
struct unwrapped<future<U>> {
  using type = U;
  static constexpr bool was_future = true;
};
template <class R>
using unwrapped_t = typename unwrapped<R>::type;

/// What then() makes if `F` returns a future: it calls `F`, and then follows the future that `F`
/// returned, the inner one. So it runs twice if the inner result is not there after the call. The
/// inner result comes by the queue too, so a chain of such tasks needs no stack.
template <class F, class From>
class unwrapping_task
    : public follow_up<F, From>,
      public future_state<unwrapped_t<then_result_t<F, typename From::argument>>> {
 public:
  using value_type = unwrapped_t<then_result_t<F, typename From::argument>>;

  explicit unwrapping_task(F&& f) : follow_up<F, From>(std::move(f)) {}

  void run_here() noexcept override {
    if (inner_.get() == nullptr) {
      inner_.set(call());
      // If it follows, another thread may be running it already.
      if (inner_.get() != nullptr && inner_.get()->try_follow(*this)) return;
    }
    if (future_state<value_type>* const inner = inner_.get()) {
      this->result.take_over(inner->result);
      inner->let_go();
    }
    this->deliver();
    this->let_go();
  }

 private:
  /// The state of the inner future, with its share. Null if there is none: then the result is an
  /// exception.
  future_state<value_type>* call() noexcept {
    outcome<future<value_type>> returned;
    this->call_into(returned);
    if (returned.failed()) {
      this->result.fail(std::move(returned.error()));
      return nullptr;
    }
    future<value_type> inner = returned.take();
    if (inner.valid() && inner.can_come()) return inner.release();
    this->result.fail(caught::make<usage_error>(
        "filch: then(): the function returned a future that has no task, whose result was already "
        "taken, or whose task belongs to a pool of the parent process: its result never comes"));
    return nullptr;
  }

  var<future_state<value_type>*> inner_{nullptr};  // written before it follows the inner future
};

/// What then() makes of `F` and the state that it follows.
template <class F, class From>
using then_task_for =
    std::conditional_t<unwrapped<then_result_t<F, typename From::argument>>::was_future,
                       unwrapping_task<F, From>, then_task<F, From>>;

}  // namespace filch::detail
