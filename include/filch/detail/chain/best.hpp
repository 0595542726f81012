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

/// So many numbers are computed before they are compared, without a branch for each.
template <class T>
inline constexpr std::size_t numbers_at_once = number_search<true, tie::first, T>::block;

/// Calls use(p, count) for numbers get(first), ..., get(last - 1), piece by piece. Those that are
/// not elements of a range are made once, and kept for `use`.
template <class T, class Get, class Use>
[[gnu::always_inline]] inline void in_memory(const Get& get, std::size_t first, std::size_t last,
                                             const Use& use) {
  if constexpr (gets_elements<Get> &&
                std::convertible_to<
                    std::add_pointer_t<std::invoke_result_t<const Get&, std::size_t>>, const T*>) {
    if (first != last) use(static_cast<const T*>(std::addressof(get(first))), last - first);
  } else {
    std::array<T, numbers_at_once<T>> numbers;
    while (first != last) {
      const std::size_t count = std::min(last - first, numbers.size());
      for (std::size_t k = 0; k != count; ++k) numbers[k] = static_cast<T>(get(first + k));
      use(std::as_const(numbers).data(), count);
      first += count;
    }
  }
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
      if (!best) best = static_cast<T>(get(first++));
      detail::in_memory<T>(get, first, last, [&](const T* p, std::size_t n) {
        extremum_search<Largest, tie::first, Comp, T> search(p, *best);
        search.take(0, n);
        if (const std::size_t i = search.found(n); i != n) *best = p[i];
      });
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
  /// With numbers as keys: a search takes some keys at once, and only if one of them replaces the
  /// best one so far is its item kept. The items are numbers that get() makes, or elements, which
  /// it returns any number of times.
  template <class Get>
  [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
    using item = std::invoke_result_t<const Get&, std::size_t>;
    if constexpr (usual_order<Comp, K>) {
      constexpr std::size_t at_once = numbers_at_once<K>;
      std::array<K, at_once> keys;
      if constexpr (gets_elements<Get>) {
        for (; last - first >= at_once; first += at_once) {
          for (std::size_t k = 0; k != at_once; ++k)
            keys[k] = key_of(std::as_const(get(first + k)));
          take_best(keys, [&](std::size_t k) -> item { return get(first + k); });
        }
      } else if constexpr (plain_value<item>) {
        std::array<item, at_once> items;
        for (; last - first >= at_once; first += at_once) {
          for (std::size_t k = 0; k != at_once; ++k) items[k] = get(first + k);
          for (std::size_t k = 0; k != at_once; ++k) keys[k] = key_of(std::as_const(items[k]));
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
  [[gnu::always_inline]] void take_best(const std::array<K, numbers_at_once<K>>& keys,
                                        const ItemOf& item_of) {
    extremum_search<Largest, tie::first, Comp, K> search(keys.data(), best ? best->key : keys[0]);
    search.take(0, keys.size());
    std::size_t k = search.found(keys.size());
    if (k == keys.size()) {
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
      // Which of equal integers is the result makes no difference.
      constexpr tie which_most = std::integral<T> ? tie::first : tie::last;
      detail::in_memory<T>(get, first + 1, last, [&](const T* p, std::size_t n) {
        extremum_search<false, tie::first, Comp, T> least(p, best->min);
        extremum_search<true, which_most, Comp, T> most(p, best->max);
        detail::take_both(least, most, 0, n);
        if (const std::size_t i = least.found(n); i != n) best->min = p[i];
        if (const std::size_t i = most.found(n); i != n) best->max = p[i];
      });
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
};

}  // namespace filch::detail
