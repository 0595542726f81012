// Consumers that collect the items of a parallel range in several containers.
#pragma once

#include "filch/detail/chain/range_part.hpp"
#include "filch/detail/chain/split_consumer.hpp"
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
    return detail::unzip_of<A, B>(self());
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
    return detail::partition_of<Container>(self(), pred);
  }

  /// Returns f(item) of all items in two containers. f returns a std::variant of two types, or an
  /// expected, whose values and errors go into different containers. Rayon: partition_map.
  ///
  /// Returns  A pair of vectors. Otherwise like partition().
  ///
  ///     auto [numbers, errors] = filch::par(words).partition_map(parse_number);
  template <class F>
  [[nodiscard]] auto partition_map(F f) {
    return detail::partition_map_of(self(), f);
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
    return detail::group_of(self(), key);
  }

  FILCH_REFUSED_ON_A_CONSTANT((), unzip);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&), partition, partition_map, group_by);

 private:
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch
