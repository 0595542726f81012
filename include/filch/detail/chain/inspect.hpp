// Functions that look at an item or change it, and pass it on.
#pragma once

#include <functional>

#include "filch/detail/chain/map.hpp"

namespace filch::detail {

/// Calls `f` with an item of type Item as an Argument, and returns the item.
template <class F, class Item, class Argument>
struct passing_on {
  [[no_unique_address]] F f;

  Item operator()(Item item) const requires std::invocable<const F&, Argument> {
    std::invoke(f, static_cast<Argument>(item));
    return static_cast<Item&&>(item);
  }
  Item operator()(Item item) requires(!std::invocable<const F&, Argument>) {
    std::invoke(f, static_cast<Argument>(item));
    return static_cast<Item&&>(item);
  }
};

/// The result refers to whatever the item referred to, not to the item.
template <class F, class Item, class Argument, class Result>
inline constexpr bool may_refer_to_item<passing_on<F, Item, Argument>, Item, Result> = false;

}  // namespace filch::detail
