// Runs a chain: from the positions of its source to the one part of its consumer.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/base/expect.hpp"
#include "filch/detail/chain/called_work.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/protocol.hpp"
#include "filch/detail/kernel/hits.hpp"
#include "filch/detail/loop/loop_state.hpp"
#include "filch/detail/loop/reduce_blocks.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

using plumbing::wanted;

/// The work of a chain, for the splitter.
template <class Source, class Consumer>
class chain_work {
  using part = typename Consumer::part;
  static constexpr wanted rule = Consumer::rule;

 public:
  static constexpr bool gives_nothing = std::same_as<part, nothing> && rule == wanted::all;
  using result = std::conditional_t<gives_nothing, nothing, std::optional<part>>;
  /// The splitter has several calls of leaf(). The code of the chain is inlined there only if a
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
