// Consumers that find the smallest or the largest item.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/decayed.hpp"
#include "filch/detail/chain/fold.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/kernel/extremum.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// Calls the comparator, and converts its result to bool.
template <class T, class Comp>
[[gnu::always_inline]] inline bool is_before(Comp& comp, const T& a, const T& b) {
  return static_cast<bool>(comp(a, b));
}

/// Does the later item replace the earlier one? Of equal items the first stays.
template <bool Largest, class Comp, class T>
[[gnu::always_inline]] inline bool beats(Comp& comp, const T& later, const T& earlier) {
  return Largest ? detail::is_before<T>(comp, earlier, later)
                 : detail::is_before<T>(comp, later, earlier);
}

/// So many keys are computed before they are compared, without a branch for each.
inline constexpr std::size_t keys_at_once = 64;

/// The first smallest item, or the first largest.
template <class Item, bool Largest, class Comp>
class best_consumer {
  using T = decayed<Item>;
  using seen = std::remove_cvref_t<Item>;
  using compare = function_for<Comp, const seen&, const seen&>;

 public:
  using part = std::optional<T>;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  /// Besides, if a positive and a negative zero are compared in lanes, either may be the result.
  static constexpr bool any_cut = surely_ordered<Comp, T>;
  template <class Source>
  static constexpr std::size_t least = usual_order<Comp, T> ? least_of_cheap<Source> : 1;

  explicit best_consumer(const Comp& comp) noexcept : comp_(comp) {}

  class folder {
   public:
    explicit folder(const Comp& comp) : comp_(comp) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (best_ &&
          !detail::beats<Largest, compare, seen>(comp_, item, detail::shown_as<seen>(*best_)))
        return;
      if constexpr (std::is_assignable_v<T&, I>)
        best_ = static_cast<I&&>(item);  // a string keeps its memory
      else
        best_.emplace(static_cast<I&&>(item));
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      if constexpr (usual_order<Comp, T>) {
        const auto better = [this](T a, T b) {
          return detail::beats<Largest, compare, T>(comp_, b, a) ? b : a;
        };
        if (!best_) best_ = static_cast<T>(get(first++));
        best_ = detail::fold_numbers_from<T>(*best_, better, get, first, last);
      } else {
        // The first item is taken before the loop, so that the compiler knows that there is one.
        take(get(first));
        while (++first != last) take(get(first));
      }
    }
    part finish() && { return std::move(best_); }

   private:
    compare comp_;
    part best_;
  };
  folder begin(std::size_t) const { return folder(comp_); }
  part merge(part&& left, part&& right) const {
    if (!left || !right) return left ? std::move(left) : std::move(right);
    compare comp(comp_);
    const bool later = detail::beats<Largest, compare, seen>(comp, detail::shown_as<seen>(*right),
                                                             detail::shown_as<seen>(*left));
    return later ? std::move(right) : std::move(left);
  }

 private:
  const Comp& comp_;
};

/// The same by a key, which is computed once for each item.
template <class K, class Item, bool Largest, class Key, class Comp>
class best_by_key_consumer {
  using T = decayed<Item>;
  using compare = function_for<Comp, const K&, const K&>;
  struct entry {
    K key;
    T item;
  };

 public:
  using part = std::optional<entry>;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  static constexpr bool any_cut = surely_ordered<Comp, K>;

  best_by_key_consumer(const Key& key, const Comp& comp) noexcept : key_(key), comp_(comp) {}

  class folder {
   public:
    folder(const Key& key, const Comp& comp) : key_(key), comp_(comp) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      K key(key_(std::as_const(item)));
      if (best_ && !detail::beats<Largest, compare, K>(comp_, key, best_->key)) return;
      best_.emplace(entry{std::move(key), T(static_cast<I&&>(item))});
    }
    /// With numbers as keys: a loop without branches computes the best of some keys, and only if it
    /// replaces the best one so far is its item looked for. The items are numbers that get() makes,
    /// or elements, which it returns any number of times.
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      using item = std::invoke_result_t<const Get&, std::size_t>;
      if constexpr (usual_order<Comp, K>) {
        std::array<K, keys_at_once> keys;
        if constexpr (gets_elements<Get>) {
          for (; last - first >= keys_at_once; first += keys_at_once) {
            for (std::size_t k = 0; k != keys_at_once; ++k)
              keys[k] = key_(std::as_const(get(first + k)));
            take_best(keys, [&](std::size_t k) -> item { return get(first + k); });
          }
        } else if constexpr (plain_value<item>) {
          std::array<item, keys_at_once> items;
          for (; last - first >= keys_at_once; first += keys_at_once) {
            for (std::size_t k = 0; k != keys_at_once; ++k) items[k] = get(first + k);
            for (std::size_t k = 0; k != keys_at_once; ++k) keys[k] = key_(std::as_const(items[k]));
            take_best(keys, [&](std::size_t k) { return items[k]; });
          }
        }
      }
      for (; first != last; ++first) take(get(first));
    }
    part finish() && { return std::move(best_); }

   private:
    template <class ItemOf>
    [[gnu::always_inline]] void take_best(const std::array<K, keys_at_once>& keys,
                                          const ItemOf& item_of) {
      const auto better = [this](K a, K b) {
        return detail::beats<Largest, compare, K>(comp_, a, b);
      };
      std::size_t k =
          detail::first_best(keys.data(), 0, keys_at_once, best_ ? best_->key : keys[0], better);
      if (k == keys_at_once) {
        if (best_) return;
        k = 0;
      }
      best_.emplace(entry{keys[k], T(item_of(k))});
    }

    function_for<Key, const std::remove_reference_t<Item>&> key_;
    compare comp_;
    part best_;
  };
  folder begin(std::size_t) const { return folder(key_, comp_); }
  part merge(part&& left, part&& right) const {
    if (!left || !right) return left ? std::move(left) : std::move(right);
    compare comp(comp_);
    return detail::beats<Largest, compare, K>(comp, right->key, left->key) ? std::move(right)
                                                                           : std::move(left);
  }

 private:
  const Key& key_;
  const Comp& comp_;
};

/// The first smallest and the last largest item.
template <class Item, class Comp>
class extremes_consumer {
  using T = decayed<Item>;
  using seen = std::remove_cvref_t<Item>;
  using compare = function_for<Comp, const seen&, const seen&>;
  using both = std::ranges::minmax_result<T>;

 public:
  using part = std::optional<both>;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  static constexpr bool any_cut = surely_ordered<Comp, T>;

  explicit extremes_consumer(const Comp& comp) noexcept : comp_(comp) {}

  class folder {
   public:
    explicit folder(const Comp& comp) : comp_(comp) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (!found_) {
        const T& first = item;
        found_.emplace(both{first, first});
        return;
      }
      if (detail::is_before<seen>(comp_, item, detail::shown_as<seen>(found_->min)))
        found_->min = std::as_const(item);
      if (!detail::is_before<seen>(comp_, item, detail::shown_as<seen>(found_->max)))
        found_->max = static_cast<I&&>(item);
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      take(get(first));
      if constexpr (usual_order<Comp, T>) {
        both found = *found_;
        ++first;
        if constexpr (std::integral<T>)
          for (; last - first >= integers_at_once; first += integers_at_once)
            take_integers(get, first, found);
        for (; first != last; ++first) take_number(get(first), found);
        found_ = found;
      } else {
        while (++first != last) take(get(first));
      }
    }
    part finish() && { return std::move(found_); }

   private:
    [[gnu::always_inline]] void take_number(T x, both& found) {
      found.min = detail::is_before<T>(comp_, x, found.min) ? x : found.min;
      found.max = detail::is_before<T>(comp_, x, found.max) ? found.max : x;
    }
    /// Enough to outweigh what it takes to make one number of several lanes.
    static constexpr std::size_t integers_at_once = 512;
    /// Takes so many integers, of which no two equal ones can be told apart. Those that are not
    /// elements of a range are made once, and kept for the second loop. The loops are so simple
    /// that compilers vectorise them, with -O2, too.
    template <class Get>
    [[gnu::always_inline]] void take_integers(const Get& get, std::size_t first, both& found) {
      const auto smaller = [this](T a, T b) { return detail::is_before<T>(comp_, b, a) ? b : a; };
      const auto larger = [this](T a, T b) { return detail::is_before<T>(comp_, b, a) ? a : b; };
      const auto take = [&](const auto& item, std::size_t from) {
        const std::size_t to = from + integers_at_once;
        take_number(detail::fold_numbers<T>(smaller, item, from, to), found);
        take_number(detail::fold_numbers<T>(larger, item, from, to), found);
      };
      if constexpr (gets_elements<Get>) {
        take(get, first);
      } else {
        std::array<T, integers_at_once> items;
        for (std::size_t k = 0; k != integers_at_once; ++k) items[k] = get(first + k);
        take([&](std::size_t k) { return items[k]; }, 0);
      }
    }

    compare comp_;
    part found_;
  };
  folder begin(std::size_t) const { return folder(comp_); }
  part merge(part&& left, part&& right) const {
    if (!left || !right) return left ? std::move(left) : std::move(right);
    compare comp(comp_);
    if (detail::is_before<seen>(comp, detail::shown_as<seen>(right->min),
                                detail::shown_as<seen>(left->min)))
      left->min = std::move(right->min);
    if (!detail::is_before<seen>(comp, detail::shown_as<seen>(right->max),
                                 detail::shown_as<seen>(left->max)))
      left->max = std::move(right->max);
    return std::move(left);
  }

 private:
  const Comp& comp_;
};

}  // namespace filch::detail
