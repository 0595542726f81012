// Consumers that pass items to two other consumers.
#pragma once

#include <algorithm>
#include <variant>

#include "filch/detail/chain/collect.hpp"
#include "filch/detail/chain/filter.hpp"
#include "filch/detail/kernel/by_key.hpp"

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

/// Runs a range into two collectors, as a `Way` made of `route` says, and returns both containers.
template <class Way, class Range, class Route, class A, class B>
auto collect_both(Range& range, const Route& route, A& first, B& second) {
  return range.run([&](const auto& run) {
    const auto a = first.consumer();
    const auto b = second.consumer();
    using consumer =
        split_consumer<Way, Route, decltype(first.consumer()), decltype(second.consumer())>;
    auto parts = plumbing::drive(run, range.source(), consumer{route, a, b});
    const auto part = [](auto& p) { return std::optional(std::move(p)); };
    return std::pair{first.finish(run, parts ? part(parts->first) : std::nullopt),
                     second.finish(run, parts ? part(parts->second) : std::nullopt)};
  });
}

template <class A, class B, class Range>
std::pair<A, B> unzip_of(Range& range) {
  using item = typename Range::item;
  static_assert(pair_like<item>, "filch: unzip(): the items must be pairs");
  using half_a = decltype(std::get<0>(std::declval<item>()));
  using half_b = decltype(std::get<1>(std::declval<item>()));
  detail::require_collectable<A, half_a>();
  detail::require_collectable<B, half_b>();
  constexpr bool exact = plumbing::exact_source<typename Range::source_type>;
  collector_for<A, half_a, exact> first(range.source());
  collector_for<B, half_b, exact> second(range.source());
  return detail::collect_both<by_halves>(range, nothing(), first, second);
}

template <class Container, class Range, class Pred>
std::pair<Container, Container> partition_of(Range& range, const Pred& pred) {
  using item = typename Range::item;
  detail::require_predicate<Pred, item>();
  detail::require_collectable<Container, item>();
  gathering_collector<Container, item> first, second;
  return detail::collect_both<by_answer<Pred, item>>(range, pred, first, second);
}

template <class Range, class F>
auto partition_map_of(Range& range, const F& f) {
  using item = typename Range::item;
  detail::require_function<F, item>();
  using made = function_result<F, item>;
  detail::require_lasting<made>();
  using kinds = two_kinds<std::remove_cvref_t<made>>;
  static_assert(
      requires { typename kinds::type; },
      "filch: partition_map(f): f must return a std::variant of two types, or a "
      "filch::expected with a value");
  using A = typename kinds::type::first_type;
  using B = typename kinds::type::second_type;
  gathering_collector<std::vector<A>, A> first;
  gathering_collector<std::vector<B>, B> second;
  return detail::collect_both<by_alternative<F, item>>(range, f, first, second);
}

/// Lists items by their keys. `items` gives each of them with its position.
template <class K, class Item, class Fork, class Items, class Key>
auto listed_by_key(const Fork& fork, const Items& items, const Key& key, const options& o) {
  using value = decayed<Item>;
  std::hash<K> hash;
  std::equal_to<> equal;
  listing<value> lists;
  return by_key<K, std::vector<value>, std::hash<K>, std::equal_to<>, listing<value>>(hash, equal,
                                                                                      lists)
      .run(fork, items.size(), worth_hashing, o,
           [&](std::size_t from, std::size_t to, auto&& sink) {
             function_for<Key, seen_as<Item>> key_of{key};
             const auto take = [&](std::size_t position, auto&& x) {
               auto&& seen = detail::shown_as<std::remove_cvref_t<Item>>(x);
               K k(key_of(std::as_const(seen)));  // before the item goes away
               sink(position, std::move(k), static_cast<decltype(x)>(x));
             };
             if constexpr (plumbing::indexed_source<Items>)
               for (; from != to; ++from) take(from, items.get(from));
             else
               items.each(from, to, take);
           });
}

template <class Range, class Key>
auto group_of(Range& range, const Key& key) {
  using item = typename Range::item;
  using value = decayed<item>;
  detail::require_keepable<item>();
  using K = typename decltype(detail::require_key<Key, item>())::type;
  detail::require_lasting<K>();
  static_assert(
      std::equality_comparable<K> && requires(const K& k) { std::hash<K>()(k); },
      "filch: group_by(key): keys must have a std::hash and an ==");
  return range.run([&](const auto& run) -> std::vector<std::pair<K, std::vector<value>>> {
    if constexpr (plumbing::indexed_source<typename Range::source_type>) {
      return detail::listed_by_key<K, item>(run.fork, range.source(), key, run.o);
    } else {
      piece_memory memory(kind_of<value>);
      const auto all = plumbing::drive(run, range.source(), pieces_consumer<value>{memory});
      if (!all) return {};
      return detail::listed_by_key<K, item>(run.fork, pieces_source<value>(*all), key,
                                            second_pass(run.o));
    }
  });
}

}  // namespace filch::detail
