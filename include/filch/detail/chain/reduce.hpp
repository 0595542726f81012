// Combines all items of a parallel range into one value.
#pragma once

#include "filch/detail/chain/fold.hpp"
#include "filch/detail/chain/index_iterator.hpp"
#include "filch/detail/chain/staged.hpp"

namespace filch::detail {

/// The type in which an item is combined with a T: a pair of references becomes a pair of values.
template <class T, class Item>
using combined =
    std::conditional_t<holds_references<Item> && std::same_as<T, decayed<Item>>, T, Item>;

/// Runs a range into a consumer that combines its items with values of type T.
template <class T, class Range, class Consumer>
auto drive_combined(Range& range, const Consumer& consumer) {
  using item = typename Range::item;
  if constexpr (std::same_as<combined<T, item>, item>) {
    return range.drive(consumer);
  } else {
    using stage = converting_stage<T>;
    const stage before;
    return range.drive(staged_consumer<stage, item, Consumer>{{consumer}, before});
  }
}

/// The items and a neutral value that make() returns, combined; just that value if there are none.
template <class T, class Range, class Op, class Make>
T folded(Range& range, const Op& op, const Make& make) {
  using item = typename Range::item;
  if constexpr (known_reduction<Op, T, item>) {
    return range.drive(number_consumer<T, Op>()).value_or(make());
  } else {
    auto all =
        detail::drive_combined<T>(range, fold_consumer<T, combined<T, item>, Op, Make>{op, make});
    return all ? *std::move(all) : static_cast<T>(std::invoke(make));
  }
}

/// The items, combined; nullopt if there are none.
template <class Range, class Op>
auto reduced(Range& range, const Op& op) {
  using item = typename Range::item;
  using value = decayed<item>;
  detail::require_keepable<item>();
  static_assert(combines<Op, value, combined<value, item>>,
                "filch: reduce(op): op must be callable with two items, and return what can be "
                "combined with the next");
  if constexpr (known_reduction<Op, value, item> &&
                plumbing::indexed_source<typename Range::source_type>)
    return range.drive(number_consumer<value, Op>());
  else
    return detail::flat(detail::drive_combined<value>(
        range, reduce_consumer<value, combined<value, item>, Op>{op}));
}

/// `init` and all items, combined. `init` is a value, or makes a neutral one.
template <class Range, class Init, class Op>
auto reduced(Range& range, Init init, const Op& op) {
  using item = typename Range::item;
  if constexpr (std::invocable<const Init&> || std::invocable<Init&>) {
    using T = made_by<Init>;
    detail::require_lasting<T>();
    static_assert(combines<Op, T, combined<T, item>>,
                  "filch: reduce(make, op): op must be callable with what make returns and an "
                  "item, and with two of what make returns, and return such a one");
    auto all =
        detail::drive_combined<T>(range, fold_consumer<T, combined<T, item>, Op, Init>{op, init});
    return all ? *std::move(all) : static_cast<T>(std::invoke(init));
  } else {
    detail::require_lasting<Init>();
    static_assert(std::constructible_from<Init, item>,
                  "filch: reduce(value, op): the value's type must be one that an item can be "
                  "converted to. Otherwise give a function that returns a neutral value: "
                  "reduce([] { return T(); }, op)");
    detail::require_living_elements<item, Init>();
    static_assert(combines<Op, Init, combined<Init, item>>,
                  "filch: reduce(value, op): op must be callable with the value and an item, and "
                  "with two such values, and return such a one");
    if constexpr (known_reduction<Op, Init, item>) {
      auto all = range.drive(number_consumer<Init, Op>());
      return all ? lane_op<Op, Init>{}(init, *all) : init;
    } else {
      auto all = detail::flat(
          detail::drive_combined<Init>(range, reduce_consumer<Init, combined<Init, item>, Op>{op}));
      if (!all) return init;
      function_for<Op, Init, Init> last{op};
      return static_cast<Init>(last(std::move(init), *std::move(all)));
    }
  }
}

}  // namespace filch::detail
