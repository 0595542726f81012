// Adaptors of a parallel range that make other items of the items, fewer or more.
#pragma once

#include "filch/detail/chain/any_items.hpp"
#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/flat.hpp"
#include "filch/detail/chain/leaf_fold.hpp"
#include "filch/detail/chain/map.hpp"
#include "filch/detail/chain/range_part.hpp"

namespace filch {

/// Adaptors of a parallel range that look at one item after the other.
///
/// How      Nothing runs before a consumer is called. Then all adaptors of a chain run in one pass,
///          without a container in between. An adaptor moves from the range (`std::move(r).map(f)`
///          for an lvalue), and takes its functions. A function that can be called through a const
///          reference is shared by all threads, and need not be copyable. A function that its calls
///          change (a mutable lambda) is copied for every leaf. Pointers to members and anything
///          else that std::invoke calls are functions, too. A predicate gets `const item&`. The
///          items go on as they are, as references if they came as references.
/// Throws   Only when the chain runs: what the functions throw; of several exceptions the leftmost
///          one.
///
/// It has many functions: an adaptor is one of them, and the calls that it refuses are others.
template <class Source, class Fork>
class range_adaptors {
  using range = par_range<Source, Fork>;
  using item = typename Source::item;
  using seen = detail::seen_as<item>;
  using changed = std::remove_reference_t<item>&;

 public:
  /// Replaces each item by f(item). If the items have positions, so has the result: item i is f
  /// of item i. (Not if the chain made the item on the way, and f returns a reference or a view, or
  /// a pair or tuple with one, which may refer to that item: return a value to keep positions.)
  /// Rayon: map. Standard library: std::views::transform.
  ///
  ///     par(words).map(&std::string::size).sum()
  template <class F>
  requires detail::returns_an_item<F, item>
  auto map(F f) && {
    if constexpr (plumbing::indexed_source<Source> && detail::shareable<F, item> &&
                  !detail::may_refer_to_item<F, item>)
      return becomes<detail::mapped_source<Source, F>>(std::move(f));
    else
      return staged(detail::map_stage<F>{std::move(f)});
  }

  /// Keeps the items for which pred(item) holds. Rayon and std::views: filter.
  ///
  ///     par(v).filter([](int x) { return x % 2 == 0; }).count()
  template <class Pred>
  requires detail::chain_predicate<Pred, seen>
  auto filter(Pred pred) && { return staged(detail::filter_stage<Pred>{std::move(pred)}); }

  /// Replaces each item by *f(item), and drops the items for which f returns nothing. f returns a
  /// std::optional, a pointer, or another type that is true if it can be dereferenced. Rayon:
  /// filter_map.
  ///
  ///     par(lines).filter_map(parse_number).to_vector()   // parse_number returns std::optional
  template <class F>
  requires detail::maybe_function<F, item>
  auto filter_map(F f) && { return staged(detail::filter_map_stage<F>{std::move(f)}); }

  /// Replaces each item by the items of the range f(item), in order. f returns anything that par()
  /// takes, or any other range. A range that f makes on the fly is kept until its items have been
  /// used, and these are moved out of it.
  ///
  /// How    The thread that called f runs the inner range. If another thread looks for work
  ///        meanwhile, the rest of the inner range is divided, provided that it has random access.
  ///        So inner ranges may have very different lengths. An inner range without random access
  ///        is not divided.
  /// Rayon: flat_map (and flat_map_iter). Standard library: std::views::transform with
  /// std::views::join.
  ///
  ///     par(files).flat_map(read_lines).filter(is_error).count()
  template <class F>
  requires detail::flat_function<F, item>
  auto flat_map(F f) && { return becomes<detail::flat_source<Source, F>>(std::move(f)); }

  /// Replaces each item, which is a range, by its items. Otherwise as flat_map(). Rayon: flatten.
  /// Standard library: std::views::join.
  auto flatten() && requires detail::flattenable<item> {
    return becomes<detail::flat_source<Source, std::identity>>(std::identity());
  }

  /// Calls f(item) on the way, and passes the item on unchanged. Rayon: inspect.
  template <class F>
  requires detail::chain_function<F, seen>
  auto inspect(F f) && {
    return std::move(*this).map(detail::passing_on<F, item, seen>{std::move(f)});
  }

  /// Calls f(item) on the way, which may change the item: a borrowed element, or a value. Rayon:
  /// update.
  ///
  ///     par(std::move(names)).update([](std::string& s) { s += '!'; }).to_vector()
  template <class F>
  requires detail::chain_function<F, changed>
  auto update(F f) && {
    return std::move(*this).map(detail::passing_on<F, item, changed>{std::move(f)});
  }

  /// Copies each item, instead of passing on a reference to an element. Pairs with references
  /// become pairs of values. Rayon: copied and cloned.
  auto copied() && requires std::constructible_from<detail::decayed<item>, item> {
    return std::move(*this).map(detail::to_decayed<item>());
  }

  /// Replaces the items a, b, ... of each leaf by one item, op(op(make(), a), b) and so on. How
  /// many leaves there are is not specified. It is for results that are expensive to start and
  /// that can be combined, such as a table or a set; a consumer combines them. Rayon: fold.
  ///
  ///     par(words)
  ///         .fold([] { return histogram(); }, [](histogram h, const std::string& w) {
  ///           h.add(w);
  ///           return h;
  ///         })
  ///         .reduce(merge_histograms)
  template <class Make, class Op>
  requires detail::leaf_fold_functions<Make, Op, item>
  auto fold(Make make, Op op) && {
    static_assert(
        !detail::holds_references<detail::function_result<Make>>,
        "filch: fold(make, op): what make returns is assigned to, item by item, and must "
        "not be a pair or tuple with references: these would write to what they refer to");
    return staged(detail::leaf_fold_stage<Make, Op>{std::move(make), std::move(op)});
  }

  /// Replaces each item by f(state, item), with a state from make() that no other thread uses
  /// meanwhile: a buffer, a random number generator. There are about as many states as threads. A
  /// state is made when it is first needed, used for one leaf after the other, and destroyed
  /// when the chain has ended. Rayon: map_init, which makes a state for every leaf.
  ///
  ///     par(blocks).map_init([] { return compressor(); },
  ///                          [](compressor& c, const block& b) { return c.run(b); })
  template <class Make, class F>
  requires detail::init_functions<Make, F, item>
  auto map_init(Make make, F f) && {
    return staged(detail::init_stage<Make, F>{std::move(make), std::move(f)});
  }

  /// Takes any `n` of the items, those that are reached first, in the order of the range. When
  /// there are enough, the loop ends. Rayon: take_any.
  auto take_any(std::size_t n) && { return becomes<detail::take_any_source<Source>>(n); }

  /// Skips any `n` of the items, those that are reached first. Rayon: skip_any.
  auto skip_any(std::size_t n) && { return staged(detail::skip_any_stage{n}); }

  // ---- calls that do not fit, and the message of the compiler ----------------------------------

  template <class F>
  requires(!detail::returns_an_item<F, item>) FILCH_REFUSED(
      "filch: map(f): f must be callable with an item of this range, and return something: "
      "for_each(f) is for one that returns nothing. If calls change f (a mutable lambda), "
      "f must be copyable",
      map(F) &&);
  template <class Pred>
  requires(!detail::chain_predicate<Pred, seen>) FILCH_REFUSED(
      "filch: filter(pred): pred must be callable with a const reference to an item of this "
      "range, and return a bool. If calls change pred (a mutable lambda), pred must be "
      "copyable",
      filter(Pred) &&);
  template <class F>
  requires(!detail::maybe_function<F, item>) FILCH_REFUSED(
      "filch: filter_map(f): f must be callable with an item of this range, and return a "
      "std::optional, a pointer, or another type that is true if it can be dereferenced",
      filter_map(F) &&);
  template <class F>
  requires(!detail::flat_function<F, item>) FILCH_REFUSED(
      "filch: flat_map(f): f must be callable with an item of this range, and return a "
      "range",
      flat_map(F) &&);
  FILCH_REFUSED(
      "filch: flatten(): the items of this range must be ranges; flat_map(f) makes ranges "
      "of them first",
      flatten() && requires(!detail::flattenable<item>));
  template <class F>
  requires(!detail::chain_function<F, seen>) FILCH_REFUSED(
      "filch: inspect(f): f must be callable with a const reference to an item of this "
      "range. To change the item there is update(f)",
      inspect(F) &&);
  template <class F>
  requires(!detail::chain_function<F, changed>) FILCH_REFUSED(
      "filch: update(f): f must be callable with a reference to an item of this range, "
      "which is const if the range is",
      update(F) &&);
  FILCH_REFUSED(
      "filch: copied(): the items of this range cannot be copied. Map each to a pointer to "
      "it",
      copied() && requires(!std::constructible_from<detail::decayed<item>, item>));
  template <class Make, class Op>
  requires(!detail::leaf_fold_functions<Make, Op, item>) FILCH_REFUSED(
      "filch: fold(make, op): make must be callable without arguments, and op with what "
      "make returns and an item of this range. To combine all items into one value there "
      "is reduce(make, op)",
      fold(Make, Op) &&);
  template <class Make, class F>
  requires(!detail::init_functions<Make, F, item>) FILCH_REFUSED(
      "filch: map_init(make, f): make must be callable without arguments, and f with a "
      "reference to what make returns and an item of this range, and return something: "
      "for_each_init(make, f) is for one that returns nothing",
      map_init(Make, F) &&);

  FILCH_REFUSED_ON_A_NAME((), flatten, copied);
  FILCH_REFUSED_ON_A_NAME((auto&&), map, filter, filter_map, flat_map, inspect, update);
  FILCH_REFUSED_ON_A_NAME((auto&&, auto&&), fold, map_init);
  FILCH_REFUSED_ON_A_NAME((std::size_t), take_any, skip_any);

 private:
  template <class Other, class... Args>
  auto becomes(Args... args) {
    return static_cast<range&&>(*this).with_source([&](Source&& s) {
      return Other{std::move(s), std::move(args)...};
    });
  }
  template <class Stage>
  auto staged(Stage stage) {
    return static_cast<range&&>(*this).with_stage(std::move(stage));
  }
};

}  // namespace filch
