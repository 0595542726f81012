// An adaptor whose function has a state that threads do not share.
#pragma once

#include <type_traits>
#include <utility>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/map.hpp"
#include "filch/detail/chain/state_pool.hpp"

namespace filch::detail {

/// F makes an item of the state that Make makes and another item.
template <class Make, class F, class Item>
concept init_functions = chain_function<Make> && returns_an_item < F,
        std::remove_cvref_t<function_result<Make>>
&, Item > ;

/// A function with a state that it borrows for one leaf.
template <class Lease, class Function>
class leasing_function {
 public:
  leasing_function(Lease state, Function f) : state_(std::move(state)), f_(std::move(f)) {}
  template <class Item>
  decltype(auto) operator()(Item&& item) {
    return f_(*state_, static_cast<Item&&>(item));
  }

 private:
  Lease state_;
  Function f_;
};

/// Passes on f(state, item) for each item. States are made when they are needed, and destroyed at
/// the end of a run.
template <class Make, class F>
class init_stage {
  using states = state_pool<Make>;

 public:
  template <class Item>
  using item = function_result<F, typename states::state&, Item>;
  static constexpr bool keeps_positions = true;

  init_stage(Make make, F f) : make_(std::move(make)), f_(std::move(f)) {}

  class one_run {
   public:
    one_run(const Make& make, const F& f) : f_(f), states_(make) {}
    template <class Item, class Next>
    auto before(Next next) const {
      using shared = function_for<F, typename states::state&, Item>;
      using function = leasing_function<typename states::lease, shared>;
      return map_folder<function, Next>(function(states_.borrow(), shared(f_)), std::move(next));
    }

   private:
    const F& f_;
    mutable states states_;
  };
  one_run for_run() const { return one_run(make_, f_); }

 private:
  [[no_unique_address]] Make make_;
  [[no_unique_address]] F f_;
};

}  // namespace filch::detail
