// As what items are kept by those who keep some.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
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

/// Makes what is kept of an item. (A lambda in a member of a range would have the type of that in
/// its name, which so would grow twofold with each of them in a chain.)
template <class Item>
struct keeping {
  kept_as<Item> operator()(Item item) const { return kept_as<Item>(static_cast<Item&&>(item)); }
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

/// A std::string_view, a std::span: it refers to elements that another object has.
template <class T>
concept elsewhere = std::ranges::view<T> && std::ranges::borrowed_range<T>;

/// Would a `To` refer to elements of a `From` that ends with the call?
template <class From, class To>
inline constexpr bool views_what_ends =
    !std::is_lvalue_reference_v<From> && elsewhere<std::remove_cvref_t<To>> &&
    std::ranges::range<std::remove_reference_t<From>&> && !elsewhere<std::remove_cvref_t<From>>;

/// The key of an item is kept while the item moves.
template <class K, class Item>
constexpr void require_lasting_key() {
  static_assert(!elsewhere<K> || std::is_lvalue_reference_v<Item> ||
                    std::is_trivially_copyable_v<std::remove_cvref_t<Item>>,
                "filch: the key of an item that is not borrowed must not be a view, such as a "
                "std::string_view: it may refer to the item, which moves while its key is kept. "
                "Return something that owns its elements, such as a std::string");
}

}  // namespace filch::detail
