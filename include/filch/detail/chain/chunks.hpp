// Groups of neighbouring items: of equal length, overlapping, or divided by a predicate.
#pragma once

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/index_iterator.hpp"

namespace filch::detail {

/// Groups of `length` items. The last one may have fewer.
template <plumbing::indexed_source Base>
struct chunk_source {
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  std::size_t length;

  std::size_t size() const { return detail::groups_of(base.size(), length); }
  item get(std::size_t i) const {
    const std::size_t first = i * length;
    return detail::neighbours(base, first, std::min(length, base.size() - first));
  }
};

/// Groups of `length` items, one for each item that has enough items after it.
template <plumbing::indexed_source Base>
struct window_source {
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  std::size_t length;

  std::size_t size() const {
    const std::size_t n = base.size();
    return n < length ? 0 : n - length + 1;
  }
  item get(std::size_t i) const { return detail::neighbours(base, i, length); }
};

/// Groups that end where a predicate of two neighbours is false. A leaf has the groups that
/// begin in it. To find the end of its last group, it also looks at the beginning of the next
/// leaf.
template <plumbing::indexed_source Base, class Pred>
struct chunk_by_source {
  using seen = seen_as<typename Base::item>;
  using function = function_for<Pred, seen, seen>;
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  [[no_unique_address]] Pred pred;

  std::size_t size() const { return base.size(); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    function belongs{pred};
    std::size_t begin = first == 0 ? 0 : next_begin(belongs, first, last);
    while (begin < last) {
      const std::size_t end = next_begin(belongs, begin + 1, base.size());
      folder.take(detail::neighbours(base, begin, end - begin));
      if (plumbing::is_full(folder)) return;
      begin = end;
    }
  }
  /// The first position in [from, to) whose item does not belong to the group of the item before
  /// it, or `to`.
  std::size_t next_begin(function& belongs, std::size_t from, std::size_t to) const {
    for (; from < to; ++from) {
      // Named, so that a temporary made by get() lives as long as the call.
      auto&& before = base.get(from - 1);
      auto&& here = base.get(from);
      if (!static_cast<bool>(belongs(static_cast<seen>(before), static_cast<seen>(here)))) break;
    }
    return from;
  }
};

}  // namespace filch::detail
