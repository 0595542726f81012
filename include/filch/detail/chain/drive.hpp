// Runs a chain: from the positions of its source to the one part of its consumer.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/base/expect.hpp"
#include "filch/detail/chain/called_work.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/split/hits.hpp"
#include "filch/detail/split/loop_state.hpp"
#include "filch/detail/split/reduce_blocks.hpp"
#include "filch/detail/split/splitter.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

using plumbing::wanted;

/// Source::get(), as a function.
template <plumbing::indexed_source Source>
class item_getter {
 public:
  explicit item_getter(const Source& source) noexcept : source_(source) {}
  [[gnu::always_inline]] typename Source::item operator()(std::size_t i) const {
    return source_.get(i);
  }

 private:
  const Source& source_;
};

/// Passes items [first, last) of a source to a folder, one by one. A source with positions may have
/// walk(), a loop that is better than get(i) for each.
template <plumbing::source Source, class Folder>
[[gnu::always_inline]] inline void feed_each(const Source& source, std::size_t first,
                                             std::size_t last, Folder& folder) {
  if constexpr (plumbing::feeding_source<Source>) {
    source.feed(first, last, folder);
  } else if constexpr (requires { source.walk(first, last, folder); }) {
    source.walk(first, last, folder);
  } else {
    for (std::size_t i = first; i != last; ++i) {
      folder.take(source.get(i));
      if constexpr (plumbing::fillable<Folder>)
        if (folder.full()) return;
    }
  }
}

/// Has a folder its own loop over positions, because it handles many items better than single ones?
/// take_all(get, first, last) takes get(first), ..., get(last - 1).
template <class Folder, class Source>
concept takes_all = plumbing::indexed_source<Source> && !plumbing::feeding_source<Source> &&
                    requires(Folder & folder, const item_getter<Source>& get, std::size_t i) {
  folder.take_all(get, i, i);
};

/// Can a source drop its first items, so that positions count from 0 again? clang++ optimises a
/// loop that counts from 0 better: adding an offset to each position makes the loop too large to be
/// unrolled as often. This does not apply to loops that may end early, nor to folders too large for
/// registers: those are not unrolled.
template <class Source>
concept begins_anywhere = fits_a_frame<Source> && requires(Source& s, std::size_t n) {
  s.drop(n);
};

/// Passes items [first, last) of a source, at least one and usually many, to a folder.
template <plumbing::source Source, class Folder>
[[gnu::always_inline]] inline void feed(const Source& source, std::size_t first, std::size_t last,
                                        Folder& folder) {
  if constexpr (takes_all<Folder, Source>) {
    folder.take_all(item_getter<Source>(source), first, last);
  } else if constexpr (begins_anywhere<Source> && fits_a_frame<Folder> &&
                       !plumbing::fillable<Folder>) {
    Source rest = source;
    rest.drop(first);
    detail::feed_each(rest, 0, last - first, folder);
  } else {
    detail::feed_each(source, first, last, folder);
  }
}

/// A folder for a leaf that begins at this position.
template <class Consumer>
[[gnu::always_inline]] inline auto begin_of(const Consumer& consumer, std::size_t position,
                                            const plumbing::leaf& where) {
  if constexpr (plumbing::knows_leaf<Consumer>)
    return consumer.begin(position, where);
  else
    return consumer.begin(position);
}

/// Has the consumer its own way to fold a leaf of this source?
template <class Consumer, class Source>
concept folds_directly = requires(const Consumer& c, const Source& s, std::size_t i) {
  { c.fold(s, i, i) } -> std::same_as<typename Consumer::part>;
};

/// The number of folders that take the items of a leaf in turn. It is more than 1 if the order
/// of items does not matter: a consumer of numbers says so, and all stages before it agree.
template <class Consumer>
constexpr std::size_t lanes_of() {
  if constexpr (requires { Consumer::lanes; })
    return Consumer::lanes;
  else
    return 1;
}

/// Passes items [first, last) of a source to several folders, in turn.
template <class Source, class Consumer, std::size_t... K>
[[gnu::always_inline]] inline auto feed_lanes(const Source& source, std::size_t first,
                                              std::size_t last, const Consumer& consumer,
                                              std::index_sequence<K...>) {
  constexpr std::size_t lanes = sizeof...(K);
  using folder = decltype(consumer.begin(first));
  folder lane[lanes] = {(static_cast<void>(K), consumer.begin(first))...};
  for (; last - first >= lanes; first += lanes) (lane[K].take(source.get(first + K)), ...);
  for (std::size_t k = 0; first != last; ++k, ++first) lane[k].take(source.get(first));
  auto part = std::move(lane[0]).finish();
  for (std::size_t k = 1; k != lanes; ++k)
    part = consumer.merge(std::move(part), std::move(lane[k]).finish());
  return part;
}

/// How many positions are worth a fork, if that is known.
template <class Consumer, class Source>
constexpr std::size_t least_of() {
  if constexpr (requires { Consumer::template least<Source>; })
    return Consumer::template least<Source>;
  else
    return 1;
}

/// Is the result the same wherever the chain is cut into leaves? The consumer says so, and all
/// stages before it agree. Stages that make one item of a whole leaf do not.
template <class Consumer>
constexpr bool fits_any_cut() {
  if constexpr (requires { Consumer::any_cut; })
    return Consumer::any_cut;
  else
    return std::same_as<typename Consumer::part, nothing>;
}

/// Does an item take more than a few instructions, or is the loop long anyway, so that a leaf may
/// be an indirect call? A source says so of itself, a consumer of itself or of one behind it.
template <class Stage>
constexpr bool has_long_items() {
  if constexpr (requires { Stage::long_items; })
    return Stage::long_items;
  else
    return false;
}

/// How many positions make a leaf where it matters which neighbours are combined. Many where only
/// memory bandwidth counts, few where an item may be expensive.
template <class Consumer, class Source>
inline constexpr std::size_t fixed_block = detail::least_of<Consumer, Source>() > 1 ? 1024 : 8;

/// The work of a chain, for the splitter.
template <class Source, class Consumer>
class chain_work {
  using part = typename Consumer::part;
  static constexpr wanted rule = Consumer::rule;

 public:
  static constexpr bool gives_nothing = std::same_as<part, nothing> && rule == wanted::all;
  using result = std::conditional_t<gives_nothing, nothing, std::optional<part>>;
  /// The splitter calls leaf() at several places. The code of the chain is inlined there only if a
  /// call would slow down a short loop. It is not inlined if a part needs a destructor, nor in a
  /// search, whose head is run separately.
  static constexpr bool is_called =
      rule != wanted::all || !std::is_trivially_destructible_v<result> ||
      detail::has_long_items<Consumer>() || detail::has_long_items<Source>();

  /// The positions from `first` up to `end`. In a search for the last item they are counted from
  /// the end.
  chain_work(const Source& source, const Consumer& consumer, loop_state& state, std::size_t first,
             std::size_t end, const plumbing::leaf* above) noexcept
      : source_(source),
        consumer_(consumer),
        state_(state),
        first_(first),
        end_(end),
        above_(above) {}

  [[gnu::always_inline]] result leaf(std::size_t first, std::size_t last) {
    if (rarely(above_ != nullptr) && !above_->goes_on()) return skipped();
    [[maybe_unused]] in_frame<Source> source = source_;
    if constexpr (folds_directly<Consumer, Source>) {
      return result(consumer_.fold(source, first_ + first, first_ + last));
    } else if constexpr (lanes_of<Consumer>() > 1 && !plumbing::feeding_source<Source>) {
      return leaf_in_lanes(first, last);
    } else {
      const std::size_t from = rule == wanted::last ? end_ - last : first_ + first;
      const std::size_t to = rule == wanted::last ? end_ - first : first_ + last;
      const plumbing::leaf here(state_, first, above_);
      auto folder = detail::begin_of(consumer_, from, here);
      detail::feed(source, from, to, folder);
      result r(std::move(folder).finish());
      if constexpr (rule != wanted::all)
        if (consumer_.enough(*r)) state_.cut(rule == wanted::any ? 0 : last);
      return r;
    }
  }

  /// In a search, parts that were not needed are missing. Otherwise a part is missing because the
  /// loop will throw.
  result combine(result&& a, result&& b) {
    if constexpr (gives_nothing) {
      return {};
    } else if constexpr (rule == wanted::all) {
      if (!a || !b) return std::nullopt;
      return result(consumer_.merge(*std::move(a), *std::move(b)));
    } else {
      if (!a || !b) return a ? std::move(a) : std::move(b);
      if constexpr (rule == wanted::last) std::swap(a, b);
      return result(consumer_.merge(*std::move(a), *std::move(b)));
    }
  }
  static result skipped() noexcept { return result{}; }

 private:
  /// Not inlined: it repeats the same code for each lane, so it is compiled once.
  [[gnu::noinline]] result leaf_in_lanes(std::size_t first, std::size_t last) {
    in_frame<Source> source = source_;
    return result(detail::feed_lanes(source, first_ + first, first_ + last, consumer_,
                                     std::make_index_sequence<lanes_of<Consumer>()>()));
  }

  const Source& source_;
  const Consumer& consumer_;
  loop_state& state_;
  std::size_t first_;
  std::size_t end_;
  const plumbing::leaf* above_;
};

/// Runs the beginning of a long source on the calling thread, in case the consumer needs no more.
template <class Fork, class Source, class Consumer>
std::size_t drive_head(const plumbing::run<Fork>& run, const Source& source,
                       const Consumer& consumer, loop_state& state,
                       std::optional<typename Consumer::part>& part) {
  const std::size_t n = source.size();
  if (n == 0 || !state.may_start(0)) return 0;
  const plumbing::leaf here(state, 0, run.above);
  auto scan = [&](std::size_t from, std::size_t to) {
    auto folder = detail::begin_of(consumer, from, here);
    detail::feed(source, from, to, folder);
    auto more = std::move(folder).finish();
    const bool hit = consumer.enough(more);
    if (part)
      part.emplace(consumer.merge(*std::exchange(part, std::nullopt), std::move(more)));
    else
      part.emplace(std::move(more));
    return hit ? from : to;
  };
  const head_search<decltype(scan)> head(run.fork, n, detail::least_of<Consumer, Source>(), scan);
  if (head.looked() != 0) state.finished(head.looked());
  return head.hit() ? n : head.looked();
}

/// Does options::deterministic affect how a chain is run into this consumer? Not where any item
/// will do.
template <class Consumer>
inline constexpr bool minds_order =
    Consumer::rule != wanted::any && !detail::fits_any_cut<Consumer>();

/// Runs all positions of a source with the same leaves, and with the same neighbours combined,
/// on any number of workers (options::deterministic).
template <class Fork, class Source, class Consumer>
[[gnu::noinline]] auto drive_in_fixed_order(const plumbing::run<Fork>& run, const Source& source,
                                            const Consumer& consumer)
    -> std::optional<typename Consumer::part> {
  const std::size_t n = source.size();
  const fixed_tree tree(n, fixed_block<Consumer, Source>);
  options o = run.o;
  o.grain = grain_of(run.o, detail::least_of<Consumer, Source>());
  const options in_blocks = tree.in_blocks(o);
  loop_state state(in_blocks, tree.blocks());
  // The loop counts blocks, and ends with all of them. The chain counts positions, and may find its
  // result at one of them.
  const options none;
  loop_state positions(none, n);
  const plumbing::leaf whole(state, 0, run.above);
  chain_work<Source, Consumer> work(source, consumer, positions, 0, n, &whole);
  return detail::unboxed<typename decltype(work)::result>(detail::run_called_in_fixed_order(
      run.fork, tree, in_blocks, state, positions, called_work(work)));
}

/// Runs all positions of a source.
template <class Fork, class Source, class Consumer>
[[gnu::always_inline]] inline auto drive_positions(const plumbing::run<Fork>& run,
                                                   const Source& source, const Consumer& consumer)
    -> std::optional<typename Consumer::part> {
  using work_type = chain_work<Source, Consumer>;
  if constexpr (minds_order<Consumer>)
    if (rarely(run.o.deterministic)) return detail::drive_in_fixed_order(run, source, consumer);
  const std::size_t n = source.size();
  loop_state state(run.o, n);
  constexpr bool looks_ahead = Consumer::rule == wanted::first || Consumer::rule == wanted::any;
  [[maybe_unused]] std::optional<typename Consumer::part> head;
  std::size_t first = 0;
  if constexpr (looks_ahead) first = detail::drive_head(run, source, consumer, state, head);
  work_type work(source, consumer, state, first, n, run.above);
  const std::size_t grain = grain_of(run.o, detail::least_of<Consumer, Source>());
  auto rest = [&]() __attribute__((always_inline)) {
    if constexpr (work_type::is_called)
      return detail::unboxed<typename work_type::result>(
          detail::run_called(run.fork, called_work(work), state, grain, n - first));
    else
      return splitter<Fork, work_type>(run.fork, work, state, grain).run(n - first);
  }
  ();
  state.end_of_loop();
  if constexpr (work_type::gives_nothing) {
    return nothing{};
  } else if constexpr (!looks_ahead) {
    return rest;  // avoids a warning of g++ about `head`, which is empty here
  } else {
    if (!head) return rest;
    if (!rest) return head;
    return std::optional<typename Consumer::part>(
        std::in_place, consumer.merge(*std::move(head), *std::move(rest)));
  }
}

/// Runs all items of a source into a consumer. Returns nothing if there were no positions.
/// Throws  What the functions of the chain throw; if several throw, the leftmost exception.
///         `cancelled`.
template <class Fork, plumbing::source Source, plumbing::consumer Consumer>
[[gnu::always_inline]] inline auto drive(const plumbing::run<Fork>& run, const Source& source,
                                         const Consumer& consumer)
    -> std::optional<typename Consumer::part> {
  if constexpr (plumbing::driving_source<Source>)
    return source.drive(run, consumer);
  else
    return detail::drive_positions(run, source, consumer);
}

}  // namespace filch::detail
