// Consumers that find the smallest and the largest item of a parallel range.
#pragma once

#include "filch/detail/chain/best.hpp"
#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/index_iterator.hpp"
#include "filch/detail/chain/range_part.hpp"

namespace filch {

/// Consumers that compare items.
template <class Source, class Fork>
class range_min_max {
  using item = typename Source::item;
  using value = detail::decayed<item>;

 public:
  /// Returns a copy of the smallest item in the order of `comp`, of several the first; nullopt if
  /// there are no items. A pair with references is copied to a pair of values. Rayon: min and
  /// min_by. Standard library: std::ranges::min.
  ///
  /// How      Each leaf keeps its smallest item. Numbers in their usual order are compared many at
  /// a
  ///          time. A positive and a negative zero are equal, so the first of them is returned.
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
    return detail::flat(
        self().drive(detail::best_consumer<detail::extremes_folder<item, Comp>, Comp>(comp)));
  }

  FILCH_REFUSED_ON_A_CONSTANT((), min, max, minmax);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&), min, max, min_by, max_by, min_by_key, max_by_key, minmax);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&, auto&&), min_by_key, max_by_key);

 private:
  template <class Comp, class T>
  static constexpr void require_order() {
    static_assert(
        detail::chain_function<Comp, const T&, const T&>,
        "filch: comp(a, b) must say whether a comes before b, for two of what is compared "
        "(items, or their keys); without a comparator those need a `<`");
  }
  template <bool Largest, class Comp>
  std::optional<value> best(Comp& comp) {
    detail::require_keepable<item>();
    require_order<Comp, std::remove_cvref_t<item>>();
    using folder = detail::best_folder<item, Largest, Comp>;
    return detail::flat(self().drive(detail::best_consumer<folder, Comp>(comp)));
  }
  template <bool Largest, class Key, class Comp>
  std::optional<value> best_by_key(Key& key, Comp& comp) {
    detail::require_keepable<item>();
    using K = typename decltype(detail::require_key<Key, item>())::type;
    require_order<Comp, K>();
    using folder = detail::best_by_key_folder<K, item, Largest, Key, Comp>;
    auto found = detail::flat(self().drive(detail::best_consumer<folder, Key, Comp>(key, comp)));
    if (!found) return std::nullopt;
    return std::move(found->item);
  }
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch
