// Adaptors that make one item of another and keep its position.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/decayed.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/sources.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// The type of a function's result. An item that is not a reference ends with the call. So an
/// rvalue reference into such an item, as `&T::member` gives it, becomes a value.
template <class Result, class Item>
using lasting_result =
    std::conditional_t<!std::is_reference_v<Item> && std::is_rvalue_reference_v<Result>,
                       std::remove_cvref_t<Result>, Result>;

template <class F, class Item>
using mapped_item = lasting_result<function_result<F, Item>, Item>;

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

/// Calls a function, and passes its result to `Next`, or to a folder that `Next` refers to.
template <class Function, class Next>
class map_folder {
 public:
  map_folder(Function f, Next next) : f_(std::move(f)), next_(static_cast<Next&&>(next)) {}
  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    next_.take(f_(static_cast<Item&&>(item)));
  }
  template <class Get, class Item = std::invoke_result_t<const Get&, std::size_t>,
            class Made = lasting_result<std::invoke_result_t<Function&, Item>, Item>>
  requires(!may_refer_to_item<Function, Item, Made>) &&
      plumbing::takes_all<Next, Made> [[gnu::always_inline]] void take_all(const Get& get,
                                                                           std::size_t first,
                                                                           std::size_t last) {
    next_.take_all([&](std::size_t i) -> Made { return f_(get(i)); }, first, last);
  }
  bool full() const requires plumbing::fillable<Next> { return next_.full(); }
  auto finish() && { return std::move(next_).finish(); }

 private:
  [[no_unique_address]] Function f_;
  Next next_;
};

/// f(item) for a source with positions, if the threads can share the function.
template <plumbing::indexed_source Base, class F>
class mapped_source {
  using function = function_for<F, typename Base::item>;

 public:
  using item = mapped_item<F, typename Base::item>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;

  mapped_source(Base base, F f) : base_(std::move(base)), f_(std::move(f)) {}
  std::size_t size() const { return base_.size(); }
  item get(std::size_t i) const { return std::invoke(f_, base_.get(i)); }
  void drop(std::size_t n) requires plumbing::droppable_source<Base> { base_.drop(n); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last,
            Folder& folder) const requires plumbing::feeding_source<Base> {
    map_folder<function, Folder&> mine(function(f_), folder);
    base_.feed(first, last, mine);
  }
  /// Uses the loop of the base, which may be better than get() for each position.
  template <class Folder>
  [[gnu::always_inline]] void walk(std::size_t first, std::size_t last, Folder& folder) const {
    map_folder<function, Folder&> mine(function(f_), folder);
    plumbing::feed_each(base_, first, last, mine);
  }

 private:
  Base base_;
  [[no_unique_address]] F f_;
};

template <class Base, class F>
inline constexpr bool computes_numbers<mapped_source<Base, F>> = computes_numbers<Base>&&
    std::is_arithmetic_v<std::remove_cvref_t<typename mapped_source<Base, F>::item>>;

/// f(item) for any source. If calls change the function, each leaf has a copy of it.
template <class F>
class map_stage {
 public:
  template <class Item>
  using item = function_result<F, Item>;
  static constexpr bool keeps_positions = true;
  template <class Item>
  static constexpr bool keeps_nothing = shareable<F, Item>;

  explicit map_stage(F f) : f_(std::move(f)) {}
  template <class Item, class Next>
  auto before(Next next) const {
    using function = function_for<F, Item>;
    return map_folder<function, Next>(function(f_), std::move(next));
  }

 private:
  [[no_unique_address]] F f_;
};

}  // namespace filch::detail
