// Consumers that search for one item.
#pragma once

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/fold.hpp"

namespace filch::detail {

/// Looks for an item for which a predicate is `Wanted`, among get(first), ..., get(last - 1).
/// Returns its position, or `last`.
template <wanted Which, bool Wanted, class Pred, class Get>
[[gnu::always_inline]] inline std::size_t scan_items(Pred& pred, const Get& get, std::size_t first,
                                                     std::size_t last) {
  using item = std::invoke_result_t<const Get&, std::size_t>;
  const auto hit = [&](std::size_t i) {
    auto&& x = get(i);  // named, so that an item that get() makes lives as long as the call
    return static_cast<bool>(pred(static_cast<seen_as<item>>(x))) == Wanted;
  };
  if constexpr (Which == wanted::last)
    return detail::scan_back(first, last, hit);
  else
    return detail::scan<item>(first, last, hit);
}

/// What is kept of the item that was found.
enum class kept : unsigned char { item, position, nothing };

/// The first, the last or any item for which a predicate is `Wanted`. What is kept is a T. A search
/// for the last item goes through the whole leaf.
template <kept What, class T, wanted Which, bool Wanted, class Pred, class Item>
struct find_folder {
  std::optional<T> found;
  function_for<Pred, seen_as<Item>> pred;
  std::size_t next;  // the position of the next item

  template <class I>
  [[gnu::always_inline]] void take(I&& item) {
    if (static_cast<bool>(pred(static_cast<seen_as<I>>(item))) == Wanted) {
      if constexpr (What == kept::item)
        found.emplace(static_cast<I&&>(item));
      else
        keep(0);
    }
    if constexpr (What == kept::position) ++next;
  }
  template <class Get>
  [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
    // What makes an item may have a state. It is called once for each item, from left to right.
    if constexpr (gets_elements<Get> || (What != kept::item && Which != wanted::last)) {
      const std::size_t i = detail::scan_items<Which, Wanted>(pred, get, first, last);
      if (i != last) {
        if constexpr (What == kept::item)
          found.emplace(get(i));
        else
          keep(i - first);
      }
      if constexpr (What == kept::position) next += last - first;
    } else {
      for (; first != last; ++first) {
        take(get(first));
        if (plumbing::is_full(*this)) return;
      }
    }
  }
  bool full() const noexcept requires(Which != wanted::last) { return found.has_value(); }
  std::optional<T> finish() && { return std::move(found); }

 private:
  /// The item that is `ahead` of the next one has been found.
  [[gnu::always_inline]] void keep([[maybe_unused]] std::size_t ahead) {
    if constexpr (What == kept::position)
      found = next + ahead;
    else
      found.emplace();
  }
};

/// What was found, as a T.
template <kept What, class T, wanted Which, bool Wanted, class Pred, class Item>
struct find_consumer {
  using part = std::optional<T>;
  static constexpr wanted rule = Which;
  static constexpr bool any_cut = true;
  const Pred& pred;

  find_folder<What, T, Which, Wanted, Pred, Item> begin(std::size_t position) const {
    return {std::nullopt, {pred}, position};
  }
  bool enough(const part& p) const noexcept { return p.has_value(); }
  part merge(part&& left, part&& right) const {
    if constexpr (Which == wanted::last)
      return right ? std::move(right) : std::move(left);
    else
      return left ? std::move(left) : std::move(right);
  }
};

/// The first, the last or any item for which a predicate is true.
template <class T, wanted Which, class Pred, class Item>
using item_consumer = find_consumer<kept::item, T, Which, true, Pred, Item>;

/// A predicate that is true for every item.
struct any_item {
  template <class Item>
  constexpr bool operator()(const Item&) const noexcept {
    return true;
  }
};

/// The first, the last or any item, as a T, that a stage makes of the items of a parallel range.
template <class T, wanted Which, class Range, class Stage>
std::optional<T> find_made(Range& range, const Stage& stage) {
  using item = typename Range::item;
  using made = typename Stage::template item<item>;
  const any_item any;
  const item_consumer<T, Which, any_item, made> found{any};
  return detail::flat(range.drive(staged_consumer<Stage, item, decltype(found)>{{found}, stage}));
}

}  // namespace filch::detail
