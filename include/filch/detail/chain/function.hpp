// The functions of a chain: shared by all threads, or one copy for each leaf of items.
#pragma once

#include "filch/detail/chain/decayed.hpp"
#include "filch/detail/chain/protocol.hpp"

namespace filch::detail {

using plumbing::wanted;

/// How a leaf uses an object of the chain.
template <class T>
using in_frame = std::conditional_t<plumbing::fits_a_frame<T>, const T, const T&>;

/// Can it be called through a const reference, by several threads at once? If so, it is.
template <class F, class... Items>
concept shareable = std::invocable<const F&, Items...>;

/// Can one thread call it, with a copy of its own?
template <class F, class... Items>
concept copyable_per_leaf = std::copy_constructible<F> && std::invocable<F&, Items...>;

template <class F, class... Items>
concept chain_function = shareable<F, Items...> || copyable_per_leaf<F, Items...>;

/// The result of a function of a chain for such items.
template <class F, class... Items>
using function_result =
    std::invoke_result_t<std::conditional_t<shareable<F, Items...>, const F&, F&>, Items...>;

/// The type of the objects that a function without arguments makes.
template <class Make>
using made_by = std::remove_cvref_t<function_result<Make>>;

/// A function that makes an item of others, so it must return something.
template <class F, class... Items>
concept returns_an_item =
    chain_function<F, Items...> && !std::is_void_v<function_result<F, Items...>>;

/// A function of the chain in a leaf, which keeps it as a `Kept`: a reference, or a copy.
template <class Kept>
struct leaf_function {
  [[no_unique_address]] Kept f;

  template <class... Items>
  [[gnu::always_inline]] decltype(auto) operator()(Items&&... items) {
    return std::invoke(f, static_cast<Items&&>(items)...);
  }
};

/// Each leaf has a copy of a function that its calls change.
template <class F, class... Items>
using function_for = leaf_function<std::conditional_t<shareable<F, Items...>, in_frame<F>, F>>;

/// The base of consumers without a result.
struct no_result {
  using part = nothing;
  static constexpr wanted rule = wanted::all;
  nothing merge(nothing, nothing) const noexcept { return {}; }
};

/// A function that returns true or false for items, which it leaves unchanged.
template <class F, class... Items>
concept chain_predicate =
    chain_function<F, Items...> && std::is_convertible_v < function_result<F, Items...>,
bool > ;

/// The type in which a predicate gets an item that is used afterwards: const, so that the predicate
/// does not change or move it.
template <class Item>
using seen_as = const std::remove_reference_t<Item>&;

/// Checks a function that a consumer calls.
template <class F, class Item>
constexpr void require_function() {
  static_assert(chain_function<F, Item>,
                "filch: the function must be callable with an item of this range; one that calls "
                "change (mutable) must be copyable too");
}

/// Checks a predicate that a consumer calls.
template <class Pred, class Item>
constexpr void require_predicate() {
  static_assert(chain_function<Pred, seen_as<Item>>,
                "filch: the predicate must be callable with a const reference to an item of this "
                "range");
}

/// Checks a function that makes the keys by which items are compared. Returns the type of its keys.
template <class Key, class Item>
constexpr auto require_key() {
  static_assert(chain_function<Key, seen_as<Item>>,
                "filch: the key function must be callable with an item of this range, and copyable "
                "if calls change it");
  using K = decayed<function_result<Key, seen_as<Item>>>;
  static_assert(!refers_elsewhere<K> || std::is_lvalue_reference_v<Item> ||
                    std::is_trivially_copyable_v<std::remove_cvref_t<Item>>,
                "filch: the key of an item that is not borrowed must not be a view, such as a "
                "std::string_view, nor have a part that is one: it may refer to the item, which "
                "moves while its key is kept. Return something that owns its elements, such as a "
                "std::string");
  return std::type_identity<K>();
}

/// Returns the part of a chain's only consumer, or an empty one if there were no positions.
template <class T>
std::optional<T> flat(std::optional<std::optional<T>>&& part) {
  return part ? *std::move(part) : std::nullopt;
}

}  // namespace filch::detail
