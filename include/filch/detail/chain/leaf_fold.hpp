// An adaptor that makes one item of a whole leaf.
#pragma once

#include "filch/detail/chain/fold.hpp"

namespace filch::detail {

/// Op combines the result of Make with an item.
template <class Make, class Op, class Item>
concept leaf_fold_functions = chain_function<Make> && chain_function<Op, made_by<Make>, Item>;

template <class T, class Function, class Next>
struct leaf_fold_folder : growing_value<T, Function> {
  Next next;

  auto finish() && {
    next.take(std::move(this->value));
    return std::move(next).finish();
  }
};

/// op(op(op(make(), a), b), c) for the items a, b, c of each leaf.
template <class Make, class Op>
struct leaf_fold_stage {
  using value = made_by<Make>;
  template <class Item>
  using item = value&&;
  static constexpr bool by_leaf = true;
  [[no_unique_address]] Make make;
  [[no_unique_address]] Op op;

  template <class Item, class Next>
  auto before(Next next) const {
    return leaf_fold_folder<value, function_for<Op, value, Item>, Next>{
        {function_for<Make>{make}(), {op}}, std::move(next)};
  }
};

}  // namespace filch::detail
