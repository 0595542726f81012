// Consumers that find the smallest and the largest item of a parallel range.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/best.hpp"
#include "filch/detail/chain/decayed.hpp"
#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/index_iterator.hpp"
#include "filch/detail/chain/par_range_fwd.hpp"
#include "filch/detail/chain/refused_members.hpp"

namespace filch {

/// Consumers that compare items.
template <class Source, class Fork>
class range_min_max {
  using range = par_range<Source, Fork>;
  using item = typename Source::item;
  using value = detail::decayed<item>;

 public:
  /// Returns a copy of the smallest item in the order of `comp`, of several the first; nullopt if
  /// there are no items. A pair with references is copied to a pair of values. Rayon: min and
  /// min_by. Standard library: std::ranges::min.
  ///
  /// How      Each leaf keeps its smallest item. Numbers in their usual order are compared in
  ///          lanes, so that of a positive and a negative zero either may be returned.
  /// Throws, Threads  as for_each(); what `comp` throws.
  /// Memory   An item for each leaf that is being worked on.
  /// Cost     One comparison for each item, and a copy of each item that is the smallest so far.
  ///
  ///     std::optional<int> least = filch::par(v).min();
  template <class Comp = std::ranges::less>
  [[nodiscard]] std::optional<value> min(Comp comp = {}) {
    return best<false>(comp);
  }
  /// Returns a copy of the largest item, of several the first, as std::ranges::max. (Rayon's max
  /// and max_by give the last.) Otherwise like min().
  ///
  ///     std::optional<int> most = filch::par(v).max();
  template <class Comp = std::ranges::less>
  [[nodiscard]] std::optional<value> max(Comp comp = {}) {
    return best<true>(comp);
  }
  /// Other names of min() and max().
  template <class Comp>
  [[nodiscard]] std::optional<value> min_by(Comp comp) {
    return best<false>(comp);
  }
  template <class Comp>
  [[nodiscard]] std::optional<value> max_by(Comp comp) {
    return best<true>(comp);
  }

  /// Returns a copy of the item with the smallest key(item), of several the first. Rayon:
  /// min_by_key. Standard library: std::ranges::min with a projection.
  ///
  /// How   `key` is called once for each item. Otherwise like min().
  ///
  ///     std::optional<person> youngest = filch::par(people).min_by_key(&person::age);
  template <class Key, class Comp = std::ranges::less>
  [[nodiscard]] std::optional<value> min_by_key(Key key, Comp comp = {}) {
    return best_by_key<false>(key, comp);
  }
  /// Returns a copy of the item with the largest key(item), of several the first.
  template <class Key, class Comp = std::ranges::less>
  [[nodiscard]] std::optional<value> max_by_key(Key key, Comp comp = {}) {
    return best_by_key<true>(key, comp);
  }

  /// Returns the first of the smallest and the last of the largest items, as `min` and `max` of the
  /// result, in one pass. Standard library: std::ranges::minmax. Otherwise like min(); two
  /// comparisons for each item.
  ///
  ///     if (auto m = filch::par(v).minmax()) plot(m->min, m->max);
  template <class Comp = std::ranges::less>
  [[nodiscard]] std::optional<std::ranges::minmax_result<value>> minmax(Comp comp = {}) {
    detail::require_lasting<value>();
    static_assert(std::copyable<value>,
                  "filch: minmax(): the items must be copyable, since one may be both. Map each to "
                  "a pointer to it");
    require_order<Comp, std::remove_cvref_t<item>>();
    return flat(self().drive(detail::extremes_consumer<item, Comp>(comp)));
  }

  FILCH_REFUSED_ON_A_CONSTANT(min);
  FILCH_REFUSED_ON_A_CONSTANT(min, auto&&);
  FILCH_REFUSED_ON_A_CONSTANT(max);
  FILCH_REFUSED_ON_A_CONSTANT(max, auto&&);
  FILCH_REFUSED_ON_A_CONSTANT(min_by, auto&&);
  FILCH_REFUSED_ON_A_CONSTANT(max_by, auto&&);
  FILCH_REFUSED_ON_A_CONSTANT(min_by_key, auto&&);
  FILCH_REFUSED_ON_A_CONSTANT(min_by_key, auto&&, auto&&);
  FILCH_REFUSED_ON_A_CONSTANT(max_by_key, auto&&);
  FILCH_REFUSED_ON_A_CONSTANT(max_by_key, auto&&, auto&&);
  FILCH_REFUSED_ON_A_CONSTANT(minmax);
  FILCH_REFUSED_ON_A_CONSTANT(minmax, auto&&);

 private:
  template <class Comp, class T>
  static constexpr void require_order() {
    static_assert(
        detail::chain_function<Comp, const T&, const T&>,
        "filch: comp(a, b) must say whether a comes before b, for two of what is compared "
        "(items, or their keys); without a comparator those need a `<`");
  }
  template <class T>
  static std::optional<T> flat(std::optional<std::optional<T>>&& part) {
    return part ? *std::move(part) : std::nullopt;
  }

  template <bool Largest, class Comp>
  std::optional<value> best(Comp& comp) {
    detail::require_keepable<item>();
    require_order<Comp, std::remove_cvref_t<item>>();
    return flat(self().drive(detail::best_consumer<item, Largest, Comp>(comp)));
  }
  template <bool Largest, class Key, class Comp>
  std::optional<value> best_by_key(Key& key, Comp& comp) {
    detail::require_keepable<item>();
    static_assert(detail::chain_function<Key, detail::seen_as<item>>,
                  "filch: the key function must be callable with an item of this range");
    using K = detail::decayed<detail::function_result<Key, detail::seen_as<item>>>;
    detail::require_lasting_key<K, item>();
    require_order<Comp, K>();
    auto found =
        flat(self().drive(detail::best_by_key_consumer<K, item, Largest, Key, Comp>(key, comp)));
    if (!found) return std::nullopt;
    return std::move(found->item);
  }
  range& self() noexcept { return static_cast<range&>(*this); }
};

}  // namespace filch
