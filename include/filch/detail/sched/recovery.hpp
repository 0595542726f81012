// A result in place of an exception.
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/future_state.hpp"

namespace filch::detail {

/// A function for future<T>::recover(): it can be copied or moved, and makes a T of an exception.
/// For a reference it returns one, because a T made by a conversion would not live on.
template <class F, class T>
concept recover_function = std::constructible_from<std::decay_t<F>, F> &&
                           std::move_constructible<std::decay_t<F>> && std::is_invocable_r_v < T,
        std::decay_t<F>
&, std::exception_ptr >
       &&(!std::is_reference_v<T> ||
          std::is_reference_v<std::invoke_result_t<std::decay_t<F>&, std::exception_ptr>>);

/// What recover() makes: calls `F` with the exception of another task, or passes its value on.
template <class F, class T>
class recover_task final : public follow_up<F, future_state<T>>, public future_state<T> {
 public:
  explicit recover_task(F&& f) : follow_up<F, future_state<T>>(std::move(f)) {}

  void run_here() noexcept override {
    this->use_once([this](F& f, future_state<T>& from) {
      if (from.failed())
        recover(f, from.give_error());
      else
        this->result.take_over(from.result);
    });
    this->deliver();
    this->let_go();
  }

 private:
  void recover(F& f, caught error) noexcept {
    const auto call = [&]() -> T { return static_cast<T>(std::invoke(f, error.first)); };
    this->result.run(call);
    // `F` may throw the same exception again: it still suppresses the others.
    if (this->result.failed() && this->result.error().first == error.first)
      this->result.error().others = std::move(error.others);
  }
};

}  // namespace filch::detail
