// Adaptors that let only some items pass.
#pragma once

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/staged.hpp"

namespace filch::detail {

template <class Function, class Next>
struct filter_folder : folder_before<Next> {
  [[no_unique_address]] Function pred;

  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    plumbing::take_if(this->next, passes(item), static_cast<Item&&>(item));
  }
  template <class Get>
  requires plumbing::takes_all_if<Next, std::invoke_result_t<const Get&, std::size_t>>
  [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
    this->next.take_all_if(get, first, last,
                           [this](const auto& item) { return this->passes(item); });
  }
  template <class Item>
  [[gnu::always_inline]] bool passes(const Item& item) {
    return static_cast<bool>(pred(item));
  }
};

/// Passes the items for which a predicate is true.
template <class Pred>
struct filter_stage {
  template <class Item>
  using item = Item;
  template <class Item>
  static constexpr bool keeps_nothing = shareable<Pred, seen_as<Item>>;
  [[no_unique_address]] Pred pred;

  template <class Item, class Next>
  auto before(Next next) const {
    return filter_folder<function_for<Pred, seen_as<Item>>, Next>{{std::move(next)}, {pred}};
  }
  template <class Item>
  requires shareable<Pred, const Item&>
  bool passes(const Item& x) const { return static_cast<bool>(std::invoke(pred, x)); }
};

/// A type that holds an item or nothing: std::optional, a pointer.
template <class R>
concept maybe_item = requires(R&& r) {
  static_cast<bool>(r);
  *static_cast<R&&>(r);
};

/// A function that makes an item or nothing of an item.
template <class F, class Item>
concept maybe_function = chain_function<F, Item> && maybe_item<function_result<F, Item>>;

template <class Function>
struct filter_map_step {
  [[no_unique_address]] Function f;
  template <class Item, class Next>
  [[gnu::always_inline]] void operator()(Item&& item, Next& next) {
    auto&& made = f(static_cast<Item&&>(item));
    if (static_cast<bool>(made)) next.take(*static_cast<decltype(made)>(made));
  }
};

/// Passes *f(item) where f(item) holds something.
template <class F>
struct filter_map_stage {
  template <class Item>
  using item = decltype(*std::declval<function_result<F, Item>>());
  [[no_unique_address]] F f;

  template <class Item, class Next>
  auto before(Next next) const {
    return step_folder<filter_map_step<function_for<F, Item>>, Next>{{std::move(next)}, {{f}}};
  }
};

}  // namespace filch::detail
