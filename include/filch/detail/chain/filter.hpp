// Adaptors that let only some items pass.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/staged.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// The type in which a predicate gets an item that is used afterwards: const, so that the predicate
/// does not change or move it.
template <class Item>
using seen_as = const std::remove_reference_t<Item>&;

template <class Function, class Next>
class filter_folder {
 public:
  filter_folder(Function pred, Next next) : pred_(std::move(pred)), next_(std::move(next)) {}
  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    plumbing::take_if(next_, passes(item), static_cast<Item&&>(item));
  }
  template <class Get>
  requires plumbing::takes_all_if<Next, std::invoke_result_t<const Get&, std::size_t>>
  [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
    next_.take_all_if(get, first, last, [this](const auto& item) { return this->passes(item); });
  }
  bool full() const requires plumbing::fillable<Next> { return next_.full(); }
  auto finish() && { return std::move(next_).finish(); }

 private:
  template <class Item>
  [[gnu::always_inline]] bool passes(const Item& item) {
    return static_cast<bool>(pred_(item));
  }

  [[no_unique_address]] Function pred_;
  Next next_;
};

/// Passes the items for which a predicate is true.
template <class Pred>
class filter_stage {
 public:
  template <class Item>
  using item = Item;
  template <class Item>
  static constexpr bool keeps_nothing = shareable<Pred, seen_as<Item>>;

  explicit filter_stage(Pred pred) : pred_(std::move(pred)) {}
  template <class Item, class Next>
  auto before(Next next) const {
    using function = function_for<Pred, seen_as<Item>>;
    return filter_folder<function, Next>(function(pred_), std::move(next));
  }
  template <class Item>
  requires shareable<Pred, const Item&>
  bool passes(const Item& x) const { return static_cast<bool>(std::invoke(pred_, x)); }

 private:
  [[no_unique_address]] Pred pred_;
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
class filter_map_stage {
 public:
  template <class Item>
  using item = decltype(*std::declval<function_result<F, Item>>());

  explicit filter_map_stage(F f) : f_(std::move(f)) {}
  template <class Item, class Next>
  auto before(Next next) const {
    using step = filter_map_step<function_for<F, Item>>;
    return step_folder<step, Next>(step{function_for<F, Item>(f_)}, std::move(next));
  }

 private:
  [[no_unique_address]] F f_;
};

}  // namespace filch::detail
