// Consumers that make one value of all items.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/drive.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/split/lanes.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// Items that are best had by their numbers: the loop over them is one that compilers know.
template <class Source>
concept plain_positions = plumbing::indexed_source<Source> && !plumbing::feeding_source<Source>;

/// Elements of a range as they lie in memory: reading them is all that an item costs.
template <class Source>
concept plain_elements = plain_positions<Source> && requires {
  requires std::contiguous_iterator<typename Source::iterator>;
};

/// What is worth a fork if nothing but cheap operations is done with the items.
template <class Source>
inline constexpr std::size_t least_of_cheap = plain_elements<Source> ? cheap_items : 1;

/// Begins with a value of its own in every stretch: make() is neutral.
template <class T, class Item, class Op, class Make>
class fold_consumer {
 public:
  using part = T;
  static constexpr wanted rule = wanted::all;

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

/// Begins with the first item of every stretch; nothing for a stretch without items.
template <class T, class Item, class Op>
class reduce_consumer {
 public:
  using part = std::optional<T>;
  static constexpr wanted rule = wanted::all;

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

  /// Without asking for every item whether it is the first.
  template <plain_positions Source>
  part fold(const Source& source, std::size_t first, std::size_t last) const {
    function_for<Op, T, Item> op(op_);
    T value(source.get(first));
    while (++first != last) value = static_cast<T>(op(std::move(value), source.get(first)));
    return part(std::move(value));
  }

 private:
  const Op& op_;
};

/// The number that changes nothing.
template <class Op, class T>
constexpr T neutral_number() noexcept {
  using any = typename number_op<Op>::any;
  if constexpr (std::same_as<any, std::multiplies<>>) return T{1};
  if constexpr (std::same_as<any, std::bit_and<>>) return static_cast<T>(~T{});
  return T{};
}

/// Operations of <functional> on numbers, in lanes where the items have positions.
template <class T, class Op>
class number_consumer {
  using op = lane_op<Op, T>;

 public:
  using part = T;
  static constexpr wanted rule = wanted::all;
  /// Sums of integers compilers make vectors of, but with floating numbers they keep the order.
  static constexpr std::size_t lanes = std::floating_point<T> ? lanes_for<T> : 1;
  /// Sums of floating numbers depend on which are added first.
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
    requires std::floating_point<T>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      value_ = op{}(value_, detail::fold_in_lanes<T>(op{}, get, first, last));
    }
    /// Without a jump, or so that the compiler can do without one where that pays. Of floating
    /// numbers, which go in lanes, what is not wanted counts as the neutral number.
    template <class Item>
    [[gnu::always_inline]] void take_if(bool wanted, Item&& item) {
      const T value = static_cast<T>(item);  // in any case, so that nothing depends on a jump
      if constexpr (std::floating_point<T>)
        value_ = op{}(value_, wanted ? value : neutral_number<Op, T>());
      else
        value_ = wanted ? op{}(value_, value) : value_;
    }
    T finish() && { return value_; }

   private:
    T value_ = neutral_number<Op, T>();
  };
  folder begin(std::size_t) const noexcept { return {}; }
  T merge(T&& left, T&& right) const noexcept { return op{}(left, right); }

  template <plain_positions Source>
  T fold(const Source& source, std::size_t first,
         std::size_t last) const requires std::floating_point<T> {
    return detail::fold_in_lanes<T>(op{}, item_getter(source), first, last);
  }
};

/// How many items there are.
class count_consumer {
 public:
  using part = std::size_t;
  static constexpr wanted rule = wanted::all;
  static constexpr bool any_cut = true;

  class folder {
   public:
    template <class Item>
    [[gnu::always_inline]] void take(Item&&) noexcept {
      ++count_;
    }
    template <class Item>
    [[gnu::always_inline]] void take_if(bool wanted, Item&&) noexcept {
      count_ = wanted ? count_ + 1 : count_;  // a choice: compilers make vectors of it, or a jump
    }
    std::size_t finish() && noexcept { return count_; }

   private:
    std::size_t count_ = 0;
  };
  folder begin(std::size_t) const noexcept { return {}; }
  std::size_t merge(std::size_t left, std::size_t right) const noexcept { return left + right; }
};

}  // namespace filch::detail
