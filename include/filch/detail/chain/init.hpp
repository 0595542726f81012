// An adaptor whose function has a state that threads do not share.
#pragma once

#include "filch/detail/chain/map.hpp"
#include "filch/detail/chain/state_pool.hpp"

namespace filch::detail {

/// F makes an item of the state that Make makes and another item.
template <class Make, class F, class Item>
concept init_functions =
    chain_function<Make> && returns_an_item<F, std::add_lvalue_reference_t<made_by<Make>>, Item>;

/// Passes on f(state, item) for each item. States are made when they are needed, and destroyed at
/// the end of a run.
template <class Make, class F>
struct init_stage {
  using states = state_pool<Make>;
  template <class Item>
  using item = function_result<F, typename states::state&, Item>;
  static constexpr bool keeps_positions = true;
  [[no_unique_address]] Make make;
  [[no_unique_address]] F f;

  struct one_run {
    const F& f;
    mutable states all;

    template <class Item, class Next>
    auto before(Next next) const {
      using function = leasing_function<Make, F, Item>;
      return map_folder<function, Next>{{std::move(next)}, {all.borrow(), {f}}};
    }
  };
  one_run for_run() const { return {f, states(make)}; }
};

}  // namespace filch::detail
