// As what items are kept by those who keep some.
#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// Items are kept as values. So are the halves of pairs and tuples that hold references, as zip()
/// and enumerate() make them: a reference may outlive what the chain owns, and to assign to it
/// would change the element that it refers to.
template <class Item>
struct kept {
  using type = Item;
};
template <class Item>
using kept_as = typename kept<std::remove_cvref_t<Item>>::type;

template <class Half>
struct kept_half : kept<Half> {};
template <class Half>
requires std::is_reference_v<Half>
struct kept_half<Half> : kept<std::remove_cvref_t<Half>> {
};

template <class A, class B>
struct kept<std::pair<A, B>> {
  using type = std::pair<typename kept_half<A>::type, typename kept_half<B>::type>;
};
template <class... T>
struct kept<std::tuple<T...>> {
  using type = std::tuple<typename kept_half<T>::type...>;
};

/// Is it kept as something else than a copy of the same type?
template <class Item>
inline constexpr bool holds_references = !std::same_as<kept_as<Item>, std::remove_cvref_t<Item>>;

/// What was kept of an item of type `Item`, as such an item again, without a copy of what that
/// refers to: functions that compare two items get both as the same type.
template <class Item, class Kept>
[[gnu::always_inline]] inline decltype(auto) shown_as(Kept& kept) {
  if constexpr (std::same_as<Item, std::remove_const_t<Kept>>) {
    return static_cast<Kept&>(kept);
  } else if constexpr (std::is_reference_v<Item>) {
    return static_cast<Item>(kept);
  } else {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return Item(detail::shown_as<std::tuple_element_t<K, Item>>(std::get<K>(kept))...);
    }
    (std::make_index_sequence<std::tuple_size_v<Item>>());
  }
}

}  // namespace filch::detail
