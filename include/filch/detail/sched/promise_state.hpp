// What a promise and its future share.
#pragma once

#include <type_traits>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/followed_latch.hpp"
#include "filch/detail/sched/future_state.hpp"

namespace filch::detail {

/// A value for promise<T>: it converts to T. For a reference it is an object that lives on.
template <class U, class T>
concept promise_value =
    (!std::is_reference_v<T> && std::is_convertible_v<U, T>) ||
    (std::is_lvalue_reference_v<T> && std::is_lvalue_reference_v<U> &&
     std::is_convertible_v<std::remove_reference_t<U>*, std::remove_reference_t<T>*>);

/// A result that no task brings: any thread does, once.
///
/// where_ is plain data. The follower writes it before it follows, and the setter reads it only to
/// notify that follower, so the edge [follow] of followed_latch orders the two.
template <class T>
class promise_state final : public future_state<T> {
 public:
  /// The calling thread will set the result. True the first time. Any thread.
  [[nodiscard]] bool begin_setting() noexcept {
    return !begun_.exchange(true, std::memory_order_relaxed);  // orders nothing: it only decides
  }
  /// The result is there. The thread that began to set it calls this. Afterwards this object may be
  /// gone.
  void deliver() noexcept { followed_latch::set(this->done, &where_); }

 private:
  void will_be_followed() noexcept override { where_.choose_current(); }

  chosen_pool where_;
  atomic<bool> begun_{false};
};

}  // namespace filch::detail
