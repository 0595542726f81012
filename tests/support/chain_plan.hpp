// Chains of adaptors that nobody thought of.
//
// Which adaptors a chain has is drawn when a test is compiled, so that they are fused as those of
// users are; their arguments, sizes, and where something throws or asks to stop, when it runs.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "filch/detail/base/rng.hpp"
#include "filch/ranges.hpp"

namespace filch::test {

using number = std::int64_t;
inline constexpr number modulus = 1'000'003;

// ---- the plan of a chain ----------------------------------------------------------------------

enum class kind : unsigned char {
  // These need positions,
  rev,
  take,
  skip,
  step_by,
  zip,
  enumerate,
  chunks,
  windows,
  intersperse,
  chain,
  chunk_by,
  // these do not, and keep them if there are any,
  map,
  inspect,
  // and these lose them.
  filter,
  filter_map,
  flat_map_numbers,
  flat_map_vectors,
  map_of_changing_function,
  map_init,
};
inline constexpr auto kinds = static_cast<unsigned>(kind::map_init) + 1;
inline constexpr const char* stage_names[kinds] = {"rev",
                                                   "take",
                                                   "skip",
                                                   "step_by",
                                                   "zip",
                                                   "enumerate",
                                                   "chunks",
                                                   "windows",
                                                   "intersperse",
                                                   "chain",
                                                   "chunk_by",
                                                   "map",
                                                   "inspect",
                                                   "filter",
                                                   "filter_map",
                                                   "flat_map of numbers",
                                                   "flat_map of vectors",
                                                   "map of a changing function",
                                                   "map_init"};
inline constexpr int deepest = 6;

struct plan {
  std::array<kind, deepest> stages{};
  int depth = 0;
};

/// Chains from this one on own their elements, and move them out.
inline constexpr unsigned first_owner = 24;

/// Of what is moved out nobody can look at neighbours: no windows, no chunk_by.
constexpr bool suits_owner(kind k) { return k != kind::windows && k != kind::chunk_by; }

constexpr plan draw(unsigned chain) {
  std::uint64_t state = 77 + chain;
  const auto next = [&](unsigned bound) {
    return static_cast<unsigned>(filch::detail::splitmix64(state) >> 40) % bound;
  };
  plan p;
  p.depth = 1 + static_cast<int>(chain % deepest);
  bool positions = true;
  for (int i = 0; i < p.depth; ++i) {
    constexpr auto first_without = static_cast<unsigned>(kind::map);
    const unsigned from = positions ? 0 : first_without;
    auto drawn = static_cast<kind>(from + next(kinds - from));
    while (chain >= first_owner && !suits_owner(drawn))
      drawn = static_cast<kind>(from + next(kinds - from));
    p.stages[static_cast<std::size_t>(i)] = drawn;
    positions = positions && drawn < kind::filter && drawn != kind::chunk_by;
  }
  return p;
}

/// What a stage is told when it runs.
using arguments = std::array<number, deepest>;

inline std::string described(const plan& p, const arguments& args) {
  std::string text;
  for (std::size_t i = 0; i < static_cast<std::size_t>(p.depth); ++i)
    text += std::string(i == 0 ? "" : ", ") + stage_names[static_cast<std::size_t>(p.stages[i])] +
            "(" + std::to_string(args[i]) + ")";
  return text;
}

// ---- what stages do with numbers, for both sides ------------------------------------------------

inline std::size_t size_of(number a) { return static_cast<std::size_t>(a); }
inline number mixed(number x, number a) { return (x * 31 + a) % modulus; }
inline bool passes(number x, number a) { return (x + a) % 3 != 0; }
inline bool together(number x, number y, number a) { return (x / 2 + a) % 5 <= (y / 2 + a) % 5; }
inline number inner_length(number x, number a) { return (x + a) % 4; }
inline std::optional<number> kept(number x, number a) {
  return (x + a) % 2 == 0 ? std::optional(x / 2) : std::nullopt;
}

/// Something for the other side of zip() and chain().
inline const std::vector<number>& others() {
  static const std::vector<number> numbers = [] {
    std::vector<number> v(1500);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = mixed(static_cast<number>(i), 5);
    return v;
  }();
  return numbers;
}

inline constexpr auto total = [](auto&& part) {
  number sum = 0;
  for (const number x : part) sum += x;
  return sum % modulus;
};

// ---- the chain as users write it ---------------------------------------------------------------

template <kind K, class R>
auto staged(R&& range, number a) {
  using enum kind;
  auto r = std::forward<R>(range);
  if constexpr (K == rev) return std::move(r).rev();
  if constexpr (K == take) return std::move(r).take(size_of(a) * 20);
  if constexpr (K == skip) return std::move(r).skip(size_of(a));
  if constexpr (K == step_by) return std::move(r).step_by(1 + size_of(a) % 4);
  if constexpr (K == zip)
    return std::move(r).zip(others()).map(
        [](const auto& xy) { return (xy.first + xy.second) % modulus; });
  if constexpr (K == enumerate)
    return std::move(r).enumerate().map(
        [](const auto& at) { return (static_cast<number>(at.first) + at.second) % modulus; });
  if constexpr (K == chunks) return std::move(r).chunks(1 + size_of(a)).map(total);
  if constexpr (K == windows) return std::move(r).windows(1 + size_of(a) % 4).map(total);
  if constexpr (K == intersperse) return std::move(r).intersperse(a);
  if constexpr (K == chain) return std::move(r).chain(others());
  if constexpr (K == chunk_by)
    return std::move(r).chunk_by([a](number x, number y) { return together(x, y, a); }).map(total);
  if constexpr (K == map) return std::move(r).map([a](number x) { return mixed(x, a); });
  if constexpr (K == inspect) return std::move(r).inspect([](number x) { EXPECT_GE(x, 0); });
  if constexpr (K == filter) return std::move(r).filter([a](number x) { return passes(x, a); });
  if constexpr (K == filter_map)
    return std::move(r).filter_map([a](number x) { return kept(x, a); });
  if constexpr (K == flat_map_numbers)
    return std::move(r).flat_map(
        [a](number x) { return filch::par_indices(number{0}, inner_length(x, a)); });
  if constexpr (K == flat_map_vectors)
    return std::move(r).flat_map(
        [a](number x) { return std::vector<number>(size_of(inner_length(x, a)), x); });
  if constexpr (K == map_of_changing_function)
    return std::move(r).map([a, calls = 0](number x) mutable {
      ++calls;
      return mixed(x, a);
    });
  if constexpr (K == map_init)
    return std::move(r).map_init([] { return std::vector<number>(1); },
                                 [a](std::vector<number>& state, number x) {
                                   state[0] = x;
                                   return mixed(state[0], a);
                                 });
}

template <unsigned Chain, int I = 0, class R>
auto chained(R&& range, const arguments& args) {
  constexpr plan p = draw(Chain);
  if constexpr (I == p.depth)
    return std::forward<R>(range);
  else
    return chained<Chain, I + 1>(
        staged<p.stages[std::size_t{I}]>(std::forward<R>(range), args[std::size_t{I}]), args);
}

}  // namespace filch::test
