// The parts of parallel ranges: for authors of sources and adaptors.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/loop/fork_policy.hpp"
#include "filch/detail/loop/loop_state.hpp"
#include "filch/options.hpp"

/// A chain of parallel ranges has a *source* at its beginning and a *consumer* at its end.
///
/// A source has positions, 0 to size() - 1, which can be divided among threads. A *leaf* is a
/// range of positions that one thread runs. The consumer makes a *folder* for every leaf. The
/// items of the leaf go into that folder one by one, in order. When the leaf ends, the folder
/// gives its *part* of the result. The consumer merges neighbouring parts, the left one first,
/// until one is left.
///
/// Adaptors stand in between. An adaptor that keeps positions (map, zip, take, rev) is a source
/// made of sources. Any other adaptor (filter, flat_map) wraps the consumer behind it in a consumer
/// of its own: its folder takes an item, and hands on what it makes of the item.
/// docs/design/ranges.md has an example of each.
namespace filch::plumbing {

/// Which items a consumer needs.
enum class wanted : unsigned char {
  all,    ///< all of them
  first,  ///< when one part is enough, nothing after it
  last,   ///< when one part is enough, nothing before it
  any,    ///< when one part is enough, nothing else
};

/// A folder takes the items of one leaf, in order, on one thread.
///   take(item)   takes one more item
///   finish()     called once, after the last item: returns the part
///   full()       optional: returns true if no more items are wanted
template <class F, class Item>
concept folder = requires(F& f, Item&& item) {
  f.take(static_cast<Item&&>(item));
  std::move(f).finish();
};

/// A folder that has full().
template <class F>
concept fillable = requires(const std::remove_reference_t<F>& f) {
  { f.full() } -> std::convertible_to<bool>;
};

/// A leaf that is being run. A folder that starts further work asks it whether to go on.
class leaf {
 public:
  /// Begins at position `first` of a loop with the state `state`, inside the leaf `above`, if
  /// there is one. Both outlive this object.
  leaf(detail::loop_state& state, std::size_t first, const leaf* above) noexcept
      : state_(state), first_(first), above_(above) {}

  /// Returns false if the rest of the leaf is not needed: another leaf has thrown, or has
  /// found what the chain looks for.
  bool goes_on() const noexcept {
    return state_.may_start(first_) && (above_ == nullptr || above_->goes_on());
  }

 private:
  detail::loop_state& state_;
  std::size_t first_;
  const leaf* above_;
};

/// A consumer makes folders, on any thread, and merges their parts.
///   part                      the type of a leaf's result; movable
///   rule                      static constexpr wanted
///   begin(position)           returns a folder for a leaf that begins there
///   begin(position, leaf)     optional: the same, for folders that start further work
///   merge(left, right)        returns the part of two neighbours together
///   enough(part)              if the rule is not `all`: returns true if the part has what the
///                             consumer wants
template <class C>
concept consumer = requires(const C& c, std::size_t i, typename C::part& p) {
  { C::rule } -> std::convertible_to<wanted>;
  c.begin(i);
  { c.merge(std::move(p), std::move(p)) } -> std::same_as<typename C::part>;
  requires C::rule == wanted::all || requires {
    { c.enough(std::as_const(p)) } -> std::convertible_to<bool>;
  };
};

/// A consumer whose folders need to know their leaf.
template <class C>
concept knows_leaf = requires(const C& c, const leaf& s) {
  c.begin(std::size_t{}, s);
};

/// A source with one item at each position. Several threads may get items at once, in any order.
///   item     the type that get() returns, a reference or a value
///   size()   returns the number of positions
///   get(i)   returns the item at position i
template <class S>
concept indexed_source = requires(const S& s, std::size_t i) {
  typename S::item;
  { s.size() } -> std::same_as<std::size_t>;
  { s.get(i) } -> std::same_as<typename S::item>;
};

/// A folder that takes anything. The concepts below use it to ask whether a source can feed a
/// folder.
struct any_folder {
  template <class Item>
  void take(Item&&) noexcept {}
  nothing finish() && noexcept { return {}; }
};

/// A source with any number of items at each position, also none.
///   feed(first, last, folder)   calls folder.take(item) for every item of the positions [first,
///                               last), in order, until folder.full(), if the folder has that
///   exact                       optional, static constexpr bool: one item at each position
template <class S>
concept feeding_source = requires(const S& s, std::size_t i, any_folder& f) {
  typename S::item;
  { s.size() } -> std::same_as<std::size_t>;
  s.feed(i, i, f);
};

/// The setting in which a chain runs: the fork policy, and the options of the call. A source that
/// forks uses `fork`, because the tests run filch's algorithms with other fork policies. A chain
/// that runs within a leaf of another chain ends when that leaf does.
template <detail::fork_policy Fork>
struct run {
  const Fork& fork;
  const options& o;
  const leaf* above = nullptr;

  bool goes_on() const noexcept { return above == nullptr || above->goes_on(); }
};

/// A consumer that does nothing. The concept below uses it to ask whether a source can drive a
/// consumer.
struct no_consumer {
  using part = nothing;
  static constexpr wanted rule = wanted::all;
  any_folder begin(std::size_t) const noexcept { return {}; }
  nothing merge(nothing, nothing) const noexcept { return {}; }
};

/// A source without positions, which divides its items itself: a tree, an input iterator.
///   drive(run, consumer)   feeds all items to folders of the consumer, one folder for each
///                          leaf, and returns the merged part; nullopt if there was none
template <class S>
concept driving_source = requires(const S& s, const run<detail::declared_fork>& r,
                                  const no_consumer& c) {
  typename S::item;
  { s.drive(r, c) } -> std::same_as<std::optional<nothing>>;
};

template <class S>
concept source = indexed_source<S> || feeding_source<S> || driving_source<S>;

/// A source with one item for each position and a known number of positions.
template <class S>
concept exact_source = indexed_source<S> ||(source<S>&& requires(const S& s) {
  requires S::exact;
  { s.size() } -> std::same_as<std::size_t>;
});

}  // namespace filch::plumbing
