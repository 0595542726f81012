// Runs a chain: from the positions of its source to the one part of its consumer.
#pragma once

#include "filch/detail/chain/called_work.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/running.hpp"
#include "filch/detail/kernel/hits.hpp"

namespace filch::detail {

/// Does options::deterministic affect how a chain is run into this consumer? Not where any item
/// will do.
template <class Consumer>
inline constexpr bool minds_order =
    Consumer::rule != wanted::any && !plumbing::fits_any_cut<Consumer>;

/// Several folders of one consumer, which take items in turn, because order does not matter.
template <class Consumer, class Folder>
struct lane_folder {
  const Consumer& consumer;
  std::size_t position;
  Folder own;
  std::optional<typename Consumer::part> in_lanes{};

  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    own.take(static_cast<Item&&>(item));
  }
  template <class Get>
  [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
    take_in_turn(get, first, last, std::make_index_sequence<plumbing::lanes_of<Consumer>>());
  }
  typename Consumer::part finish() && {
    auto part = std::move(own).finish();
    if (!in_lanes) return part;
    return consumer.merge(std::move(part), *std::move(in_lanes));
  }

 private:
  template <class Get, std::size_t... K>
  [[gnu::always_inline]] void take_in_turn(const Get& get, std::size_t first, std::size_t last,
                                           std::index_sequence<K...>) {
    constexpr std::size_t lanes = sizeof...(K);
    Folder lane[lanes] = {(static_cast<void>(K), consumer.begin(position))...};
    for (; last - first >= lanes; first += lanes) (lane[K].take(get(first + K)), ...);
    for (std::size_t k = 0; first != last; ++k, ++first) lane[k].take(get(first));
    auto part = std::move(lane[0]).finish();
    for (std::size_t k = 1; k != lanes; ++k)
      part = consumer.merge(std::move(part), std::move(lane[k]).finish());
    if (in_lanes) part = consumer.merge(*std::move(in_lanes), std::move(part));
    in_lanes.emplace(std::move(part));
  }
};

/// The work of a chain, for the splitter.
template <class Source, class Consumer>
struct chain_work {
  using part = typename Consumer::part;
  static constexpr wanted rule = Consumer::rule;
  static constexpr bool gives_nothing = std::same_as<part, nothing> && rule == wanted::all;
  using result = std::conditional_t<gives_nothing, nothing, std::optional<part>>;
  /// The splitter has several calls of leaf(). The code of the chain is inlined there only if a
  /// call would slow down a short loop. It is not inlined if a part needs a destructor, nor in a
  /// search, whose head is run separately.
  static constexpr bool is_called =
      rule != wanted::all || !std::is_trivially_destructible_v<result> ||
      plumbing::has_long_items<Consumer> || plumbing::has_long_items<Source>;

  const Source& source;
  const Consumer& consumer;
  loop_state& state;
  /// The positions from `begins` up to `end`. In a search for the last item they are counted from
  /// the end.
  std::size_t begins;
  std::size_t end;
  const plumbing::leaf* above;

  [[gnu::always_inline]] result leaf(std::size_t first, std::size_t last) {
    if (rarely(above != nullptr) && !above->goes_on()) return skipped();
    if constexpr (in_lanes)
      return leaf_in_lanes(first, last);
    else
      return run_leaf(first, last);
  }

  /// In a search, parts that were not needed are missing. Otherwise a part is missing because the
  /// loop will throw.
  result combine(result&& a, result&& b) {
    if constexpr (gives_nothing) {
      return {};
    } else if constexpr (rule == wanted::all) {
      if (!a || !b) return std::nullopt;
      return result(consumer.merge(*std::move(a), *std::move(b)));
    } else {
      if (!a || !b) return a ? std::move(a) : std::move(b);
      if constexpr (rule == wanted::last) std::swap(a, b);
      return result(consumer.merge(*std::move(a), *std::move(b)));
    }
  }
  static result skipped() noexcept { return result{}; }

 private:
  using folder = decltype(plumbing::begin_of(std::declval<const Consumer&>(), std::size_t{},
                                             std::declval<const plumbing::leaf&>()));
  static constexpr bool in_lanes = plumbing::lanes_of<Consumer> > 1 &&
                                   !plumbing::fillable<folder> &&
                                   !plumbing::takes_all<folder, typename Source::item>;

  [[gnu::always_inline]] result run_leaf(std::size_t first, std::size_t last) {
    in_frame<Source> items_of = source;
    const std::size_t from = rule == wanted::last ? end - last : begins + first;
    const std::size_t to = rule == wanted::last ? end - first : begins + last;
    const plumbing::leaf here(state, first, above);
    auto items = begin(from, here);
    plumbing::feed(items_of, from, to, items);
    result r(std::move(items).finish());
    if constexpr (rule != wanted::all)
      if (consumer.enough(*r)) state.cut(rule == wanted::any ? 0 : last);
    return r;
  }
  /// Not inlined: it repeats the same code for each lane, so it is compiled once.
  [[gnu::noinline]] result leaf_in_lanes(std::size_t first, std::size_t last) {
    return run_leaf(first, last);
  }
  [[gnu::always_inline]] auto begin(std::size_t position, const plumbing::leaf& here) const {
    if constexpr (in_lanes)
      return lane_folder<Consumer, folder>{consumer, position,
                                           plumbing::begin_of(consumer, position, here)};
    else
      return plumbing::begin_of(consumer, position, here);
  }
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
    auto folder = plumbing::begin_of(consumer, from, here);
    plumbing::feed(source, from, to, folder);
    auto more = std::move(folder).finish();
    const bool hit = consumer.enough(more);
    detail::add_part(consumer, part, std::move(more));
    return hit ? from : to;
  };
  const head_search<decltype(scan)> head(run.fork, n, plumbing::least_of<Consumer, Source>, scan);
  if (head.looked() != 0) state.finished(head.looked());
  return head.hit() ? n : head.looked();
}

/// Runs all positions of a source with the same leaves, and with the same neighbours combined,
/// on any number of workers (options::deterministic).
template <class Fork, class Source, class Consumer>
[[gnu::noinline]] auto drive_in_fixed_order(const plumbing::run<Fork>& run, const Source& source,
                                            const Consumer& consumer)
    -> std::optional<typename Consumer::part> {
  const std::size_t n = source.size();
  const fixed_tree tree(n, fixed_block(plumbing::least_of<Consumer, Source>));
  options o = run.o;
  o.grain = grain_of(run.o, plumbing::least_of<Consumer, Source>);
  const options in_blocks = tree.in_blocks(o);
  loop_state state(in_blocks, tree.blocks());
  // The loop counts blocks, and ends with all of them. The chain counts positions, and may find its
  // result at one of them.
  const options plain;
  loop_state positions(plain, n);
  const plumbing::leaf whole(state, 0, run.above);
  chain_work<Source, Consumer> work{source, consumer, positions, 0, n, &whole};
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
  constexpr bool looks_ahead = ends_at_front<Consumer>;
  [[maybe_unused]] std::optional<typename Consumer::part> head;
  std::size_t first = 0;
  if constexpr (looks_ahead) first = detail::drive_head(run, source, consumer, state, head);
  work_type work{source, consumer, state, first, n, run.above};
  const std::size_t grain = grain_of(run.o, plumbing::least_of<Consumer, Source>);
  auto rest = [&]() __attribute__((always_inline)) {
    if constexpr (Consumer::rule == wanted::any)
      if (const std::size_t ahead = detail::items_ahead(run.fork, n, first, run.o.grain))
        return detail::unboxed<typename work_type::result>(detail::run_called_ahead(
            run.fork, called_work(work), state, grain, n - first, first, ahead));
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
    if (rest) detail::add_part(consumer, head, *std::move(rest));
    return head;
  }
}

}  // namespace filch::detail

template <class Fork, filch::plumbing::source Source, filch::plumbing::consumer Consumer>
[[gnu::always_inline]] inline auto filch::plumbing::drive(const run<Fork>& r, const Source& s,
                                                          const Consumer& consumer)
    -> std::optional<typename Consumer::part> {
  if constexpr (driving_source<Source>)
    return s.drive(r, consumer);
  else
    return detail::drive_positions(r, s, consumer);
}
