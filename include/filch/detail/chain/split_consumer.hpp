// Consumers that pass items to two other consumers.
#pragma once

#include <algorithm>
#include <variant>

#include "filch/detail/base/public_types.hpp"
#include "filch/detail/chain/filter.hpp"

namespace filch::detail {

/// A consumer with two consumers behind it. `Way`, which is made of `route` for each leaf, says
/// which of their folders gets an item:
///   way(item, a, b)    passes the item, or a part of it, to folder `a`, to folder `b` or to both
///   puts<Item, To>     has it put(item, a, b), for folders To with storage for one more item?
template <class Way, class Route, class A, class B>
struct split_consumer {
  using part = std::pair<typename A::part, typename B::part>;
  static constexpr wanted rule = wanted::all;
  static constexpr bool any_cut = plumbing::fits_any_cut<A> && plumbing::fits_any_cut<B>;
  const Route& route;
  const A& a;
  const B& b;

  template <class FolderA, class FolderB>
  struct folder {
    Way way;
    FolderA a;
    FolderB b;

    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      way(static_cast<Item&&>(item), a, b);
    }
    template <class Get>
    requires(Way::template puts<std::invoke_result_t<const Get&, std::size_t>, FolderA>)
        [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      while (first != last) {
        const std::size_t end =
            first + std::min({last - first, a.ensure_capacity(), b.ensure_capacity()});
        for (; first != end; ++first) way.put(get(first), a, b);
      }
    }
    part finish() && { return {std::move(a).finish(), std::move(b).finish()}; }
  };
  auto begin(std::size_t position) const {
    using both = folder<decltype(a.begin(position)), decltype(b.begin(position))>;
    return both{{{route}}, a.begin(position), b.begin(position)};
  }
  part merge(part&& left, part&& right) const {
    return {a.merge(std::move(left.first), std::move(right.first)),
            b.merge(std::move(left.second), std::move(right.second))};
  }
};

/// For pairs: the first half goes to `a`, the second to `b`.
struct by_halves {
  nothing route;

  template <class Item, class To>
  static constexpr bool puts = false;
  template <class Item, class A, class B>
  [[gnu::always_inline]] void operator()(Item&& item, A& a, B& b) const {
    using std::get;
    a.take(get<0>(static_cast<Item&&>(item)));
    b.take(get<1>(static_cast<Item&&>(item)));  // the other half: the first may be moved out
  }
};

/// By a predicate: items for which it is true go to `a`, the others to `b`.
template <class Pred, class Item>
struct by_answer {
  function_for<Pred, seen_as<Item>> pred;

  /// Writes the item to both, so that no branch depends on the predicate.
  template <class I, class To>
  static constexpr bool puts = To::template writes_twice<seen_as<I>>;

  template <class I, class To>
  [[gnu::always_inline]] void operator()(I&& item, To& a, To& b) {
    if constexpr (puts<I, To>) {
      (void)a.ensure_capacity();
      (void)b.ensure_capacity();
      put(static_cast<I&&>(item), a, b);
    } else if (pred(static_cast<seen_as<I>>(item))) {
      a.take(static_cast<I&&>(item));
    } else {
      b.take(static_cast<I&&>(item));
    }
  }
  /// Writes the item to both, which have storage for it. One of them counts it.
  template <class I, class To>
  requires(puts<I, To>) [[gnu::always_inline]] void put(I&& item, To& a, To& b) {
    const bool first = static_cast<bool>(pred(static_cast<seen_as<I>>(item)));
    const auto value = static_cast<typename To::value>(static_cast<seen_as<I>>(item));
    a.put_if(first, value);
    b.put_if(!first, value);
  }
};

/// By the result of a function, which holds one of two alternatives.
template <class F, class Item>
struct by_alternative {
  function_for<F, Item> f;

  template <class I, class To>
  static constexpr bool puts = false;
  template <class I, class A, class B>
  [[gnu::always_inline]] void operator()(I&& item, A& a, B& b) {
    auto&& made = f(static_cast<I&&>(item));
    using Made = decltype(made);
    if constexpr (requires { made.has_value(); }) {
      if (made.has_value())
        a.take(*static_cast<Made>(made));
      else
        b.take(static_cast<Made>(made).error());
    } else {
      if (made.index() == 0)
        a.take(std::get<0>(static_cast<Made>(made)));
      else
        b.take(std::get<1>(static_cast<Made>(made)));
    }
  }
};

/// The two alternatives of a type, as a pair: those of a std::variant of two, or of an expected.
template <class Either>
struct two_kinds {};
template <class A, class B>
struct two_kinds<std::variant<A, B>> : std::type_identity<std::pair<A, B>> {};
template <class T, class E>
requires(!std::is_void_v<T>) struct two_kinds<expected<T, E>>
    : std::type_identity<std::pair<T, E>> {
};

template <class Item>
concept pair_like = requires {
  requires std::tuple_size<std::remove_cvref_t<Item>>::value == 2;
};

/// Returns both containers, made from the parts that a chain has given.
template <class A, class B, class Run, class First, class Second>
auto finish_both(A& a, B& b, const Run& run, std::optional<std::pair<First, Second>>&& parts) {
  return std::pair{
      a.finish(run, parts ? std::optional<First>(std::move(parts->first)) : std::nullopt),
      b.finish(run, parts ? std::optional<Second>(std::move(parts->second)) : std::nullopt)};
}

}  // namespace filch::detail
