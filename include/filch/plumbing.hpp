// How parallel ranges are put together: for those who write sources and adaptors of their own.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/split/course.hpp"
#include "filch/detail/split/fork.hpp"
#include "filch/options.hpp"

/// A chain of parallel ranges has a *source* at its beginning and a *consumer* at its end.
///
/// A source has positions, 0 to size() - 1, which can be divided among threads. What comes from a
/// stretch of them goes, item by item and in order, into a *folder*, of which the consumer makes
/// one for every stretch; when the stretch ends, the folder gives its *part* of the result.
/// Neighbouring parts are merged, the left one first, until one is left.
///
/// Adaptors stand in between. One that keeps positions (map, zip, take, rev) is a source made of
/// sources. Any other (filter, flat_map) makes another consumer of the one behind it: its folder
/// takes an item, and hands on what it makes of it. docs/design/ranges.md has an example of each.
namespace filch::plumbing {

/// Which of the items a consumer wants.
enum class wanted : unsigned char {
  all,    ///< every one
  first,  ///< when a part is enough, nothing behind it
  last,   ///< when a part is enough, nothing before it
  any,    ///< when a part is enough, nothing else
};

/// Takes the items of one stretch, in order, on one thread.
///   take(item)   one more
///   finish()     called once, after the last one: the part
///   full()       optional: no more are wanted
template <class F, class Item>
concept folder = requires(F& f, Item&& item) {
  f.take(static_cast<Item&&>(item));
  std::move(f).finish();
};

/// Has it a full()?
template <class F>
concept fillable = requires(const std::remove_reference_t<F>& f) {
  { f.full() } -> std::convertible_to<bool>;
};

/// A stretch of positions that is being run, as those see it that start something in there.
class stretch {
 public:
  /// Begins with `first` in a loop with this course, in a stretch `above`, if any. All outlive it.
  stretch(detail::loop_course& course, std::size_t first, const stretch* above) noexcept
      : course_(course), first_(first), above_(above) {}

  /// Is it still of use? Not if another stretch has thrown, or found what was looked for.
  bool goes_on() const noexcept {
    return course_.may_start(first_) && (above_ == nullptr || above_->goes_on());
  }

 private:
  detail::loop_course& course_;
  std::size_t first_;
  const stretch* above_;
};

/// Makes folders, on any thread, and merges their parts.
///   part                      what a stretch is worth; movable
///   rule                      static constexpr wanted
///   begin(position)           a folder for a stretch that begins there
///   begin(position, stretch)  optional: the same, for folders that start something themselves
///   merge(left, right)        what two neighbours are worth together
///   enough(part)              if the rule is not `all`: has it found what it wants?
template <class C>
concept consumer = requires(const C& c, std::size_t i, typename C::part& p) {
  { C::rule } -> std::convertible_to<wanted>;
  c.begin(i);
  { c.merge(std::move(p), std::move(p)) } -> std::same_as<typename C::part>;
  requires C::rule == wanted::all || requires {
    { c.enough(std::as_const(p)) } -> std::convertible_to<bool>;
  };
};

/// Wants its folders to know in which stretch they are.
template <class C>
concept knows_stretches = requires(const C& c, const stretch& s) {
  c.begin(std::size_t{}, s);
};

/// One item at each position, which can be had in any order, by several threads at once.
///   item     the type that get() returns, a reference or a value
///   size()   how many
///   get(i)   the item at position i
template <class S>
concept indexed_source = requires(const S& s, std::size_t i) {
  typename S::item;
  { s.size() } -> std::same_as<std::size_t>;
  { s.get(i) } -> std::same_as<typename S::item>;
};

/// A folder that takes anything, to ask what can be fed.
struct any_folder {
  template <class Item>
  void take(Item&&) noexcept {}
  nothing finish() && noexcept { return {}; }
};

/// Positions from each of which come some items, or none.
///   feed(first, last, folder)   calls folder.take(item) for every item of the positions
///                               [first, last), in order, until folder.full(), if it has that
///   exact                       optional, static constexpr bool: one item at each position
template <class S>
concept feeding_source = requires(const S& s, std::size_t i, any_folder& f) {
  typename S::item;
  { s.size() } -> std::same_as<std::size_t>;
  s.feed(i, i, f);
};

/// What a chain runs on: where forks go, and the options of the call. Algorithms of filch are
/// tested on other forks than the real one, so a source that forks uses this one. What runs within
/// a stretch of another chain ends when that does.
template <detail::fork_policy Fork>
struct run {
  const Fork& fork;
  const options& o;
  const stretch* above = nullptr;

  bool goes_on() const noexcept { return above == nullptr || above->goes_on(); }
};

/// A consumer that does nothing, to ask who can drive it.
struct no_consumer {
  using part = nothing;
  static constexpr wanted rule = wanted::all;
  any_folder begin(std::size_t) const noexcept { return {}; }
  nothing merge(nothing, nothing) const noexcept { return {}; }
};

/// Something without positions that divides its items itself: a tree, an input iterator.
///   drive(run, consumer)   feeds all items to folders of the consumer, one for each stretch, and
///                          returns the merged part; nothing if there was none
template <class S>
concept driving_source = requires(const S& s, const run<detail::parallel_fork>& r,
                                  const no_consumer& c) {
  typename S::item;
  { s.drive(r, c) } -> std::same_as<std::optional<nothing>>;
};

template <class S>
concept source = indexed_source<S> || feeding_source<S> || driving_source<S>;

/// A source with one item for each position, the number of which is known.
template <class S>
concept exact_source = indexed_source<S> ||(source<S>&& requires(const S& s) {
  requires S::exact;
  { s.size() } -> std::same_as<std::size_t>;
});

}  // namespace filch::plumbing
