// Adaptors of a parallel range whose items have positions.
#pragma once

#include "filch/detail/chain/chained.hpp"
#include "filch/detail/chain/chunks.hpp"
#include "filch/detail/chain/range_part.hpp"
#include "filch/detail/chain/source_of.hpp"
#include "filch/detail/chain/zip.hpp"
#include "filch/subrange.hpp"

namespace filch {

/// Adaptors of a parallel range that need to know the position of an item. All except chain() need
/// a source with positions (plumbing::indexed_source): a range with random access, numbers, the
/// result of one of these adaptors, or map() of any of these. After filter(), flat_map() and the
/// like the position of an item is not known. After map() with a function that its calls change
/// there are no positions either, because such a function is not called out of order.
///
/// Their items have positions again. Two differ: the ranges of chunk_by() have none, and the items
/// of chain() have them if the items of both sides have. Otherwise as range_adaptors: this class
/// has many functions for the same reason.
template <class Source, class Fork>
class range_positions {
  using range = par_range<Source, Fork>;
  using item = typename Source::item;
  using seen = detail::seen_as<item>;
  static constexpr bool has_positions = plumbing::indexed_source<Source>;

 public:
  /// Pairs the items at the same position: std::pair(item, other item). There are as many as the
  /// shorter range has. `other` is anything with positions that par() takes. For three and more
  /// ranges see filch::zip(). Rayon and std::views: zip.
  ///
  ///     par(a).zip(b).map([](auto ab) { return ab.first * ab.second; }).sum()
  template <detail::parallel_indexed R>
      auto zip(R&& other) && requires plumbing::indexed_source<Source> {
    using right = detail::source_type<R>;
    return becomes<detail::zipped_source<Source, right>>(
        detail::source_for(static_cast<R&&>(other)));
  }

  /// Pairs each item with its position: std::pair(position, item). Rayon and std::views: enumerate.
  auto enumerate() && requires plumbing::indexed_source<Source> {
    return becomes<detail::enumerated_source<Source>>();
  }

  /// Groups the items into ranges of `length` neighbours; the last one has the rest. For a borrowed
  /// range they are std::span if it is contiguous, else filch::subrange. Otherwise they are ranges
  /// over this chain and must not outlive it: their items are computed, or moved out, on access.
  /// Throws  usage_error if `length` is 0. Rayon and std::views: chunks.
  auto chunks(std::size_t length) && requires plumbing::indexed_source<Source> {
    detail::require_positive(length, "chunks");
    return becomes<detail::chunk_source<Source>>(length);
  }

  /// Makes a range of every `length` neighbours: 0 to length - 1, 1 to length, and so on. There are
  /// none if there are fewer items. Otherwise as chunks(). An item is in several windows, so
  /// nothing is moved out of a container that the chain owns: the windows have `const` references.
  /// Rayon: windows. Standard library: std::views::slide.
  ///
  ///     par(v).windows(2).all([](auto two) { return two[0] <= two[1]; })
  auto windows(std::size_t length) && requires plumbing::indexed_source<Source> {
    detail::require_positive(length, "windows");
    return std::move(*this).staying([&](auto&& s) {
      return detail::window_source<std::remove_cvref_t<decltype(s)>>{std::forward<decltype(s)>(s),
                                                                     length};
    });
  }

  /// Groups neighbours for which pred(item, next item) holds into one range. The ranges are like
  /// those of windows(), and have no positions. `pred` is called once or twice for two neighbours.
  /// Rayon and std::views: chunk_by.
  template <class Pred>
  requires plumbing::indexed_source<Source> && detail::chain_predicate<Pred, seen, seen>
  auto chunk_by(Pred pred) && {
    return std::move(*this).staying([&](auto&& s) {
      return detail::chunk_by_source<std::remove_cvref_t<decltype(s)>, Pred>{
          std::forward<decltype(s)>(s), std::move(pred)};
    });
  }

  /// Appends the items of `other`, which is anything that par() takes. If both have positions, so
  /// has the result. If not, the second begins when the first has ended. Items are references if
  /// both ranges have references that fit, else values. Throws usage_error if both have positions,
  /// and together more than std::size_t can count. Rayon: chain. Standard library:
  /// std::views::concat.
  template <detail::parallel R>
  auto chain(R&& other) && {
    using right = detail::source_type<R>;
    static_assert(
        requires { typename detail::either_item<item, typename right::item>; },
        "filch: chain(other): the items of both must have a type in common: map one side to the "
        "type of the other");
    static_assert(!detail::joins_as_dead_views<Source, right>,
                  "filch: chain(): one side has views, such as std::string_view, and the other "
                  "makes objects that would become views of what ends at once. Map both to the "
                  "same type");
    if constexpr (has_positions && plumbing::indexed_source<right>)
      return becomes<detail::chained_source<Source, right>>(
          detail::source_for(static_cast<R&&>(other)));
    else
      return becomes<detail::sequence_source<Source, right>>(
          detail::source_for(static_cast<R&&>(other)));
  }

  /// Takes the first `n` items, or all if there are fewer. Rayon and std::views: take.
  auto take(std::size_t n) && requires plumbing::indexed_source<Source> {
    return becomes<detail::slice_source<Source>>(std::size_t{0}, std::min(n, positions()));
  }

  /// Skips the first `n` items. Rayon: skip. Standard library: std::views::drop.
  auto skip(std::size_t n) && requires plumbing::indexed_source<Source> {
    const std::size_t skipped = std::min(n, positions());
    return becomes<detail::slice_source<Source>>(skipped, positions() - skipped);
  }

  /// Takes the items at the positions 0, n, 2n, and so on. Throws usage_error if `n` is 0. Rayon:
  /// step_by. Standard library: std::views::stride.
  auto step_by(std::size_t n) && requires plumbing::indexed_source<Source> {
    detail::require_positive(n, "step_by");
    return becomes<detail::step_source<Source>>(n);
  }

  /// Reverses the order: the last item comes first. Rayon: rev. Standard library:
  /// std::views::reverse.
  auto rev() && requires plumbing::indexed_source<Source> {
    return becomes<detail::reversed_source<Source>>(positions() - 1);
  }

  /// Puts `between` between any two items. If the items are references, those between refer to a
  /// value that the chain keeps, or to a copy of it, as with par_repeat(). Throws usage_error if
  /// that makes more items than std::size_t can count. Rayon: intersperse.
  auto intersperse(std::remove_cvref_t<item> between) &&
      requires(
          plumbing::indexed_source<Source>&& std::copy_constructible<std::remove_cvref_t<item>>) {
    if (const std::size_t n = positions(); n != 0)
      (void)detail::sum_of_sizes(n, n - 1, "intersperse()");
    return becomes<detail::interspersed_source<Source>>(std::move(between));
  }

  // ---- calls that do not fit, and the message of the compiler ----------------------------------

#define FILCH_REFUSED_WITHOUT_POSITIONS(name, without)                                             \
  template <class... Args>                                                                         \
  requires(without) FILCH_REFUSED(                                                                 \
      "filch: " #name                                                                              \
      "() needs items with positions. There are none behind filter, flat_map "                     \
      "and the like, par_bridge, a walk over a tree, or a map with a mutable function. Put " #name \
      "() before these, or collect first: par(std::move(range).to_vector())." #name "(...)",       \
      name(Args&&...) &&);
  FILCH_EACH_NAME(FILCH_REFUSED_WITHOUT_POSITIONS, !has_positions, zip, enumerate, chunks, windows,
                  chunk_by, take, skip, step_by, rev, intersperse);
#undef FILCH_REFUSED_WITHOUT_POSITIONS

  template <class R>
  requires(has_positions && !detail::parallel_indexed<R>) FILCH_REFUSED(
      "filch: zip(other): other must have random access and a size, or be a parallel range "
      "whose items have positions. Collect it into a std::vector first",
      zip(R&&) &&);
  template <class R>
  requires(!detail::parallel<R>) FILCH_REFUSED(
      "filch: chain(other): other must have random access and a size. Of any other range "
      "par_bridge(other) makes a parallel one, whose items come in any order",
      chain(R&&) &&);
  template <class Pred>
  requires(has_positions && !detail::chain_predicate<Pred, seen, seen>) FILCH_REFUSED(
      "filch: chunk_by(pred): pred must be callable with const references to two items of "
      "this range, and return a bool",
      chunk_by(Pred) &&);

  FILCH_REFUSED_ON_A_NAME((), enumerate, rev);
  FILCH_REFUSED_ON_A_NAME((auto&&), zip, chunk_by, chain);
  FILCH_REFUSED_ON_A_NAME((std::size_t), chunks, windows, take, skip, step_by);
  FILCH_REFUSED_ON_A_NAME((const std::remove_cvref_t<item>&), intersperse);

 private:
  template <class Other, class... Args>
  auto becomes(Args... args) {
    return static_cast<range&&>(*this).with_source([&](Source&& s) {
      return Other{std::move(s), std::move(args)...};
    });
  }
  /// Returns a range of make(source), where the source gives the same item each time it is asked.
  template <class Make>
  auto staying(Make make) && {
    static_assert(!plumbing::gives_away<Source> || plumbing::looking_source<Source>,
                  "filch: windows() and chunk_by() look at an item several times, but the items of "
                  "this range are made of elements that are moved out of the container that the "
                  "chain owns. Let it borrow that, par(v) instead of par(std::move(v)), or collect "
                  "the items first");
    return static_cast<range&&>(*this).with_source([&](Source&& s) {
      if constexpr (plumbing::gives_away<Source>)
        return make(detail::staying_source<Source>{std::move(s)});
      else
        return make(std::move(s));
    });
  }
  std::size_t positions() const { return static_cast<const range&>(*this).source().size(); }
};

}  // namespace filch
