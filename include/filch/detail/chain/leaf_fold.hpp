// An adaptor that makes one item of a whole leaf.
#pragma once

#include <type_traits>
#include <utility>

#include "filch/detail/chain/function.hpp"

namespace filch::detail {

/// Op combines the result of Make with an item.
template <class Make, class Op, class Item>
concept leaf_fold_functions =
    chain_function<Make> && chain_function<Op, std::remove_cvref_t<function_result<Make>>, Item>;

template <class T, class Function, class Next>
class leaf_fold_folder {
 public:
  leaf_fold_folder(T value, Function op, Next next)
      : value_(std::move(value)), op_(std::move(op)), next_(std::move(next)) {}
  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    value_ = static_cast<T>(op_(std::move(value_), static_cast<Item&&>(item)));
  }
  auto finish() && {
    next_.take(std::move(value_));
    return std::move(next_).finish();
  }

 private:
  T value_;
  Function op_;
  Next next_;
};

/// op(op(op(make(), a), b), c) for the items a, b, c of each leaf.
template <class Make, class Op>
class leaf_fold_stage {
  using value = std::remove_cvref_t<function_result<Make>>;

 public:
  template <class Item>
  using item = value&&;
  static constexpr bool by_leaf = true;

  leaf_fold_stage(Make make, Op op) : make_(std::move(make)), op_(std::move(op)) {}
  template <class Item, class Next>
  auto before(Next next) const {
    using function = function_for<Op, value, Item>;
    function_for<Make> make(make_);
    return leaf_fold_folder<value, function, Next>(make(), function(op_), std::move(next));
  }

 private:
  [[no_unique_address]] Make make_;
  [[no_unique_address]] Op op_;
};

}  // namespace filch::detail
