// An adaptor whose function has a state that threads do not share.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/map.hpp"
#include "filch/detail/chain/sources.hpp"
#include "filch/detail/chain/staged.hpp"
#include "filch/detail/chain/state_pool.hpp"
#include "filch/plumbing.hpp"

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

/// Passes on f(state, item) for each item, for one run of a chain.
template <class Make, class F>
class init_stage {
 public:
  init_stage(const Make& make, const F& f) : f_(f), states_(make) {}

  template <class Item, class Next>
  auto before(Next next) const {
    using shared = function_for<F, typename state_pool<Make>::state&, Item>;
    using function = leasing_function<typename state_pool<Make>::lease, shared>;
    return map_folder<function, Next>(function(states_.borrow(), shared(f_)), std::move(next));
  }

 private:
  const F& f_;
  mutable state_pool<Make> states_;
};

/// f(state, item) for each item. States are made when they are needed, and destroyed at the end.
template <plumbing::source Base, class Make, class F>
class init_source {
  using state = typename state_pool<Make>::state;

 public:
  using item = function_result<F, state&, typename Base::item>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  static constexpr bool exact = plumbing::exact_source<Base>;

  init_source(Base base, Make make, F f)
      : base_(std::move(base)), make_(std::move(make)), f_(std::move(f)) {}
  std::size_t size() const requires exact { return base_.size(); }

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    using stage = init_stage<Make, F>;
    const stage mine(make_, f_);
    return plumbing::drive(run, base_,
                           staged_consumer<stage, typename Base::item, Consumer>(mine, consumer));
  }

 private:
  Base base_;
  [[no_unique_address]] Make make_;
  [[no_unique_address]] F f_;
};

}  // namespace filch::detail
