// Consumers that call a function for each item and have no result.
#pragma once

#include <cstddef>
#include <utility>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/state_pool.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

template <class F, class Item>
class each_folder {
 public:
  each_folder(const F& f, std::size_t) : f_(f) {}
  template <class I>
  [[gnu::always_inline]] void take(I&& item) {
    f_(static_cast<I&&>(item));
  }
  nothing finish() && noexcept { return {}; }

 private:
  function_for<F, Item> f_;
};

/// Calls f(item) for items of type Item.
template <class F, class Item>
using each_consumer = function_consumer<no_result, each_folder<F, Item>, F>;

/// Calls f(state, item). Each leaf borrows a state.
template <class Make, class F, class Item>
class each_with_consumer : public no_result {
  using states = state_pool<Make>;

 public:
  each_with_consumer(states& all, const F& f) noexcept : states_(all), f_(f) {}

  class folder {
   public:
    folder(typename states::lease state, const F& f) : state_(std::move(state)), f_(f) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      f_(*state_, static_cast<I&&>(item));
    }
    nothing finish() && noexcept { return {}; }

   private:
    typename states::lease state_;
    function_for<F, typename states::state&, Item> f_;
  };
  folder begin(std::size_t) const { return folder(states_.borrow(), f_); }

 private:
  states& states_;
  const F& f_;
};

}  // namespace filch::detail
