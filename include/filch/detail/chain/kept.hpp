// As what items are kept by those who keep some.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
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

/// Does it refer to something that another object has, or is it something with such a part?
/// (Pointers are not asked.)
template <class T>
inline constexpr bool refers_elsewhere = elsewhere<T>;
template <class T>
inline constexpr bool refers_elsewhere<std::reference_wrapper<T>> = true;
template <class T>
inline constexpr bool refers_elsewhere<std::optional<T>> = refers_elsewhere<std::remove_cv_t<T>>;
template <class A, class B>
inline constexpr bool refers_elsewhere<std::pair<A, B>> =
    refers_elsewhere<std::remove_cv_t<A>> || refers_elsewhere<std::remove_cv_t<B>>;
template <class... T>
inline constexpr bool refers_elsewhere<std::tuple<T...>> = (refers_elsewhere<std::remove_cv_t<T>> ||
                                                            ...);

/// Would a view `To` refer to elements of a `From` that ends with the call? Both are values.
template <class From, class To>
inline constexpr bool views_value = elsewhere<To>&& std::ranges::range<From&> && !elsewhere<From>;

/// The same of an item, of which an lvalue does not end, and of its parts.
template <class From, class To>
inline constexpr bool views_what_ends = views_value<From, To>;
template <class From, class To>
inline constexpr bool views_what_ends<From&, To> = false;
template <class From, class To>
inline constexpr bool views_what_ends<From&&, To> = views_what_ends<From, To>;
template <class From, class To>
inline constexpr bool views_what_ends<std::optional<From>, std::optional<To>> =
    views_what_ends<From, std::remove_cv_t<To>>;
template <class A, class B, class C, class D>
inline constexpr bool views_what_ends<std::pair<A, B>, std::pair<C, D>> =
    views_what_ends<A, std::remove_cv_t<C>> || views_what_ends<B, std::remove_cv_t<D>>;
template <class... A, class... B>
requires(sizeof...(A) ==
         sizeof...(B)) inline constexpr bool views_what_ends<std::tuple<A...>, std::tuple<B...>> =
    (views_what_ends<A, std::remove_cv_t<B>> || ...);

/// For those who make elements of items.
template <class Item, class Element>
constexpr void require_living_elements() {
  static_assert(!views_what_ends<Item, std::remove_cvref_t<Element>>,
                "filch: what is kept would be views of items that end at once. Keep what the items "
                "are, or map borrowed elements to views of them");
}

/// The key of an item is kept while the item moves.
template <class K, class Item>
constexpr void require_lasting_key() {
  static_assert(!refers_elsewhere<K> || std::is_lvalue_reference_v<Item> ||
                    std::is_trivially_copyable_v<std::remove_cvref_t<Item>>,
                "filch: the key of an item that is not borrowed must not be a view, such as a "
                "std::string_view, nor have a part that is one: it may refer to the item, which "
                "moves while its key is kept. Return something that owns its elements, such as a "
                "std::string");
}

}  // namespace filch::detail
