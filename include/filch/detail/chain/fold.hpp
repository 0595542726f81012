// Consumers that make one value of all items.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/sources.hpp"
#include "filch/detail/kernel/fold.hpp"
#include "filch/detail/kernel/lanes.hpp"
#include "filch/detail/kernel/scanners.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// Sources whose items are best read by position, in a plain loop that compilers optimise.
template <class Source>
concept plain_positions = plumbing::indexed_source<Source> && !plumbing::feeding_source<Source>;

/// The elements of a range in contiguous memory. Reading them is the only cost of an item.
template <class Source>
concept plain_elements = plain_positions<Source> && plumbing::iterable_source<Source> &&
    std::contiguous_iterator<typename Source::iterator>;

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

/// Each leaf begins with make(), which must be a neutral value.
template <class T, class Item, class Op, class Make>
class fold_consumer {
 public:
  using part = T;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;

  fold_consumer(const Op& op, const Make& make) noexcept : op_(op), make_(make) {}

  class folder {
   public:
    folder(const Op& op, T value) : op_(op), value_(std::move(value)) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      value_ = static_cast<T>(op_(std::move(value_), static_cast<I&&>(item)));
    }
    T finish() && { return std::move(value_); }

   private:
    function_for<Op, T, Item> op_;
    T value_;
  };
  folder begin(std::size_t) const {
    function_for<Make> make(make_);
    return folder(op_, static_cast<T>(make()));
  }
  T merge(T&& left, T&& right) const {
    function_for<Op, T, T> op(op_);
    return static_cast<T>(op(std::move(left), std::move(right)));
  }

 private:
  const Op& op_;
  const Make& make_;
};

/// Each leaf begins with its first item. A leaf without items has no value.
template <class T, class Item, class Op>
class reduce_consumer {
 public:
  using part = std::optional<T>;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;

  explicit reduce_consumer(const Op& op) noexcept : op_(op) {}

  class folder {
   public:
    explicit folder(const Op& op) : op_(op) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (value_)
        *value_ = static_cast<T>(op_(*std::move(value_), static_cast<I&&>(item)));
      else
        value_.emplace(static_cast<I&&>(item));
    }
    /// A loop that does not ask for each item whether it is the first.
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      T more = detail::fold_items<T>(op_, get, first, last);
      if (value_)
        *value_ = static_cast<T>(op_(*std::move(value_), std::move(more)));
      else
        value_.emplace(std::move(more));
    }
    part finish() && { return std::move(value_); }

   private:
    function_for<Op, T, Item> op_;
    part value_;
  };
  folder begin(std::size_t) const { return folder(op_); }
  part merge(part&& left, part&& right) const {
    if (!left || !right) return left ? std::move(left) : std::move(right);
    function_for<Op, T, T> op(op_);
    return static_cast<T>(op(*std::move(left), *std::move(right)));
  }

 private:
  const Op& op_;
};

/// The number that is neutral for the operation.
template <class Op, class T>
constexpr T neutral_number() noexcept {
  using any = typename number_op<Op>::any;
  if constexpr (std::same_as<any, std::multiplies<>>) return T{1};
  if constexpr (std::same_as<any, std::bit_and<>>) return static_cast<T>(~T{});
  return T{};
}

/// The operations of <functional> on numbers, in lanes where the items have positions.
template <class T, class Op>
class number_consumer {
  using op = lane_op<Op, T>;

 public:
  using part = T;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  /// Compilers vectorise sums of integers, but keep the order of floating-point additions.
  static constexpr std::size_t lanes = std::floating_point<T> ? lanes_for<T> : 1;
  /// A sum of floating-point numbers depends on the order of additions.
  static constexpr bool any_cut = !std::floating_point<T>;
  template <class Source>
  static constexpr std::size_t least = least_of_cheap<Source>;

  class folder {
   public:
    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      value_ = op{}(value_, static_cast<T>(item));
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      if constexpr (std::floating_point<T> || gets_numbers<Get>)
        value_ = op{}(value_, detail::fold_numbers<T>(op{}, get, first, last));
      else
        for (; first != last; ++first) take(get(first));
    }
    /// Avoids a branch, or lets the compiler avoid one where that pays. Floating-point numbers are
    /// summed in lanes; an unwanted one is replaced by the neutral number.
    template <class Item>
    [[gnu::always_inline]] void take_if(bool wanted, Item&& item) {
      const T value = static_cast<T>(item);  // in any case, so that nothing depends on a branch
      if constexpr (std::floating_point<T>)
        value_ = op{}(value_, wanted ? value : neutral_number<Op, T>());
      else
        value_ = wanted ? op{}(value_, value) : value_;
    }
    template <class Get, class Test>
    [[gnu::always_inline]] void take_all_if(const Get& get, std::size_t first, std::size_t last,
                                            Test&& test) {
      if constexpr (std::floating_point<T> || gets_numbers<Get>) {
        const auto wanted = [&](std::size_t i) {
          auto&& x = get(i);
          return test(std::as_const(x)) ? static_cast<T>(x) : neutral_number<Op, T>();
        };
        value_ = op{}(value_, detail::fold_numbers<T>(op{}, wanted, first, last));
      } else {
        for (; first != last; ++first) {
          auto&& x = get(first);
          take_if(test(std::as_const(x)), x);
        }
      }
    }
    T finish() && { return value_; }

   private:
    T value_ = neutral_number<Op, T>();
  };
  folder begin(std::size_t) const noexcept { return {}; }
  T merge(T&& left, T&& right) const noexcept { return op{}(left, right); }
};

/// The number of items.
class count_consumer {
 public:
  using part = std::size_t;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  static constexpr bool any_cut = true;

  class folder {
   public:
    template <class Item>
    [[gnu::always_inline]] void take(Item&&) noexcept {
      ++count_;
    }
    template <class Item>
    [[gnu::always_inline]] void take_if(bool wanted, Item&&) noexcept {
      count_ = wanted ? count_ + 1 : count_;  // compilers vectorise this, or make a branch
    }
    template <class Get, class Test>
    [[gnu::always_inline]] void take_all_if(const Get& get, std::size_t first, std::size_t last,
                                            Test&& test) {
      using item = std::invoke_result_t<const Get&, std::size_t>;
      count_ += detail::count_hits<item>(first, last, [&](std::size_t i) {
        auto&& x = get(i);
        return test(std::as_const(x));
      });
    }
    std::size_t finish() && noexcept { return count_; }

   private:
    std::size_t count_ = 0;
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
