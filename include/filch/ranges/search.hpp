// Consumers that search for an item of a parallel range.
#pragma once

#include "filch/detail/chain/find.hpp"
#include "filch/detail/chain/index_iterator.hpp"
#include "filch/detail/chain/range_part.hpp"

namespace filch {

/// Consumers that may end before the range does. It has many functions: a consumer is one of them,
/// and the calls that it refuses are others.
template <class Source, class Fork>
class range_search {
  using item = typename Source::item;
  using value = detail::decayed<item>;
  using wanted = plumbing::wanted;

 public:
  /// Returns a copy of the first item, or of the first for which pred(item) holds; nullopt if there
  /// is none. Rayon: find_first. Standard library: std::ranges::find_if.
  ///
  /// How      After a hit, leaves behind it do not start. The calling thread alone searches the
  ///          beginning of a long range, because many searches end there.
  /// Throws   As for_each(), also what was thrown for an item behind the hit; what `pred` throws.
  /// Threads  as for_each().
  /// Memory   None.
  /// Cost     If the hit is near the front, almost that of a plain loop: no task and no wake-up.
  ///
  ///     std::optional<int> n = filch::par(v).find_first([](int x) { return x > 100; });
  template <class Pred = detail::any_item>
  [[nodiscard]] std::optional<value> find_first(Pred pred = {}) {
    return find<wanted::first>(pred);
  }
  /// Finds the last one. The search begins at the end of the range, leaf by leaf; of several
  /// exceptions the rightmost one is thrown. Otherwise like find_first().
  template <class Pred = detail::any_item>
  [[nodiscard]] std::optional<value> find_last(Pred pred = {}) {
    return find<wanted::last>(pred);
  }
  /// Finds any one, the one that is found soonest. Otherwise like find_first(), and faster.
  template <class Pred = detail::any_item>
  [[nodiscard]] std::optional<value> find_any(Pred pred = {}) {
    return find<wanted::any>(pred);
  }

  /// Returns the value of f(item) for the first (the last, any) item for which it has one. `f`
  /// returns a std::optional, or another type that can be tested and dereferenced: a pointer, an
  /// expected. Rayon: find_map_first. Otherwise like find_first().
  ///
  ///     std::optional<int> n = filch::par(words).find_map_first(parse_number);
  template <class F>
  [[nodiscard]] auto find_map_first(F f) {
    return find_map<wanted::first>(f);
  }
  template <class F>
  [[nodiscard]] auto find_map_last(F f) {
    return find_map<wanted::last>(f);
  }
  template <class F>
  [[nodiscard]] auto find_map_any(F f) {
    return find_map<wanted::any>(f);
  }

  /// Returns the position, counted from 0, of the first (the last, any) item for which pred(item)
  /// holds. Rayon: position_first. Items must have positions: it is not available after filter,
  /// flat_map and others that change the number of items. Otherwise like find_first().
  ///
  ///     std::optional<std::size_t> i = filch::par(v).position_first([](int x) { return x < 0; });
  template <class Pred>
  [[nodiscard]] std::optional<std::size_t> position_first(Pred pred) {
    return position<wanted::first>(pred);
  }
  template <class Pred>
  [[nodiscard]] std::optional<std::size_t> position_last(Pred pred) {
    return position<wanted::last>(pred);
  }
  template <class Pred>
  [[nodiscard]] std::optional<std::size_t> position_any(Pred pred) {
    return position<wanted::any>(pred);
  }

  /// Returns true if pred(item) holds for any item. Rayon: any. Standard library:
  /// std::ranges::any_of.
  ///
  /// How    A hit ends the search: no further leaf starts. Otherwise like find_any().
  ///
  ///     if (filch::par(v).any([](int x) { return x < 0; })) ...
  template <class Pred>
  [[nodiscard]] bool any(Pred pred) {
    return exists<true>(pred);
  }
  /// Returns true if pred(item) holds for all items, also if there are none. Standard library:
  /// std::ranges::all_of.
  template <class Pred>
  [[nodiscard]] bool all(Pred pred) {
    return !exists<false>(pred);
  }
  /// Returns true if pred(item) holds for no item, also if there are none. Standard library:
  /// std::ranges::none_of.
  template <class Pred>
  [[nodiscard]] bool none(Pred pred) {
    return !exists<true>(pred);
  }

  FILCH_REFUSED_ON_A_CONSTANT((), find_first, find_last, find_any);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&), find_first, find_last, find_any, find_map_first,
                              find_map_last, find_map_any, position_first, position_last,
                              position_any, any, all, none);

 private:
  template <wanted Which, class Pred>
  std::optional<value> find(const Pred& pred) {
    detail::require_keepable<item>();
    detail::require_predicate<Pred, item>();
    return detail::flat(self().drive(detail::item_consumer<value, Which, Pred, item>{pred}));
  }
  template <wanted Which, class F>
  auto find_map(F& f) {
    detail::require_function<F, item>();
    using held = detail::function_result<F, item>;
    static_assert(detail::maybe_item<held>,
                  "filch: find_map...(f): f must return a std::optional, or something else that "
                  "says whether it holds a value, and gives it by *");
    using T = detail::decayed<decltype(*std::declval<held>())>;
    detail::require_lasting<T>();
    return detail::find_made<T, Which>(self(), detail::filter_map_stage<F>{std::move(f)});
  }
  template <wanted Which, class Pred>
  std::optional<std::size_t> position(Pred& pred) {
    detail::require_predicate<Pred, item>();
    static_assert(plumbing::exact_source<Source>,
                  "filch: position_...(): behind filter, flat_map and the like items have no "
                  "positions. Use enumerate() before them, and find_...()");
    return detail::flat(self().drive(
        detail::find_consumer<detail::kept::position, std::size_t, Which, true, Pred, item>{pred}));
  }
  template <bool Wanted, class Pred>
  bool exists(const Pred& pred) {
    detail::require_predicate<Pred, item>();
    return detail::flat(self().drive(detail::find_consumer<detail::kept::nothing, nothing,
                                                           wanted::any, Wanted, Pred, item>{pred}))
        .has_value();
  }
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch
