// The functions of a chain: shared by all threads, or one copy for each leaf of items.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>

#include "filch/plumbing.hpp"

namespace filch::detail {

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
struct result_of_function;
template <class F, class... Items>
requires shareable<F, Items...>
struct result_of_function<F, Items...> {
  using type = std::invoke_result_t<const F&, Items...>;
};
template <class F, class... Items>
requires(!shareable<F, Items...> &&
         copyable_per_leaf<F, Items...>) struct result_of_function<F, Items...> {
  using type = std::invoke_result_t<F&, Items...>;
};
template <class F, class... Items>
using function_result = typename result_of_function<F, Items...>::type;

/// A function that makes an item of others, so it must return something.
template <class F, class... Items>
concept returns_an_item =
    chain_function<F, Items...> && !std::is_void_v<function_result<F, Items...>>;

/// How a leaf keeps a function of the chain.
enum class keeps : unsigned char {
  reference,  ///< a reference to the function of the chain
  value,      ///< a copy of it, because it is small
  copy,       ///< a copy for each leaf, because calls change it
};

template <keeps How, class F>
class leaf_function {
 public:
  explicit leaf_function(const F& f) noexcept : f_(std::addressof(f)) {}
  template <class... Items>
  [[gnu::always_inline]] decltype(auto) operator()(Items&&... items) {
    return std::invoke(*f_, static_cast<Items&&>(items)...);
  }

 private:
  const F* f_;
};

template <keeps How, class F>
requires(How != keeps::reference) class leaf_function<How, F> {
 public:
  explicit leaf_function(const F& f) : f_(f) {}
  template <class... Items>
  [[gnu::always_inline]] decltype(auto) operator()(Items&&... items) {
    return std::invoke(f_, static_cast<Items&&>(items)...);
  }

 private:
  [[no_unique_address]] std::conditional_t<How == keeps::value, const F, F> f_;
};

template <class F, class... Items>
using function_for = leaf_function<!shareable<F, Items...>     ? keeps::copy
                                   : plumbing::fits_a_frame<F> ? keeps::value
                                                               : keeps::reference,
                                   F>;

/// A consumer that makes its folders of a function, which outlives it: Folder(function, position).
template <class Base, class Folder, class F>
class function_consumer : public Base {
 public:
  explicit function_consumer(const F& f) noexcept : f_(f) {}
  Folder begin(std::size_t position) const { return Folder(f_, position); }

 private:
  const F& f_;
};

/// The base of consumers without a result.
struct no_result {
  using part = nothing;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  nothing merge(nothing, nothing) const noexcept { return {}; }
};

/// A function that returns true or false for items, which it leaves unchanged.
template <class F, class... Items>
concept chain_predicate =
    chain_function<F, Items...> && std::convertible_to < function_result<F, Items...>,
bool > ;

}  // namespace filch::detail
