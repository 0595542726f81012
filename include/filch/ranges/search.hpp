// Looking for an item of a parallel range.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/find.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/index_iterator.hpp"
#include "filch/detail/chain/kept.hpp"
#include "filch/detail/chain/staged.hpp"
#include "filch/plumbing.hpp"
#include "filch/ranges/reduce.hpp"

namespace filch {

/// Consumers that may end before the range does.
template <class Source, class Fork>
class range_search {
  using range = par_range<Source, Fork>;
  using item = typename Source::item;
  using value = detail::kept_as<item>;
  using wanted = plumbing::wanted;

 public:
  /// The first item, or the first that pred(item) holds for, as a copy; nothing if there is none.
  /// Rayon's find_first, std::ranges::find_if.
  ///
  /// How      Stretches behind one with a hit do not start any more; the beginning of a long range
  ///          is looked at by the calling thread alone, because many searches end there.
  /// Throws   As for_each(), also if it was thrown behind the hit; what `pred` throws.
  /// Threads  as for_each().
  /// Memory   None.
  /// Cost     If the hit is near the front, nearly that of a plain loop: no task, no wake.
  ///
  ///     std::optional<int> n = filch::par(v).find_first([](int x) { return x > 100; });
  [[nodiscard]] std::optional<value> find_first() { return find<wanted::first>(); }
  template <class Pred>
  [[nodiscard]] std::optional<value> find_first(Pred pred) {
    return find<wanted::first>(std::move(pred));
  }
  /// The last one. The range is gone through from its end, stretch by stretch; of several
  /// exceptions the one furthest to the right is thrown. Otherwise like find_first().
  [[nodiscard]] std::optional<value> find_last() { return find<wanted::last>(); }
  template <class Pred>
  [[nodiscard]] std::optional<value> find_last(Pred pred) {
    return find<wanted::last>(std::move(pred));
  }
  /// Any one, whichever is found soonest. Otherwise like find_first(), and sooner done.
  [[nodiscard]] std::optional<value> find_any() { return find<wanted::any>(); }
  template <class Pred>
  [[nodiscard]] std::optional<value> find_any(Pred pred) {
    return find<wanted::any>(std::move(pred));
  }

  /// What f(item) holds, of the first (the last, any) item for which it holds something. `f`
  /// returns a std::optional, or what else can be asked and dereferenced: a pointer, an expected.
  /// Rayon's find_map_first. Otherwise like find_first().
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

  /// The position of the first (the last, any) item that pred(item) holds for, counted from 0.
  /// Rayon's position_first. Only for ranges in which items have positions: not behind filter,
  /// flat_map and others that change how many there are. Otherwise like find_first().
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

  /// Does pred(item) hold for any item? Rayon's any, std::ranges::any_of.
  ///
  /// How    The answer ends the search: stretches that have not started do not. Otherwise like
  ///        find_any().
  ///
  ///     if (filch::par(v).any([](int x) { return x < 0; })) ...
  template <class Pred>
  [[nodiscard]] bool any(Pred pred) {
    return exists(std::move(pred));
  }
  /// For all of them? True if there are none. std::ranges::all_of.
  template <class Pred>
  [[nodiscard]] bool all(Pred pred) {
    require_predicate<Pred>();
    return !exists(std::not_fn(std::move(pred)));
  }
  /// For none of them? True if there are none. std::ranges::none_of.
  template <class Pred>
  [[nodiscard]] bool none(Pred pred) {
    return !exists(std::move(pred));
  }

 private:
  template <class Pred>
  static constexpr void require_predicate() {
    static_assert(detail::chain_function<Pred, detail::seen_as<item>>,
                  "filch: the predicate must be callable with a const reference to an item of this "
                  "range");
  }
  template <class T>
  static std::optional<T> flat(std::optional<std::optional<T>>&& part) {
    return part ? *std::move(part) : std::nullopt;
  }

  /// Only items that the predicate holds for go to the consumer.
  template <class Pred, class Consumer>
  auto drive_if(Pred pred, const Consumer& consumer) {
    require_predicate<Pred>();
    using stage = detail::filter_stage<Pred>;
    const stage before(std::move(pred));
    return self().drive(detail::staged_consumer<stage, item, Consumer>(before, consumer));
  }
  template <wanted Which>
  std::optional<value> find() {
    detail::require_keepable<item>();
    return flat(self().drive(detail::find_consumer<value, Which>()));
  }
  template <wanted Which, class Pred>
  std::optional<value> find(Pred pred) {
    detail::require_keepable<item>();
    return flat(drive_if(std::move(pred), detail::find_consumer<value, Which>()));
  }
  template <wanted Which, class F>
  auto find_map(F& f) {
    static_assert(detail::chain_function<F, item>,
                  "filch: find_map...(f): f must be callable with an item of this range");
    using held = detail::function_result<F, item>;
    static_assert(
        requires(held h) {
          static_cast<bool>(h);
          *h;
        },
        "filch: find_map...(f): f must return a std::optional, or something else that "
        "says whether it holds a value, and gives it by *");
    using T = detail::kept_as<decltype(*std::declval<held>())>;
    detail::require_lasting<T>();
    return flat(self().drive(detail::find_map_consumer<T, Which, F, item>(f)));
  }
  template <wanted Which, class Pred>
  std::optional<std::size_t> position(Pred& pred) {
    require_predicate<Pred>();
    static_assert(plumbing::exact_source<Source>,
                  "filch: position_...(): behind filter, flat_map and the like items have no "
                  "positions. Use enumerate() before them, and find_...()");
    return flat(self().drive(detail::position_consumer<Which, Pred, item>(pred)));
  }
  template <class Pred>
  bool exists(Pred pred) {
    return drive_if(std::move(pred), detail::exists_consumer()).value_or(false);
  }
  range& self() noexcept { return static_cast<range&>(*this); }
};

}  // namespace filch
