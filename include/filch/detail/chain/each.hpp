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
class each_consumer : public no_result {
 public:
  explicit each_consumer(const F& f) noexcept : f_(f) {}
  auto begin(std::size_t) const {
    using function = function_for<F, Item>;
    return each_folder<function>{function(f_)};
  }

 private:
  const F& f_;
};

/// Calls f(state, item). Each leaf borrows a state.
template <class Make, class F, class Item>
class each_with_consumer : public no_result {
 public:
  each_with_consumer(state_pool<Make>& all, const F& f) noexcept : all_(all), f_(f) {}
  auto begin(std::size_t) const {
    using function = leasing_function<Make, F, Item>;
    return each_folder<function>{function(all_, f_)};
  }

 private:
  state_pool<Make>& all_;
  const F& f_;
};

}  // namespace filch::detail
