// Consumers that put each item where it stays, for chains whose items have positions.
#pragma once

#include <new>

#include "filch/detail/chain/fold.hpp"
#include "filch/detail/chain/made.hpp"

namespace filch::detail {

/// Constructs get(i) as a T at `slot`. If it is a T, the function that returns it constructs it
/// there, and it is never moved.
template <class T, class Get>
[[gnu::always_inline]] inline void make_item(T* slot, const Get& get, std::size_t i) {
  if constexpr (std::same_as<std::invoke_result_t<const Get&, std::size_t>, T>)
    ::new (static_cast<void*>(slot)) T(get(i));
  else
    std::construct_at(slot, get(i));
}

/// Constructs the items as objects of type T, each where it stays.
template <class T>
struct in_place_consumer {
  using part = made_items;
  static constexpr wanted rule = wanted::all;
  static constexpr bool any_cut = true;
  template <class Source>
  static constexpr std::size_t least = std::is_trivially_copyable_v<T> ? least_of_cheap<Source> : 1;
  T* first;  ///< There is memory for all items from here on.

  struct folder {
    made_items made;

    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      made.add<T>([&](T* slot) { std::construct_at(slot, static_cast<Item&&>(item)); });
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t from, std::size_t to) {
      if constexpr (std::is_trivially_destructible_v<T>) {
        // If a function of the chain throws, these need no destructor, so the loop need not count
        // them.
        made.add_many<T>(
            to - from, [&](T* slot, std::size_t k) { detail::make_item(slot + k, get, from + k); });
      } else {
        for (std::size_t i = from; i != to; ++i)
          made.add<T>([&](T* slot) { detail::make_item(slot, get, i); });
      }
    }
    made_items finish() && noexcept { return std::move(made); }
  };
  folder begin(std::size_t position) const noexcept { return {made_items(first + position)}; }
  part merge(part&& left, part&& right) const noexcept {
    left.append(std::move(right));
    return std::move(left);
  }
};

/// Assigns the items to existing objects.
template <std::random_access_iterator O>
struct assign_consumer : no_result {
  O first;  ///< There are as many objects from here on as there are items.

  struct folder {
    O to;

    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      *to = static_cast<Item&&>(item);
      ++to;
    }
    template <class Get>
    requires std::contiguous_iterator<O>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t from, std::size_t end) {
      auto* const slots = std::to_address(to);
      const std::size_t n = end - from;
      for (std::size_t k = 0; k != n; ++k) slots[k] = get(from + k);
      to = detail::at(to, n);
    }
    nothing finish() && noexcept { return {}; }
  };
  folder begin(std::size_t position) const { return {detail::at(first, position)}; }
};

}  // namespace filch::detail
