// Consumers that collect the items of a parallel range in several containers.
#pragma once

#include "filch/detail/chain/collect.hpp"
#include "filch/detail/chain/range_part.hpp"
#include "filch/detail/chain/split_consumer.hpp"
#include "filch/detail/kernel/by_key.hpp"
#include "filch/expected.hpp"

namespace filch {

/// Consumers that distribute items over containers.
template <class Source, class Fork>
class range_partition {
  using item = typename Source::item;
  using value = detail::decayed<item>;

 public:
  /// Returns the first members of items that are pairs in one container, the second members in
  /// another. Rayon: unzip.
  ///
  /// How      As to(), for both at once: vectors of items with positions are filled in place.
  /// Returns  A pair of containers, vectors unless others are named.
  /// Throws, Threads, Memory, Cost  as to().
  ///
  ///     auto [names, ages] = filch::par(people).map(name_and_age).unzip();
  [[nodiscard]] auto unzip() {
    static_assert(detail::pair_like<item>, "filch: unzip(): the items must be pairs");
    return unzip<std::vector<std::tuple_element_t<0, value>>,
                 std::vector<std::tuple_element_t<1, value>>>();
  }
  template <class A, class B>
  [[nodiscard]] std::pair<A, B> unzip() {
    static_assert(detail::pair_like<item>, "filch: unzip(): the items must be pairs");
    using half_a = decltype(std::get<0>(std::declval<item>()));
    using half_b = decltype(std::get<1>(std::declval<item>()));
    detail::require_collectable<A, half_a>();
    detail::require_collectable<B, half_b>();
    constexpr bool exact = plumbing::exact_source<Source>;
    detail::collector_for<A, half_a, exact> first(self().source());
    detail::collector_for<B, half_b, exact> second(self().source());
    return drive_split<detail::by_halves>(nothing(), first, second);
  }

  /// Returns the items for which pred(item) holds in one container, and the others in another, both
  /// in their order. Rayon: partition. Standard library: std::ranges::partition_copy.
  ///
  /// How      `pred` is called once for each item. Otherwise as to() after a filter.
  /// Returns  A pair of containers, vectors unless another is named.
  /// Throws, Threads, Memory, Cost  as to().
  ///
  ///     auto [even, odd] = filch::par(v).partition([](int x) { return x % 2 == 0; });
  template <class Pred>
  [[nodiscard]] auto partition(Pred pred) {
    return partition<std::vector<value>>(std::move(pred));
  }
  template <class Container, class Pred>
  [[nodiscard]] std::pair<Container, Container> partition(Pred pred) {
    detail::require_predicate<Pred, item>();
    detail::require_collectable<Container, item>();
    detail::gathering_collector<Container, item> first;
    detail::gathering_collector<Container, item> second;
    return drive_split<detail::by_answer<Pred, item>>(pred, first, second);
  }

  /// Returns f(item) of all items in two containers. f returns a std::variant of two types, or an
  /// expected, whose values and errors go into different containers. Rayon: partition_map.
  ///
  /// Returns  A pair of vectors. Otherwise like partition().
  ///
  ///     auto [numbers, errors] = filch::par(words).partition_map(parse_number);
  template <class F>
  [[nodiscard]] auto partition_map(F f) {
    detail::require_function<F, item>();
    using made = detail::function_result<F, item>;
    detail::require_lasting<made>();
    using kinds = detail::two_kinds<std::remove_cvref_t<made>>;
    static_assert(
        requires { typename kinds::type; },
        "filch: partition_map(f): f must return a std::variant of two types, or a "
        "filch::expected with a value");
    using A = typename kinds::type::first_type;
    using B = typename kinds::type::second_type;
    detail::gathering_collector<std::vector<A>, A> first;
    detail::gathering_collector<std::vector<B>, B> second;
    return drive_split<detail::by_alternative<F, item>>(f, first, second);
  }

  /// Groups the items by key(item): for every key a pair of the key and a vector of its items, in
  /// their order. The keys come in the order of their first occurrence. Like filch::group_by_key,
  /// and itertools' into_group_map.
  ///
  /// How      Keys are hashed (std::hash) and compared by ==; `key` is called once for each item.
  ///          Items without positions are gathered first.
  /// Returns  A vector of pairs.
  /// Throws   As to(); what hashing and comparing throws.
  /// Threads, Memory  as to().
  /// Cost     A look-up in a hash table and a copy (or move) for each item.
  ///
  ///     for (auto& [length, group] : filch::par(words).group_by(&std::string::size)) ...
  template <class Key>
  [[nodiscard]] auto group_by(Key key) {
    detail::require_keepable<item>();
    using K = typename decltype(detail::require_key<Key, item>())::type;
    detail::require_lasting<K>();
    static_assert(
        std::equality_comparable<K> && requires(const K& k) { std::hash<K>()(k); },
        "filch: group_by(key): keys must have a std::hash and an ==");
    return self().run([&](const auto& run) -> std::vector<std::pair<K, std::vector<value>>> {
      if constexpr (plumbing::indexed_source<Source>) {
        return group<K>(run, self().source(), key, run.o);
      } else {
        detail::piece_memory memory(detail::kind_of<value>);
        const auto all =
            plumbing::drive(run, self().source(), detail::pieces_consumer<value>{memory});
        if (!all) return {};
        return group<K>(run, detail::pieces_source<value>(*all), key, detail::second_pass(run.o));
      }
    });
  }

  FILCH_REFUSED_ON_A_CONSTANT((), unzip);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&), partition, partition_map, group_by);

 private:
  template <class Way, class Route, class A, class B>
  auto drive_split(const Route& route, A& first, B& second) {
    return self().run([&](const auto& run) {
      const auto a = first.consumer();
      const auto b = second.consumer();
      using consumer = detail::split_consumer<Way, Route, decltype(first.consumer()),
                                              decltype(second.consumer())>;
      return detail::finish_both(first, second, run,
                                 plumbing::drive(run, self().source(), consumer{route, a, b}));
    });
  }

  template <class K, class Run, class Items, class Key>
  static auto group(const Run& run, const Items& items, const Key& key, const options& o) {
    std::hash<K> hash;
    std::equal_to<> equal;
    detail::listing<value> lists;
    return detail::by_key<K, std::vector<value>, std::hash<K>, std::equal_to<>,
                          detail::listing<value>>(hash, equal, lists)
        .run(run.fork, items.size(), detail::worth_hashing, o,
             [&](std::size_t from, std::size_t to, auto&& sink) {
               detail::function_for<Key, detail::seen_as<item>> key_of{key};
               const auto take = [&](std::size_t position, auto&& x) {
                 auto&& seen = detail::shown_as<std::remove_cvref_t<item>>(x);
                 K k(key_of(std::as_const(seen)));  // before the item goes away
                 sink(position, std::move(k), static_cast<decltype(x)>(x));
               };
               if constexpr (plumbing::indexed_source<Items>)
                 for (; from != to; ++from) take(from, items.get(from));
               else
                 items.each(from, to, take);
             });
  }
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch
