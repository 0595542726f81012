// Adaptors that make one item of another, or only look at it, and keep its position. A function may
// have a state that threads do not share.
#pragma once

#include "filch/detail/chain/staged.hpp"
#include "filch/detail/chain/state_pool.hpp"

namespace filch::detail {

/// The type of a function's result. An item that is not a reference ends with the call. So an
/// rvalue reference into such an item, as `&T::member` gives it, becomes a value.
template <class Result, class Item>
using lasting_result =
    std::conditional_t<!std::is_reference_v<Item> && std::is_rvalue_reference_v<Result>,
                       std::remove_cvref_t<Result>, Result>;

/// May a Result be a reference to a T, or a pair or tuple with one? A reference to a number that
/// ends with the call must be const.
template <class Result, class T>
inline constexpr bool refers_to_a = false;
template <class R, class T>
inline constexpr bool refers_to_a<R&, T> = std::same_as<const R, const T> &&
                                           (std::is_const_v<R> || !std::is_scalar_v<T>);
template <class A, class B, class T>
inline constexpr bool refers_to_a<std::pair<A, B>, T> = refers_to_a<A, T> || refers_to_a<B, T>;
template <class... R, class T>
inline constexpr bool refers_to_a<std::tuple<R...>, T> = (refers_to_a<R, T> || ...);

/// May a Result that refers to something refer to an Item, or to something that the Item owns?
/// References, numbers and views own nothing. For pairs and tuples, their elements count.
template <class Result, class Item>
inline constexpr bool refers_into =
    refers_to_a<Result, Item> ||
    !(std::is_reference_v<Item> || std::is_scalar_v<Item> || std::ranges::borrowed_range<Item>);
template <class Result, class A, class B>
inline constexpr bool refers_into<Result, std::pair<A, B>> =
    refers_to_a<Result, std::pair<A, B>> || refers_into<Result, A> || refers_into<Result, B>;
template <class Result, class... T>
inline constexpr bool refers_into<Result, std::tuple<T...>> =
    refers_to_a<Result, std::tuple<T...>> || (refers_into<Result, T> || ...);

/// Let f(item) be a reference, a view, or an object with such a part. May it refer to something in
/// an item that ends with the call? Not if the item is a reference, nor if it is a number by which
/// f looks up something of another type.
template <class F, class Item, class Result = function_result<F, Item>>
inline constexpr bool may_refer_to_item =
    !std::is_reference_v<Item> && (std::is_lvalue_reference_v<Result> || holds_references<Result> ||
                                   refers_elsewhere<Result>)&&refers_into<Result, Item>;
/// A copy of an item has the same views as the item.
template <class Item, class Result>
inline constexpr bool may_refer_to_item<to_decayed<Item>, Item, Result> = false;

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

/// Calls a function, and passes its result on.
template <class Function, class Next>
struct map_folder : folder_before<Next> {
  [[no_unique_address]] Function f;

  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    this->next.take(f(static_cast<Item&&>(item)));
  }
  template <class Get, class Item = std::invoke_result_t<const Get&, std::size_t>,
            class Made = lasting_result<std::invoke_result_t<Function&, Item>, Item>>
  requires(!may_refer_to_item<Function, Item, Made>) &&
      plumbing::takes_all<Next, Made> [[gnu::always_inline]] void take_all(const Get& get,
                                                                           std::size_t first,
                                                                           std::size_t last) {
    this->next.take_all([&](std::size_t i) -> Made { return f(get(i)); }, first, last);
  }
};

/// f(item) for a source with positions, if the threads can share the function.
template <plumbing::indexed_source Base, class F>
struct mapped_source {
  using item = lasting_result<function_result<F, typename Base::item>, typename Base::item>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  [[no_unique_address]] F f;

  std::size_t size() const { return base.size(); }
  item get(std::size_t i) const { return std::invoke(f, base.get(i)); }
  void drop(std::size_t n) requires plumbing::droppable_source<Base> { base.drop(n); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last,
            Folder& folder) const requires plumbing::feeding_source<Base> {
    walk(first, last, folder);
  }
  /// Uses the loop of the base, which may be better than get() for each position.
  template <class Folder>
  [[gnu::always_inline]] void walk(std::size_t first, std::size_t last, Folder& folder) const {
    map_folder<function_for<F, typename Base::item>, Folder&> mine{{folder}, {f}};
    plumbing::feed_each(base, first, last, mine);
  }
};

template <class Base, class F>
inline constexpr bool computes_numbers<mapped_source<Base, F>> = computes_numbers<Base>&&
    std::is_arithmetic_v<std::remove_cvref_t<typename mapped_source<Base, F>::item>>;

/// f(item) for any source. If calls change the function, each leaf has a copy of it.
template <class F>
struct map_stage {
  template <class Item>
  using item = function_result<F, Item>;
  static constexpr bool keeps_positions = true;
  template <class Item>
  static constexpr bool keeps_nothing = shareable<F, Item>;
  [[no_unique_address]] F f;

  template <class Item, class Next>
  auto before(Next next) const {
    return map_folder<function_for<F, Item>, Next>{{std::move(next)}, {f}};
  }
};

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
