// Consumers that search for one item.
#pragma once

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/fold.hpp"

namespace filch::detail {

/// The base of these consumers: what they do with the T that was found.
template <class T, plumbing::wanted Which>
class finding_consumer {
 public:
  using part = std::optional<T>;
  static constexpr plumbing::wanted rule = Which;
  static constexpr bool any_cut = true;

  bool enough(const part& p) const noexcept { return p.has_value(); }
  part merge(part&& left, part&& right) const {
    if constexpr (Which == plumbing::wanted::last)
      return right ? std::move(right) : std::move(left);
    else
      return left ? std::move(left) : std::move(right);
  }
};

/// The base of their folders. A search for the last item has to go through the whole leaf.
template <class T, plumbing::wanted Which>
class finding_folder {
 public:
  bool full() const noexcept requires(Which != plumbing::wanted::last) {
    return found_.has_value();
  }
  std::optional<T> finish() && { return std::move(found_); }

 protected:
  std::optional<T> found_;
};

/// Looks for an item for which a predicate is `Wanted`, among get(first), ..., get(last - 1).
/// Returns its position, or `last`.
template <plumbing::wanted Which, bool Wanted, class Pred, class Get>
[[gnu::always_inline]] inline std::size_t scan_items(Pred& pred, const Get& get, std::size_t first,
                                                     std::size_t last) {
  using item = std::invoke_result_t<const Get&, std::size_t>;
  const auto hit = [&](std::size_t i) {
    auto&& x = get(i);  // named, so that an item that get() makes lives as long as the call
    return static_cast<bool>(pred(static_cast<seen_as<item>>(x))) == Wanted;
  };
  if constexpr (Which == plumbing::wanted::last)
    return detail::scan_back(first, last, hit);
  else
    return detail::scan<item>(first, last, hit);
}

/// What is kept of the item that was found.
enum class kept : unsigned char { item, position, nothing };

/// The first, the last or any item for which a predicate is `Wanted`. What is kept is a T.
template <kept What, class T, plumbing::wanted Which, bool Wanted, class Pred, class Item>
class find_folder : public finding_folder<T, Which> {
 public:
  find_folder(const Pred& pred, std::size_t position) : pred_(pred), next_(position) {}
  template <class I>
  [[gnu::always_inline]] void take(I&& item) {
    if (static_cast<bool>(pred_(static_cast<seen_as<I>>(item))) == Wanted) {
      if constexpr (What == kept::item)
        this->found_.emplace(static_cast<I&&>(item));
      else
        keep(0);
    }
    if constexpr (What == kept::position) ++next_;
  }
  template <class Get>
  [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
    // What makes an item may have a state. It is called once for each item, from left to right.
    if constexpr (gets_elements<Get> || (What != kept::item && Which != plumbing::wanted::last)) {
      const std::size_t i = detail::scan_items<Which, Wanted>(pred_, get, first, last);
      if (i != last) {
        if constexpr (What == kept::item)
          this->found_.emplace(get(i));
        else
          keep(i - first);
      }
      if constexpr (What == kept::position) next_ += last - first;
    } else {
      for (; first != last; ++first) {
        take(get(first));
        if (plumbing::is_full(*this)) return;
      }
    }
  }

 private:
  /// The item that is `ahead` of the next one has been found.
  [[gnu::always_inline]] void keep([[maybe_unused]] std::size_t ahead) {
    if constexpr (What == kept::position)
      this->found_ = next_ + ahead;
    else
      this->found_.emplace();
  }

  function_for<Pred, seen_as<Item>> pred_;
  std::size_t next_;
};

/// The first, the last or any item for which a predicate is true, as a T.
template <class T, plumbing::wanted Which, class Pred, class Item>
using find_consumer = function_consumer<finding_consumer<T, Which>,
                                        find_folder<kept::item, T, Which, true, Pred, Item>, Pred>;

/// Its position, in a chain with one item at each position.
template <plumbing::wanted Which, class Pred, class Item>
using position_consumer =
    function_consumer<finding_consumer<std::size_t, Which>,
                      find_folder<kept::position, std::size_t, Which, true, Pred, Item>, Pred>;

/// Whether there is an item for which a predicate is `Wanted`.
template <bool Wanted, class Pred, class Item>
using exists_consumer = function_consumer<
    finding_consumer<nothing, plumbing::wanted::any>,
    find_folder<kept::nothing, nothing, plumbing::wanted::any, Wanted, Pred, Item>, Pred>;

/// A predicate that is true for every item.
struct any_item {
  template <class Item>
  constexpr bool operator()(const Item&) const noexcept {
    return true;
  }
};

/// Probe::held(f(item)) of the first, the last or any item for which Probe::holds(f(item)).
template <class T, plumbing::wanted Which, class Probe, class F, class Item>
class probe_folder : public finding_folder<T, Which> {
 public:
  probe_folder(const F& f, std::size_t) : f_(f) {}
  template <class I>
  [[gnu::always_inline]] void take(I&& item) {
    auto&& made = f_(static_cast<I&&>(item));
    if (Probe::holds(made)) this->found_.emplace(Probe::held(static_cast<decltype(made)>(made)));
  }

 private:
  function_for<F, Item> f_;
};

/// The value in an optional, or in any type that converts to bool and can be dereferenced.
struct value_probe {
  template <class Made>
  static bool holds(const Made& made) {
    return static_cast<bool>(made);
  }
  template <class Made>
  static decltype(auto) held(Made&& made) {
    return *static_cast<Made&&>(made);
  }
};
template <class T, plumbing::wanted Which, class F, class Item>
using find_map_consumer =
    function_consumer<finding_consumer<T, Which>, probe_folder<T, Which, value_probe, F, Item>, F>;

}  // namespace filch::detail
