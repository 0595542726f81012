// Consumers that put each item where it stays, for chains whose items have positions.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/fold.hpp"
#include "filch/detail/chain/made.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/plumbing.hpp"

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
class in_place_consumer {
 public:
  using part = made_items;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  static constexpr bool any_cut = true;
  template <class Source>
  static constexpr std::size_t least = std::is_trivially_copyable_v<T> ? least_of_cheap<Source> : 1;

  /// There is memory for all items from `first` on.
  explicit in_place_consumer(T* first) noexcept : first_(first) {}

  class folder {
   public:
    explicit folder(T* first) noexcept : made_(first) {}
    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      made_.add<T>([&](T* slot) { std::construct_at(slot, static_cast<Item&&>(item)); });
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      if constexpr (std::is_trivially_destructible_v<T>) {
        // If a function of the chain throws, these need no destructor, so the loop need not count
        // them.
        made_.add_many<T>(last - first, [&](T* slot, std::size_t k) {
          detail::make_item(slot + k, get, first + k);
        });
      } else {
        for (std::size_t i = first; i != last; ++i)
          made_.add<T>([&](T* slot) { detail::make_item(slot, get, i); });
      }
    }
    part finish() && noexcept { return std::move(made_); }

   private:
    part made_;
  };
  folder begin(std::size_t position) const noexcept { return folder(first_ + position); }
  part merge(part&& left, part&& right) const noexcept {
    left.append(std::move(right));
    return std::move(left);
  }

 private:
  T* first_;
};

/// Assigns the items to existing objects.
template <std::random_access_iterator O>
class assign_consumer {
 public:
  using part = nothing;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  static constexpr bool any_cut = true;

  /// There are as many objects from `first` on as there are items.
  explicit assign_consumer(O first) : first_(std::move(first)) {}

  class folder {
   public:
    explicit folder(O to) : to_(std::move(to)) {}
    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      *to_ = static_cast<Item&&>(item);
      ++to_;
    }
    template <class Get>
    requires std::contiguous_iterator<O>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      auto* const to = std::to_address(to_);
      const std::size_t n = last - first;
      for (std::size_t k = 0; k != n; ++k) to[k] = get(first + k);
      to_ = detail::at(to_, n);
    }
    nothing finish() && noexcept { return {}; }

   private:
    O to_;
  };
  folder begin(std::size_t position) const { return folder(detail::at(first_, position)); }
  nothing merge(nothing, nothing) const noexcept { return {}; }

 private:
  O first_;
};

}  // namespace filch::detail
