// Random chains: where their items come from, what they pass through, and where they end.
//
// Sources and consumers are listed, so that each occurs. The adaptors between them are drawn when a
// test is compiled, so that they are fused as in a user's program. Arguments, sizes, and the items
// that throw or request a stop are drawn when the test runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "filch/detail/base/rng.hpp"
#include "support/chain_items.hpp"

namespace filch::test {

enum class origin : unsigned char {
  vector,        ///< of strings, borrowed
  deque,         ///< of strings, borrowed, const
  span,          ///< of strings
  characters,    ///< of a string_view
  numbers,       ///< par_indices
  owned,         ///< a vector of strings that is moved in
  gifts,         ///< a vector of a move-only type
  zip_borrowed,  ///< pairs of references
  zip_owned,     ///< pairs of a moved element and a reference
  zip_three,     ///< tuples
  view,          ///< an rvalue view of strings that the caller keeps
  repeat,
  once,
  empty,
  ring,         ///< a container with its own par_source()
  tree_prefix,  ///< nodes that are pairs of values
  tree_postfix,
  bridge,  ///< from a list of gifts
};

enum class kind : unsigned char {
  // These need positions, and keep them,
  rev,
  take,
  skip,
  step_by,
  zip,
  zip_gifts,
  enumerate,
  chunks,
  windows,
  intersperse,
  // these lose them,
  chunk_by,
  chunks_flattened,
  // these need none, and keep them if there are any,
  chain,
  chain_owned,
  map,
  update,
  copied,
  // and these lose them.
  map_to_references,
  filter,
  filter_map,
  flat_map_vectors,
  flat_map_repeat,
  flat_map_lists,
  map_of_changing_function,
  map_init,
};
inline constexpr auto kinds = static_cast<unsigned>(kind::map_init) + 1;
inline constexpr const char* stage_names[kinds] = {"rev",
                                                   "take",
                                                   "skip",
                                                   "step_by",
                                                   "zip",
                                                   "zip of gifts",
                                                   "enumerate",
                                                   "chunks",
                                                   "windows",
                                                   "intersperse",
                                                   "chunk_by",
                                                   "chunks, flattened",
                                                   "chain",
                                                   "chain, owned",
                                                   "map",
                                                   "update",
                                                   "copied",
                                                   "map to references",
                                                   "filter",
                                                   "filter_map",
                                                   "flat_map to vectors",
                                                   "flat_map to par_repeat",
                                                   "flat_map to lists",
                                                   "map of a changing function",
                                                   "map_init"};

enum class outcome : unsigned char {
  to_vector,
  to_deque,
  to_set,
  to_map,
  to_unordered_map,
  to_string,
  into_vector,
  into_deque,
  unzip,
  partition,
  partition_map,
  group_by,
  product_in_place,  ///< a map to the elements of a vector
  for_each,
  for_each_in_place,  ///< changes the borrowed elements
  for_each_init,
  reduce,
  reduce_value,
  reduce_make,
  fold,
  sum,
  product,
  count,
  min,
  max_by,
  min_by_key,
  max_by_key,
  minmax,
  find_first,
  find_last,
  find_any,
  find_map_first,
  find_map_last,
  find_map_any,
  position_first,
  position_last,
  position_any,
  any,
  all,
  none,
  take_any,
  skip_any,
  try_for_each,
  try_reduce,
  try_fold,
  try_to,
};
inline constexpr auto outcomes = static_cast<unsigned>(outcome::try_to) + 1;

struct ends {
  origin from;
  outcome to;
};
/// The two ends of every chain, in three groups: into containers, with owned or changed items, and
/// all others.
inline constexpr ends chains[] = {
    {origin::zip_borrowed, outcome::to_vector},
    {origin::vector, outcome::to_deque},
    {origin::zip_three, outcome::to_set},
    {origin::deque, outcome::to_map},
    {origin::owned, outcome::to_unordered_map},
    {origin::characters, outcome::to_string},
    {origin::span, outcome::into_vector},
    {origin::view, outcome::into_deque},
    {origin::zip_borrowed, outcome::unzip},
    {origin::vector, outcome::partition},
    {origin::ring, outcome::partition_map},
    {origin::zip_borrowed, outcome::group_by},
    {origin::tree_prefix, outcome::to_vector},
    {origin::repeat, outcome::try_to},
    {origin::owned, outcome::to_vector},
    {origin::deque, outcome::take_any},
    // With owned or changed items.
    {origin::gifts, outcome::to_vector},
    {origin::gifts, outcome::partition},
    {origin::zip_owned, outcome::group_by},
    {origin::zip_owned, outcome::unzip},
    {origin::gifts, outcome::reduce},
    {origin::bridge, outcome::to_vector},
    {origin::gifts, outcome::min},
    {origin::zip_owned, outcome::max_by_key},
    {origin::once, outcome::find_first},
    {origin::gifts, outcome::find_last},
    {origin::gifts, outcome::into_vector},
    {origin::gifts, outcome::skip_any},
    {origin::zip_owned, outcome::product_in_place},
    {origin::vector, outcome::product_in_place},
    {origin::span, outcome::for_each_in_place},
    {origin::zip_borrowed, outcome::for_each_in_place},
    // One value, or none.
    {origin::deque, outcome::for_each},
    {origin::bridge, outcome::for_each_init},
    {origin::zip_borrowed, outcome::reduce},
    {origin::owned, outcome::reduce_value},
    {origin::tree_postfix, outcome::reduce_make},
    {origin::zip_three, outcome::fold},
    {origin::numbers, outcome::sum},
    {origin::view, outcome::product},
    {origin::zip_owned, outcome::count},
    {origin::zip_borrowed, outcome::max_by},
    {origin::vector, outcome::min_by_key},
    {origin::zip_borrowed, outcome::minmax},
    {origin::zip_borrowed, outcome::find_any},
    {origin::vector, outcome::find_map_first},
    {origin::tree_prefix, outcome::find_map_last},
    {origin::zip_owned, outcome::find_map_any},
    {origin::vector, outcome::position_first},
    {origin::gifts, outcome::position_last},
    {origin::numbers, outcome::position_any},
    {origin::ring, outcome::any},
    {origin::characters, outcome::all},
    {origin::empty, outcome::none},
    {origin::zip_owned, outcome::try_for_each},
    {origin::vector, outcome::try_reduce},
    {origin::zip_borrowed, outcome::try_fold},
};
inline constexpr unsigned chain_count = std::size(chains);
inline constexpr unsigned first_owner = 16;
inline constexpr unsigned first_value = 32;

inline constexpr int deepest = 6;
struct plan {
  std::array<kind, deepest> stages{};
  int depth = 0;
  /// Before this stage the items are read, and may throw.
  int check_at = 0;
  bool piped = false;
};

constexpr bool keeps_positions(kind k) {
  return k <= kind::intersperse || (k >= kind::chain && k <= kind::copied);
}

/// What is known about the items at some point in a chain.
class flow {
 public:
  explicit constexpr flow(origin from) {
    using enum origin;
    switch (from) {
      case vector:
      case deque:
      case span:
      case view:
      case repeat:
      case ring:
        become(shape::text);
        break;
      case characters:
      case numbers:
        become(shape::other);
        break;
      case owned:
        become(shape::text);
        fresh_ = gone_ = looking_ = true;
        break;
      case gifts:
      case once:
      case empty:
      case bridge:
        become(shape::moved);
        fresh_ = gone_ = true;
        looking_ = from == gifts;
        positions_ = from != bridge;
        break;
      case zip_borrowed:
      case zip_three:
        become(shape::text);
        wrap();
        break;
      case zip_owned:
        become(shape::text);
        wrap();
        copyable_ = false;
        gone_ = true;
        break;
      case tree_prefix:
      case tree_postfix:
        become(shape::text);
        wrap();
        positions_ = false;
        break;
    }
  }

  constexpr bool suits(kind k) const {
    using enum kind;
    if (k <= chunks_flattened && !positions_) return false;
    const bool can_look = !gone_ || looking_;  // again
    switch (k) {
      case windows:
      case chunk_by:
        return can_look;
      case intersperse:
      case chain_owned:
        return top() == shape::text;
      case chain:
        return top() == shape::text || top() == shape::moved;
      case update:
        return fresh_;
      case map_to_references:
      case flat_map_repeat:
        return copyable_;
      case enumerate:
      case zip:
      case zip_gifts:
        return depth_ < 3;
      default:
        return true;
    }
  }
  /// Is an item still an element, or a pair with one, and each element used at most once?
  static constexpr bool stays_in_place(kind k) {
    using enum kind;
    return k <= enumerate || k == chunks_flattened || k == filter;
  }

  constexpr void pass(kind k) {
    using enum kind;
    const bool same_source = k <= step_by;
    if (!same_source) looking_ = false;
    switch (k) {
      case zip:
        second(shape::text);
        break;
      case zip_gifts:
        second(shape::moved);
        copyable_ = false;
        gone_ = true;
        break;
      case enumerate:
        wrap();
        break;
      case windows:
      case chunk_by:
        gone_ = false;
        [[fallthrough]];
      case chunks:
        become(shape::text);
        fresh_ = true;
        break;
      case chain:
        gone_ = gone_ || top() == shape::moved;
        break;
      case chain_owned:
        gone_ = true;
        break;
      case map:
        if (top() == shape::pair) {
          --depth_;
          fresh_ = false;
        } else {
          become(top() == shape::moved ? shape::moved : shape::text);
          fresh_ = true;
        }
        break;
      case copied:
      case filter_map:
      case flat_map_vectors:
      case flat_map_lists:
      case map_of_changing_function:
      case map_init:
        fresh_ = top() == shape::text || top() == shape::moved;
        break;
      case flat_map_repeat:
        fresh_ = false;
        break;
      case map_to_references:
        second(shape::other);
        break;
      default:
        break;
    }
    if (top() == shape::text || top() == shape::other) copyable_ = true;
    positions_ = positions_ && keeps_positions(k);
  }
  /// The items are read.
  constexpr void check() { looking_ = false; }
  constexpr bool has_positions() const { return positions_; }
  /// Can the items be copied, pairs of references as pairs of values?
  constexpr bool is_copyable() const { return copyable_; }

 private:
  enum class shape : unsigned char { text, moved, pair, other };
  constexpr shape top() const { return halves_[depth_]; }
  constexpr void become(shape s) {
    depth_ = 0;
    halves_[0] = s;
    copyable_ = s != shape::moved;
    fresh_ = false;
  }
  /// The item becomes the first half of a pair with such a second half.
  constexpr void second(shape s) {
    const bool copyable = copyable_;
    become(s);
    wrap();
    copyable_ = copyable;
  }
  /// The item becomes the second half of a pair.
  constexpr void wrap() {
    halves_[++depth_] = shape::pair;
    fresh_ = false;
  }

  std::array<shape, 8> halves_{};  // the second half of each pair is the one before
  std::size_t depth_ = 0;
  bool positions_ = true;
  bool copyable_ = true;
  bool fresh_ = false;    // a string or a gift that nothing else refers to
  bool gone_ = false;     // moved out of what the chain owns,
  bool looking_ = false;  // but it can be looked at there
};

constexpr plan draw(unsigned chain) {
  std::uint64_t state = 13193 + chain;
  const auto next = [&](unsigned bound) {
    return static_cast<unsigned>(filch::detail::splitmix64(state) >> 40) % bound;
  };
  const outcome to = chains[chain].to;
  const bool in_place = to == outcome::for_each_in_place;
  const bool to_pairs = to == outcome::unzip;
  const bool to_positions = to_pairs || to == outcome::position_first ||
                            to == outcome::position_last || to == outcome::position_any;
  plan p;
  p.depth = 1 + static_cast<int>(chain % deepest);
  p.check_at = static_cast<int>(next(static_cast<unsigned>(p.depth) + 1));
  p.piped = next(3) == 0;
  flow items(chains[chain].from);
  for (int i = 0; i < p.depth; ++i) {
    if (i == p.check_at) items.check();
    // Lost positions do not come back, so mostly they are kept.
    const bool keep = to_positions || (items.has_positions() && next(4) != 0);
    const auto suits = [&](kind k) {
      if (i != 0 && items.has_positions() && k == p.stages[static_cast<std::size_t>(i) - 1])
        return false;
      if (k == kind::zip_gifts && to == outcome::minmax) return false;  // it makes copies
      return items.suits(k) && (!keep || keeps_positions(k)) &&
             (!in_place || flow::stays_in_place(k));
    };
    auto k = static_cast<kind>(next(kinds));
    while (!suits(k)) k = static_cast<kind>(next(kinds));
    if (to_pairs && i == p.depth - 1) k = kind::enumerate;
    p.stages[static_cast<std::size_t>(i)] = k;
    items.pass(k);
  }
  return p;
}

/// The arguments of the stages in one run.
using arguments = std::array<number, deepest>;

inline std::string described(const plan& p, const arguments& args) {
  std::string text = p.piped ? "piped" : "";
  for (int i = 0; i <= p.depth; ++i) {
    if (i == p.check_at) text += ", look";
    if (i == p.depth) break;
    const auto at = static_cast<std::size_t>(i);
    text += std::string(", ") + stage_names[static_cast<std::size_t>(p.stages[at])] + "(" +
            std::to_string(args[at]) + ")";
  }
  return text;
}

/// Does each adaptor occur in some chain, and each consumer at the end of one?
constexpr bool all_are_drawn() {
  std::array<int, kinds> drawn{};
  std::array<bool, outcomes> ended{};
  for (unsigned c = 0; c < chain_count; ++c) {
    const plan p = draw(c);
    for (int i = 0; i < p.depth; ++i)
      ++drawn[static_cast<std::size_t>(p.stages[static_cast<std::size_t>(i)])];
    ended[static_cast<std::size_t>(chains[c].to)] = true;
  }
  for (const int times : drawn)
    if (times < 2) return false;
  for (const bool e : ended)
    if (!e) return false;
  return true;
}
static_assert(all_are_drawn());

}  // namespace filch::test
