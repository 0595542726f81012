// Consumers that make one value of all items.
#pragma once

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/sources.hpp"
#include "filch/detail/kernel/fold.hpp"
#include "filch/detail/kernel/scanners.hpp"

namespace filch::detail {

/// The elements of a range in contiguous memory. Reading them is the only cost of an item.
template <class Source>
concept plain_elements = plumbing::iterable_source<Source> && !plumbing::feeding_source<Source> &&
                         std::contiguous_iterator<plumbing::iterator_of<Source>>;

/// Does a function return the elements of a range, each as often as it is called?
template <class Get>
inline constexpr bool gets_elements = false;
template <plain_elements Source>
inline constexpr bool gets_elements<plumbing::item_getter<Source>> = true;

template <class Get>
inline constexpr bool gets_numbers = false;
template <class Source>
inline constexpr bool gets_numbers<plumbing::item_getter<Source>> = computes_numbers<Source>;

/// How many items are worth a fork if they take only cheap operations.
template <class Source>
inline constexpr std::size_t least_of_cheap = plain_elements<Source> ? cheap_items : 1;

/// A value that grows by items, by `Function`, which calls a function of the chain.
template <class T, class Function>
struct growing_value {
  T value;
  Function op;

  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    value = static_cast<T>(op(std::move(value), static_cast<Item&&>(item)));
  }
  T finish() && { return std::move(value); }
};

/// Each leaf begins with make(), which must be a neutral value.
template <class T, class Item, class Op, class Make>
struct fold_consumer {
  using part = T;
  static constexpr wanted rule = wanted::all;
  const Op& op;
  const Make& make;

  auto begin(std::size_t) const {
    return growing_value<T, function_for<Op, T, Item>>{static_cast<T>(function_for<Make>{make}()),
                                                       {op}};
  }
  T merge(T&& left, T&& right) const {
    return static_cast<T>(function_for<Op, T, T>{op}(std::move(left), std::move(right)));
  }
};

/// Each leaf begins with its first item. A leaf without items has no value.
template <class T, class Item, class Op>
struct reduce_consumer {
  using part = std::optional<T>;
  static constexpr wanted rule = wanted::all;
  const Op& op;

  struct folder {
    function_for<Op, T, Item> op;
    part value{};

    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (value)
        *value = static_cast<T>(op(*std::move(value), static_cast<I&&>(item)));
      else
        value.emplace(static_cast<I&&>(item));
    }
    /// A loop that does not ask for each item whether it is the first.
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      take(detail::fold_items<T>(op, get, first, last));
    }
    part finish() && { return std::move(value); }
  };
  folder begin(std::size_t) const { return {{op}}; }
  part merge(part&& left, part&& right) const {
    if (!left || !right) return left ? std::move(left) : std::move(right);
    return static_cast<T>(function_for<Op, T, T>{op}(*std::move(left), *std::move(right)));
  }
};

/// The operations of <functional> on numbers, in lanes where the items have positions.
template <class T, class Op>
struct number_consumer {
  using op = lane_op<Op, T>;
  using part = T;
  static constexpr wanted rule = wanted::all;
  /// Compilers vectorise sums of integers, but keep the order of floating-point additions.
  static constexpr std::size_t lanes = std::floating_point<T> ? lanes_for<T> : 1;
  /// A sum of floating-point numbers depends on the order of additions.
  static constexpr bool any_cut = !std::floating_point<T>;
  template <class Source>
  static constexpr std::size_t least = least_of_cheap<Source>;

  struct folder {
    T value = neutral_number<Op, T>();

    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      value = op{}(value, static_cast<T>(item));
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      if constexpr (std::floating_point<T> || gets_numbers<Get>)
        value = op{}(value, detail::fold_numbers<T>(op{}, get, first, last));
      else
        for (; first != last; ++first) take(get(first));
    }
    /// Avoids a branch, or lets the compiler avoid one where that pays. Floating-point numbers are
    /// summed in lanes; an unwanted one is replaced by the neutral number.
    template <class Item>
    [[gnu::always_inline]] void take_if(bool wanted, Item&& item) {
      const T x = static_cast<T>(item);  // in any case, so that nothing depends on a branch
      if constexpr (std::floating_point<T>)
        value = op{}(value, wanted ? x : neutral_number<Op, T>());
      else
        value = wanted ? op{}(value, x) : value;
    }
    template <class Get, class Test>
    [[gnu::always_inline]] void take_all_if(const Get& get, std::size_t first, std::size_t last,
                                            Test&& test) {
      if constexpr (std::floating_point<T> || gets_numbers<Get>) {
        value = op{}(value, detail::fold_numbers_if<Op, T>(get, first, last, test));
      } else {
        for (; first != last; ++first) {
          auto&& x = get(first);
          take_if(test(std::as_const(x)), x);
        }
      }
    }
    T finish() && { return value; }
  };
  folder begin(std::size_t) const noexcept { return {}; }
  T merge(T&& left, T&& right) const noexcept { return op{}(left, right); }
};

/// The number of items.
struct count_consumer {
  using part = std::size_t;
  static constexpr wanted rule = wanted::all;
  static constexpr bool any_cut = true;

  struct folder {
    std::size_t count = 0;

    template <class Item>
    [[gnu::always_inline]] void take(Item&&) noexcept {
      ++count;
    }
    template <class Item>
    [[gnu::always_inline]] void take_if(bool wanted, Item&&) noexcept {
      count = wanted ? count + 1 : count;  // compilers vectorise this, or make a branch
    }
    template <class Get, class Test>
    [[gnu::always_inline]] void take_all_if(const Get& get, std::size_t first, std::size_t last,
                                            Test&& test) {
      using item = std::invoke_result_t<const Get&, std::size_t>;
      count += detail::count_hits<item>(first, last, [&](std::size_t i) {
        auto&& x = get(i);
        return test(std::as_const(x));
      });
    }
    std::size_t finish() && noexcept { return count; }
  };
  folder begin(std::size_t) const noexcept { return {}; }
  std::size_t merge(std::size_t left, std::size_t right) const noexcept { return left + right; }
};

/// Items can be combined with values of type T, and values of type T with each other.
template <class Op, class T, class Item>
concept combines = chain_function<Op, T, Item> && chain_function<Op, T, T> &&
    std::constructible_from<T, function_result<Op, T, Item>> &&
    std::constructible_from<T, function_result<Op, T, T>>;

}  // namespace filch::detail
