// Consumers that call a function for each item and have no result.
#pragma once

#include <cstddef>
#include <utility>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/state_pool.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// Calls f(item) for items of type Item.
template <class F, class Item>
class each_consumer {
 public:
  using part = nothing;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;

  explicit each_consumer(const F& f) noexcept : f_(f) {}

  class folder {
   public:
    explicit folder(const F& f) : f_(f) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      f_(static_cast<I&&>(item));
    }
    nothing finish() && noexcept { return {}; }

   private:
    function_for<F, Item> f_;
  };
  folder begin(std::size_t) const { return folder(f_); }
  nothing merge(nothing, nothing) const noexcept { return {}; }

 private:
  const F& f_;
};

/// Calls f(state, item). Each leaf borrows a state.
template <class Make, class F, class Item>
class each_with_consumer {
  using states = state_pool<Make>;

 public:
  using part = nothing;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;

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
  nothing merge(nothing, nothing) const noexcept { return {}; }

 private:
  states& states_;
  const F& f_;
};

}  // namespace filch::detail
