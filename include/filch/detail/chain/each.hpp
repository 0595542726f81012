// Consumers that call a function for each item and have no result.
#pragma once

#include "filch/detail/chain/state_pool.hpp"

namespace filch::detail {

/// `Function` calls a function of the chain.
template <class Function>
struct each_folder {
  Function f;

  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    f(static_cast<Item&&>(item));
  }
  nothing finish() && noexcept { return {}; }
};

/// Calls f(item) for items of type Item.
template <class F, class Item>
struct each_consumer : no_result {
  const F& f;
  auto begin(std::size_t) const { return each_folder<function_for<F, Item>>{{f}}; }
};

/// Calls f(state, item). Each leaf borrows a state.
template <class Make, class F, class Item>
struct each_with_consumer : no_result {
  state_pool<Make>& all;
  const F& f;
  auto begin(std::size_t) const {
    return each_folder<leasing_function<Make, F, Item>>{{all.borrow(), {f}}};
  }
};

}  // namespace filch::detail
