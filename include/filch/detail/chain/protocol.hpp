// What chains ask of sources, folders and consumers, beyond the plumbing that every one has; and
// how items get from a source to a folder.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <utility>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/sched/outcome.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

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

/// Does options::deterministic affect how a chain is run into this consumer? Not where any item
/// will do.
template <class Consumer>
inline constexpr bool minds_order =
    Consumer::rule != plumbing::wanted::any && !detail::fits_any_cut<Consumer>();

/// Runs a chain: drive.hpp, which par_range.hpp includes.
template <class Fork, plumbing::source Source, plumbing::consumer Consumer>
[[gnu::always_inline]] inline auto drive(const plumbing::run<Fork>& run, const Source& source,
                                         const Consumer& consumer)
    -> std::optional<typename Consumer::part>;

}  // namespace filch::detail
