// The types in which consumers store items.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// A consumer stores an item as a value. It also stores the references in pairs and tuples as
/// values, such as those that zip() and enumerate() make. A reference might outlive what the chain
/// owns, and assigning to it would change the element that it refers to.
template <class Item>
struct decay_item : std::type_identity<Item> {};
template <class Item>
using decayed = typename decay_item<std::remove_cvref_t<Item>>::type;

template <class Half>
using decayed_half = typename decay_item<
    std::conditional_t<std::is_reference_v<Half>, std::remove_cvref_t<Half>, Half>>::type;
template <class A, class B>
struct decay_item<std::pair<A, B>>
    : std::type_identity<std::pair<decayed_half<A>, decayed_half<B>>> {};
template <class... T>
struct decay_item<std::tuple<T...>> : std::type_identity<std::tuple<decayed_half<T>...>> {};

/// Makes the stored value of an item. It is not a lambda: a lambda in a member function of a range
/// would have the type of the range in its name, so that names would double in length with each
/// adaptor.
template <class Item>
struct to_decayed {
  decayed<Item> operator()(Item item) const { return decayed<Item>(static_cast<Item&&>(item)); }
};

/// Is an item stored as another type than its own?
template <class Item>
inline constexpr bool holds_references = !std::same_as<decayed<Item>, std::remove_cvref_t<Item>>;

/// Converts the stored value of an item of type `Item` back to an `Item`, without copying what it
/// refers to. Functions that compare two items get both as the same type.
template <class Item, class Decayed>
[[gnu::always_inline]] inline decltype(auto) shown_as(Decayed& value) {
  if constexpr (std::same_as<Item, std::remove_const_t<Decayed>>) {
    return static_cast<Decayed&>(value);
  } else if constexpr (std::is_reference_v<Item>) {
    return static_cast<Item>(value);
  } else {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return Item(detail::shown_as<std::tuple_element_t<K, Item>>(std::get<K>(value))...);
    }
    (std::make_index_sequence<std::tuple_size_v<Item>>());
  }
}

/// A std::string_view, a std::span: a type that refers to elements of another object.
template <class T>
concept elsewhere = std::ranges::view<T> && std::ranges::borrowed_range<T>;

/// Does T refer to elements of another object, or has it a part that does? Pointers are not
/// considered.
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

/// The same for items and their parts. An lvalue does not end with the call.
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

/// Checks that elements made of items are not views of items that end.
template <class Item, class Element>
constexpr void require_living_elements() {
  static_assert(!views_what_ends<Item, std::remove_cvref_t<Element>>,
                "filch: what is kept would be views of items that end at once. Keep what the items "
                "are, or map borrowed elements to views of them");
}

}  // namespace filch::detail
