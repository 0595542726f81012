// Consumers that find the smallest or the largest item.
#pragma once

#include "filch/detail/chain/fold.hpp"
#include "filch/detail/kernel/extremum.hpp"

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

/// Finds the best items by a Folder, which takes items, and its functions. The folder holds its
/// part in `best`, and join(part) takes the part of its right neighbour.
template <class Folder, class... F>
class best_consumer {
 public:
  using part = decltype(Folder::best);
  static constexpr wanted rule = wanted::all;
  static constexpr bool any_cut = Folder::any_cut;
  template <class Source>
  static constexpr std::size_t least = Folder::is_cheap ? least_of_cheap<Source> : 1;

  explicit best_consumer(const F&... functions) noexcept : functions_(functions...) {}
  Folder begin(std::size_t) const {
    return std::apply([](const F&... f) { return Folder{{f}...}; }, functions_);
  }
  part merge(part&& left, part&& right) const {
    if (!left || !right) return left ? std::move(left) : std::move(right);
    Folder both = begin(0);
    both.best.emplace(*std::move(left));
    both.join(*std::move(right));
    return std::move(both.best);
  }

 private:
  std::tuple<const F&...> functions_;
};

/// The first smallest item, or the first largest.
template <class Item, bool Largest, class Comp>
struct best_folder {
  using T = decayed<Item>;
  using seen = std::remove_cvref_t<Item>;
  using compare = function_for<Comp, const seen&, const seen&>;
  /// Besides, if a positive and a negative zero are compared in lanes, either may be the result.
  static constexpr bool any_cut = surely_ordered<Comp, T>;
  static constexpr bool is_cheap = usual_order<Comp, T>;
  compare comp;
  std::optional<T> best{};

  template <class I>
  [[gnu::always_inline]] void take(I&& item) {
    if (best && !detail::beats<Largest, compare, seen>(comp, item, detail::shown_as<seen>(*best)))
      return;
    if constexpr (std::is_assignable_v<T&, I>)
      best = static_cast<I&&>(item);  // a string keeps its memory
    else
      best.emplace(static_cast<I&&>(item));
  }
  template <class Get>
  [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
    if constexpr (is_cheap) {
      const auto better = [this](T a, T b) {
        return detail::beats<Largest, compare, T>(comp, b, a) ? b : a;
      };
      if (!best) best = static_cast<T>(get(first++));
      best = detail::fold_numbers_from<T>(*best, better, get, first, last);
    } else {
      // The first item is taken before the loop, so that the compiler knows that there is one.
      take(get(first));
      while (++first != last) take(get(first));
    }
  }
  void join(T&& later) {
    if (detail::beats<Largest, compare, seen>(comp, detail::shown_as<seen>(later),
                                              detail::shown_as<seen>(*best)))
      best.emplace(std::move(later));
  }
  std::optional<T> finish() && { return std::move(best); }
};

/// So many keys are computed before they are compared, without a branch for each.
inline constexpr std::size_t keys_at_once = 64;

/// The first item with the smallest key, or with the largest. A key is computed once.
template <class K, class Item, bool Largest, class Key, class Comp>
struct best_by_key_folder {
  using T = decayed<Item>;
  using compare = function_for<Comp, const K&, const K&>;
  struct entry {
    K key;
    T item;
  };
  static constexpr bool any_cut = surely_ordered<Comp, K>;
  static constexpr bool is_cheap = false;
  function_for<Key, const std::remove_reference_t<Item>&> key_of;
  compare comp;
  std::optional<entry> best{};

  template <class I>
  [[gnu::always_inline]] void take(I&& item) {
    K key(key_of(std::as_const(item)));
    if (is_best(key)) best.emplace(entry{std::move(key), T(static_cast<I&&>(item))});
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
            keys[k] = key_of(std::as_const(get(first + k)));
          take_best(keys, [&](std::size_t k) -> item { return get(first + k); });
        }
      } else if constexpr (plain_value<item>) {
        std::array<item, keys_at_once> items;
        for (; last - first >= keys_at_once; first += keys_at_once) {
          for (std::size_t k = 0; k != keys_at_once; ++k) items[k] = get(first + k);
          for (std::size_t k = 0; k != keys_at_once; ++k) keys[k] = key_of(std::as_const(items[k]));
          take_best(keys, [&](std::size_t k) { return items[k]; });
        }
      }
    }
    for (; first != last; ++first) take(get(first));
  }
  void join(entry&& later) {
    if (is_best(later.key)) best.emplace(std::move(later));
  }
  std::optional<entry> finish() && { return std::move(best); }

 private:
  [[gnu::always_inline]] bool is_best(const K& key) {
    return !best || detail::beats<Largest, compare, K>(comp, key, best->key);
  }
  template <class ItemOf>
  [[gnu::always_inline]] void take_best(const std::array<K, keys_at_once>& keys,
                                        const ItemOf& item_of) {
    const auto better = [this](K a, K b) { return detail::beats<Largest, compare, K>(comp, a, b); };
    std::size_t k =
        detail::first_best(keys.data(), 0, keys_at_once, best ? best->key : keys[0], better);
    if (k == keys_at_once) {
      if (best) return;
      k = 0;
    }
    best.emplace(entry{keys[k], T(item_of(k))});
  }
};

/// The first smallest and the last largest item.
template <class Item, class Comp>
struct extremes_folder {
  using T = decayed<Item>;
  using seen = std::remove_cvref_t<Item>;
  using both = std::ranges::minmax_result<T>;
  static constexpr bool any_cut = surely_ordered<Comp, T>;
  static constexpr bool is_cheap = false;
  function_for<Comp, const seen&, const seen&> comp;
  std::optional<both> best{};

  template <class I>
  [[gnu::always_inline]] void take(I&& item) {
    if (best) return add(item, item, std::as_const(item), static_cast<I&&>(item));
    const T& first = item;
    best.emplace(both{first, first});
  }
  template <class Get>
  [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
    take(get(first));
    if constexpr (usual_order<Comp, T>) {
      both found = *best;
      ++first;
      if constexpr (std::integral<T>)
        for (; last - first >= integers_at_once; first += integers_at_once)
          take_integers(get, first, found);
      for (; first != last; ++first) take_number(get(first), found);
      best = found;
    } else {
      while (++first != last) take(get(first));
    }
  }
  void join(both&& later) {
    add(detail::shown_as<seen>(later.min), detail::shown_as<seen>(later.max), std::move(later.min),
        std::move(later.max));
  }
  std::optional<both> finish() && { return std::move(best); }

 private:
  /// Compares `least` and `most`, and keeps them as these values.
  template <class Min, class Max>
  [[gnu::always_inline]] void add(const seen& least, const seen& most, Min&& min, Max&& max) {
    if (detail::is_before<seen>(comp, least, detail::shown_as<seen>(best->min)))
      best->min = static_cast<Min&&>(min);
    if (!detail::is_before<seen>(comp, most, detail::shown_as<seen>(best->max)))
      best->max = static_cast<Max&&>(max);
  }
  [[gnu::always_inline]] void take_number(T x, both& found) {
    found.min = detail::is_before<T>(comp, x, found.min) ? x : found.min;
    found.max = detail::is_before<T>(comp, x, found.max) ? found.max : x;
  }
  /// Enough to outweigh what it takes to make one number of several lanes.
  static constexpr std::size_t integers_at_once = 512;
  /// Takes so many integers, of which no two equal ones can be told apart. Those that are not
  /// elements of a range are made once, and kept for the second loop. The loops are so simple
  /// that compilers vectorise them, with -O2, too.
  template <class Get>
  [[gnu::always_inline]] void take_integers(const Get& get, std::size_t first, both& found) {
    const auto smaller = [this](T a, T b) { return detail::is_before<T>(comp, b, a) ? b : a; };
    const auto larger = [this](T a, T b) { return detail::is_before<T>(comp, b, a) ? a : b; };
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
};

}  // namespace filch::detail
