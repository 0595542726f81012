// The parts of parallel ranges, and the whole protocol between them. Programs include it as
// filch/plumbing.hpp.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/loop/fork_policy.hpp"
#include "filch/detail/loop/loop_state.hpp"
#include "filch/detail/sched/outcome.hpp"

/// A chain of parallel ranges has a *source* at its beginning and a *consumer* at its end.
///
/// A source has positions, 0 to size() - 1, which can be divided among threads. A *leaf* is a
/// range of positions that one thread runs. The consumer makes a *folder* for every leaf. The
/// items of the leaf go into that folder one by one, in order. When the leaf ends, the folder
/// gives its *part* of the result. The consumer merges neighbouring parts, the left one first,
/// until one is left.
///
/// Adaptors stand in between. An adaptor that keeps positions (map, zip, take, rev) is a source
/// made of sources. Any other adaptor (filter, flat_map) is a *stage* before the consumer: its
/// folder takes an item, and hands on what it makes of the item. docs/design/ranges.md has an
/// example of each.
///
/// The concepts below have the members that a part must have. A part may also have some of the
/// following members. Other code uses such a member through its access point only, which gives the
/// default if there is no such member.
///
///   of a source          what it says or does                       default       access point
///   exact                there is one item at each position         has get()     exact_source
///   gives_away           items are moved out: it can run once       false         gives_away
///   long_items           an item takes more than a few              false         has_long_items
///                        instructions
///   look(i)              the item at i, which is not moved out      none          looking_source
///   at(i)                a random access iterator to the item at i  none          iterable_source
///   drop(n)              drops the first n items                    none          droppable_source
///   walk(i, j, folder)   feeds the folder, better than get() for    get(), take() feed_each
///                        each position
///
///   of a range
///   par_source(range)    a function in the namespace of the range   none          hooked
///                        that makes a source of it
///
///   of a folder
///   full()               no more items are wanted                   false         is_full
///   take_if(yes, item)   takes the item if `yes`, without a branch  if, take()    take_if
///   take_all(get, i, j)  takes get(i), ..., get(j - 1), at least    take()        feed, takes_all
///                        one item, better than one by one
///   take_all_if(get, i, j, test)   the same, of the items for       take_if()     takes_all_if
///                        which test(item) is true
///
///   of a consumer
///   begin(i, leaf)       begin(i) for folders that start work       begin(i)      begin_of
///   enough(part)         the part has what the consumer wants       false         is_enough
///   least<Source>        positions of a Source that are worth a     1             least_of
///                        fork
///   lanes                folders that take the items of a leaf in   1             lanes_of
///                        turn, because order does not matter
///   any_cut              the result is the same wherever the chain  part is       fits_any_cut
///                        is cut into leaves                         `nothing`
///   long_items           as of a source; or a leaf is long anyway   false         has_long_items
///
///   of a stage
///   keeps_positions      it makes one item of each item             false         keeps_positions
///   keeps_nothing<Item>  its result for an item does not depend on  false         keeps_nothing
///                        earlier items
///   by_leaf              its results depend on where leaves begin   false         by_leaf
///   for_run()            the stage of one run, which may have       the stage     for_run
///                        state                                      itself
///   passes(item)         it hands on just the items for which this  none          selecting_stage
///                        is true, as they are
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

/// Asks a folder whether it is full.
template <class F>
[[gnu::always_inline]] constexpr bool is_full(const F& f) {
  if constexpr (fillable<F>)
    return f.full();
  else
    return false;
}

/// Passes an item to a folder if `yes`.
template <class F, class Item>
[[gnu::always_inline]] inline void take_if(F& f, bool yes, Item&& item) {
  if constexpr (requires { f.take_if(yes, static_cast<Item&&>(item)); })
    f.take_if(yes, static_cast<Item&&>(item));
  else if (yes)
    f.take(static_cast<Item&&>(item));
}

/// A folder that takes many items of type Item better than single ones.
template <class F, class Item>
concept takes_all = requires(F& f, Item (&get)(std::size_t)) {
  f.take_all(get, std::size_t{}, std::size_t{});
};

/// A folder that takes many items of type Item that pass a test.
template <class F, class Item>
concept takes_all_if = requires(F& f, Item (&get)(std::size_t),
                                bool (&test)(const std::remove_reference_t<Item>&)) {
  f.take_all_if(get, std::size_t{}, std::size_t{}, test);
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

/// A folder for a leaf that begins at `position`.
template <class C>
[[gnu::always_inline]] inline auto begin_of(const C& c, std::size_t position, const leaf& where) {
  if constexpr (knows_leaf<C>)
    return c.begin(position, where);
  else
    return c.begin(position);
}

/// Has a part what the consumer wants?
template <class C>
[[gnu::always_inline]] constexpr bool is_enough(const C& c, const typename C::part& p) {
  if constexpr (C::rule == wanted::all)
    return false;
  else
    return c.enough(p);
}

template <class C, class Source>
inline constexpr std::size_t least_of = 1;
template <class C, class Source>
requires requires { C::template least<Source>; }
inline constexpr std::size_t least_of<C, Source> = C::template least<Source>;

template <class C>
inline constexpr std::size_t lanes_of = 1;
template <class C>
requires requires { C::lanes; }
inline constexpr std::size_t lanes_of<C> = C::lanes;

template <class C>
inline constexpr bool fits_any_cut = std::same_as<typename C::part, nothing>;
template <class C>
requires requires { C::any_cut; }
inline constexpr bool fits_any_cut<C> = C::any_cut;

/// Do the items of this source, or of this consumer, cost so much more than an indirect call that
/// a leaf may be one?
template <class Part>
inline constexpr bool has_long_items = requires {
  requires Part::long_items;
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
///                               last), in order, until is_full(folder)
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

/// A range whose namespace has a par_source() that makes a source of it.
template <class R>
concept hooked = requires(R&& r) {
  { par_source(static_cast<R&&>(r)) } -> source;
};

/// A source with one item for each position and a known number of positions.
template <class S>
concept exact_source = indexed_source<S> ||(source<S>&& requires(const S& s) {
  requires S::exact;
  { s.size() } -> std::same_as<std::size_t>;
});

/// Does a chain move items out of this source, so that it can be run only once?
template <class S>
inline constexpr bool gives_away = requires {
  requires S::gives_away;
};

/// A source whose items are moved out, but can be looked at before.
template <class S>
concept looking_source = indexed_source<S> && requires(const S& s, std::size_t i) {
  s.look(i);
};

/// A source whose items are in a range, so that it has iterators to them.
template <class S>
concept iterable_source = indexed_source<S> && requires(const S& s, std::size_t i) {
  { s.at(i) } -> std::random_access_iterator;
};

/// Its iterators.
template <iterable_source S>
using iterator_of = decltype(std::declval<const S&>().at(std::size_t{}));

/// A source that can drop its first items, so that positions count from 0 again. clang++ optimises
/// a loop that counts from 0 better: adding an offset to each position makes the loop too large to
/// be unrolled as often.
template <class S>
concept droppable_source = requires(S& s, std::size_t n) {
  s.drop(n);
};

/// Source::get(), as a function.
template <indexed_source Source>
class item_getter {
 public:
  explicit item_getter(const Source& source) noexcept : source_(source) {}
  [[gnu::always_inline]] typename Source::item operator()(std::size_t i) const {
    return source_.get(i);
  }

 private:
  const Source& source_;
};

/// Small objects of a chain are used by a leaf as copies on its stack: the compiler knows that no
/// store in the loop changes them. The test is not is_trivially_copyable, because a tuple, which
/// can be assigned, is not trivially copyable.
template <class T>
inline constexpr bool fits_a_frame =
    std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T> &&
    sizeof(T) <= 64;

/// Passes items [first, last) of a source to a folder, one by one.
template <source Source, class Folder>
[[gnu::always_inline]] inline void feed_each(const Source& s, std::size_t first, std::size_t last,
                                             Folder& folder) {
  if constexpr (feeding_source<Source>) {
    s.feed(first, last, folder);
  } else if constexpr (requires { s.walk(first, last, folder); }) {
    s.walk(first, last, folder);
  } else {
    for (std::size_t i = first; i != last; ++i) {
      folder.take(s.get(i));
      if (is_full(folder)) return;
    }
  }
}

/// Passes items [first, last) of a source, at least one and usually many, to a folder. The first
/// items are not dropped in a loop that may end early at any item, nor if folder or source are too
/// large for registers: such loops are not unrolled.
template <source Source, class Folder>
[[gnu::always_inline]] inline void feed(const Source& s, std::size_t first, std::size_t last,
                                        Folder& folder) {
  constexpr bool at_once = !feeding_source<Source> && takes_all<Folder, typename Source::item>;
  if constexpr (droppable_source<Source> && fits_a_frame<Source> &&
                (at_once || (fits_a_frame<Folder> && !fillable<Folder>))) {
    Source rest = s;
    rest.drop(first);
    if constexpr (at_once)
      folder.take_all(item_getter<Source>(rest), 0, last - first);
    else
      plumbing::feed_each(rest, 0, last - first, folder);
  } else if constexpr (at_once) {
    folder.take_all(item_getter<Source>(s), first, last);
  } else {
    plumbing::feed_each(s, first, last, folder);
  }
}

/// Runs all items of a source into a consumer, as one chain within `r`. Returns nothing if there
/// were no positions. A source that is made of others calls it in its drive().
/// Throws  What the functions of the chain throw; if several throw, the leftmost exception.
///         `cancelled`.
template <class Fork, source Source, consumer Consumer>
[[gnu::always_inline]] inline auto drive(const run<Fork>& r, const Source& s,
                                         const Consumer& consumer)
    -> std::optional<typename Consumer::part>;

/// The stage that stands before a consumer in one run of a chain.
template <class Stage>
decltype(auto) for_run(const Stage& s) {
  if constexpr (requires { s.for_run(); })
    return s.for_run();
  else
    return (s);
}

/// A stage stands before a consumer, and makes any number of items of each item of type Item.
/// par_range::with_stage() puts it behind a range.
///   item<Item>           the type of what it makes
///   before<Item>(next)   returns a folder that takes such items, and hands on what it makes of
///                        them to the folder `next`, which it owns. If `next` has full(), so has
///                        that folder. A stage with for_run() has before() there
template <class S, class Item>
concept stage = requires(const S& s, any_folder next) {
  typename S::template item<Item>;
  { plumbing::for_run(s).template before<Item>(next) } -> folder<Item>;
};

template <class Stage>
inline constexpr bool keeps_positions = requires {
  requires Stage::keeps_positions;
};
template <class Stage, class Item>
inline constexpr bool keeps_nothing = requires {
  requires Stage::template keeps_nothing<Item>;
};
template <class Stage>
inline constexpr bool by_leaf = requires {
  requires Stage::by_leaf;
};

/// A stage that may be asked which items it hands on, by several threads at once, in any order.
template <class S, class Item>
concept selecting_stage = stage<S, Item> &&
    requires(const S& s, const std::remove_cvref_t<Item>& x) {
  { s.passes(x) } -> std::same_as<bool>;
};

}  // namespace filch::plumbing
