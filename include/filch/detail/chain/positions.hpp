// Adaptors that change the positions of items: parts of a source, reversed, numbered,
// with the same item in between.
#pragma once

#include <algorithm>

#include "filch/detail/chain/sources.hpp"

namespace filch::detail {

/// `count` items from number `begin` on: take, skip.
template <plumbing::indexed_source Base>
struct slice_source {
  using item = typename Base::item;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  std::size_t begin;
  std::size_t count;

  std::size_t size() const noexcept { return count; }
  item get(std::size_t i) const { return base.get(begin + i); }
  auto& look(std::size_t i) const requires plumbing::looking_source<Base> {
    return base.look(begin + i);
  }
  auto at(std::size_t i) const requires plumbing::iterable_source<Base> {
    return base.at(begin + i);
  }
  void drop(std::size_t n) requires plumbing::droppable_source<Base> {
    base.drop(std::exchange(begin, 0) + n);
    count -= n;
  }

  template <class Folder>
  void feed(std::size_t first, std::size_t last,
            Folder& folder) const requires plumbing::feeding_source<Base> {
    base.feed(begin + first, begin + last, folder);
  }
  /// Counts in positions of the base. Adding an offset for each item would make the loop too large
  /// to be unrolled.
  template <class Folder>
  [[gnu::always_inline]] void walk(std::size_t first, std::size_t last, Folder& folder) const {
    plumbing::feed_each(base, begin + first, begin + last, folder);
  }
};

/// How many groups of `length` items, of which the last one may have fewer, `n` items are.
inline std::size_t groups_of(std::size_t n, std::size_t length) noexcept {
  return n == 0 ? 0 : (n - 1) / length + 1;
}

/// Every `step`th item, beginning with the first.
template <plumbing::indexed_source Base>
struct step_source {
  using item = typename Base::item;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  std::size_t step;

  std::size_t size() const { return detail::groups_of(base.size(), step); }
  item get(std::size_t i) const { return base.get(i * step); }
  auto& look(std::size_t i) const requires plumbing::looking_source<Base> {
    return base.look(i * step);
  }

  /// Increments one number instead of two.
  template <class Folder>
  [[gnu::always_inline]] void walk(std::size_t first, std::size_t last, Folder& folder) const {
    if (first == last) return;
    const std::size_t end = (last - 1) * step;
    for (std::size_t i = first * step;; i += step) {
      folder.take(base.get(i));
      if (plumbing::is_full(folder)) return;
      if (i == end) return;
    }
  }
};

/// The items in reverse order.
template <plumbing::indexed_source Base>
struct reversed_source {
  using item = typename Base::item;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  std::size_t last;  ///< The last position. It has wrapped around if there are no items.

  std::size_t size() const { return last + 1; }
  item get(std::size_t i) const { return base.get(last - i); }
  auto& look(std::size_t i) const requires plumbing::looking_source<Base> {
    return base.look(last - i);
  }
};

/// In a loop that begins with an even number, clang++ knows which numbers are even, and removes the
/// items that a filter by parity removes. g++ knows it anyway, and optimises such a loop less.
#if defined(__clang__)
inline constexpr bool counts_from_even = true;
#else
inline constexpr bool counts_from_even = false;
#endif

/// Items with their positions.
template <plumbing::indexed_source Base>
struct enumerated_source {
  using item = std::pair<std::size_t, typename Base::item>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;

  std::size_t size() const { return base.size(); }
  item get(std::size_t i) const { return item(i, base.get(i)); }

  /// Counts from 0 as well, so that the compiler can compute the number of rounds and unroll the
  /// loop. The remainder then comes after the unrolled loop, which begins with an even number.
  template <class Folder>
  requires(counts_from_even && !plumbing::fillable<Folder>)
      [[gnu::always_inline]] void walk(std::size_t first, std::size_t last, Folder& folder) const {
    if (first == last) return;
    if (first % 2 != 0) folder.take(get(first));
    std::size_t i = (first + 1) / 2 * 2;
    const std::size_t n = last - i;
    for (std::size_t k = 0; k != n; ++k, ++i) folder.take(get(i));
  }
};

/// If the items of `Base` are lvalues, these items are references, and so is the one between them.
/// Otherwise they are values.
template <plumbing::indexed_source Base>
struct interspersed_source {
  using value = std::remove_cvref_t<typename Base::item>;
  using item =
      std::conditional_t<std::is_lvalue_reference_v<typename Base::item>, const value&, value>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  value between;

  std::size_t size() const {
    const std::size_t n = base.size();
    return n == 0 ? 0 : 2 * n - 1;
  }
  item get(std::size_t i) const {
    if (i % 2 != 0) return between;
    return base.get(i / 2);
  }
};

}  // namespace filch::detail
