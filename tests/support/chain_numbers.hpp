// Random chains of plain numbers: integers that wrap, and doubles whose sums are all exact. filch
// has separate loops for them, with lanes, packs and two writes for each item.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/rng.hpp"
#include "filch/ranges.hpp"
#include "support/sanitizers.hpp"

namespace filch::test::numeric {

enum class origin : unsigned char { vector, span, owned, deque, indices, repeat, bridge };

enum class step : unsigned char {
  // These need positions, and keep them,
  rev,
  take,
  skip,
  step_by,
  zip,
  enumerate,
  chunks,
  windows,
  intersperse,
  // this loses them,
  chunk_by,
  // these need none, and keep them if there are any,
  map,
  chain,
  chain_indices,
  copied,
  // and these lose them.
  filter,
  filter_map,
  flat_map,
  flat_map_indices,
};
inline constexpr auto steps = static_cast<unsigned>(step::flat_map_indices) + 1;
constexpr bool needs_positions(step s) { return s <= step::chunk_by; }
constexpr bool keeps_positions(step s) { return s < step::filter && s != step::chunk_by; }

enum class outcome : unsigned char {
  to_vector,
  into,
  partition,
  sum,
  fixed_sum,  ///< deterministic
  product,
  reduce,
  min,
  max,
  minmax,
  max_by_key,
  count,
  unzip,
  find_first,
  find_last,
  any,
  try_for_each,
  try_reduce,
  try_fold,
  try_to,
};

inline constexpr unsigned deepest = 4;
struct plan {
  origin from;
  outcome to;
  bool looks = false;  ///< at the items of the source, and may throw
  int depth = 0;
  std::array<step, deepest> steps{};
};

/// Every outcome behind a source with positions, and the outcomes that matter for a bridge. The
/// first ones have separate loops in filch. They are drawn both for integers and for doubles, the
/// others alternately.
inline constexpr std::pair<origin, outcome> ends[] = {
    {origin::vector, outcome::to_vector},   {origin::span, outcome::into},
    {origin::vector, outcome::partition},   {origin::indices, outcome::partition},
    {origin::indices, outcome::sum},        {origin::deque, outcome::fixed_sum},
    {origin::vector, outcome::min},         {origin::vector, outcome::unzip},
    {origin::owned, outcome::product},      {origin::span, outcome::reduce},
    {origin::indices, outcome::max},        {origin::deque, outcome::minmax},
    {origin::vector, outcome::max_by_key},  {origin::repeat, outcome::count},
    {origin::indices, outcome::find_first}, {origin::span, outcome::find_last},
    {origin::vector, outcome::any},         {origin::deque, outcome::try_for_each},
    {origin::vector, outcome::try_reduce},  {origin::indices, outcome::try_fold},
    {origin::owned, outcome::try_to},       {origin::vector, outcome::sum},
    {origin::bridge, outcome::to_vector},   {origin::bridge, outcome::partition},
    {origin::bridge, outcome::sum},         {origin::bridge, outcome::try_for_each},
    {origin::bridge, outcome::try_reduce},  {origin::bridge, outcome::try_fold},
    {origin::bridge, outcome::try_to},
};
inline constexpr unsigned chain_count = std::size(ends);
constexpr bool is_drawn(unsigned chain, bool doubles) {
  return size_for_build(chain < 8, false) || (chain % 2 == 1) == doubles;
}

/// Doubles draw other chains than integers.
constexpr plan draw(unsigned chain, bool doubles) {
  std::uint64_t state = 9007 + 2 * chain + (doubles ? 1 : 0);
  const auto next = [&](unsigned bound) {
    return static_cast<unsigned>(filch::detail::splitmix64(state) >> 40) % bound;
  };
  plan p{ends[chain].first, ends[chain].second};
  p.looks = next(2) == 0;
  p.depth = 1 + static_cast<int>(next(deepest));
  bool positions = p.from != origin::bridge;
  for (int i = 0; i < p.depth; ++i) {
    const bool keep = p.to == outcome::unzip || (positions && next(4) != 0);
    auto s = static_cast<step>(next(steps));
    while ((needs_positions(s) && !positions) ||
           (p.from == origin::owned && (s == step::windows || s == step::chunk_by)) ||
           (keep && !keeps_positions(s)))
      s = static_cast<step>(next(steps));
    p.steps[static_cast<std::size_t>(i)] = s;
    positions = positions && keeps_positions(s);
  }
  return p;
}

/// Does each step occur in some chain?
constexpr bool all_are_drawn() {
  std::array<int, steps> drawn{};
  for (unsigned c = 0; c < chain_count; ++c)
    for (const bool doubles : {false, true}) {
      if (!is_drawn(c, doubles)) continue;
      const plan p = draw(c, doubles);
      for (int i = 0; i < p.depth; ++i)
        ++drawn[static_cast<std::size_t>(p.steps[static_cast<std::size_t>(i)])];
    }
  return std::all_of(drawn.begin(), drawn.end(),
                     [](int times) { return times >= size_for_build(2, 1); });
}
static_assert(all_are_drawn());

// ---- what steps do, for both sides --------------------------------------------------------------

/// Doubles stay whole, and small enough that all sums are exact.
template <class T>
struct rules {
  unsigned a;
  static unsigned whole(T x) { return static_cast<unsigned>(x); }
  static T reduced(T x) {
    if constexpr (std::is_integral_v<T>)
      return x;
    else
      return static_cast<T>(whole(x) % 8192);
  }
  T mapped(T x) const { return reduced(x * T{3} + static_cast<T>(a)); }
  T added(T x, T y) const { return reduced(x + y); }
  bool passes(T x) const { return (whole(x) ^ a) % 3 != 0; }
  bool together(T x, T y) const { return (whole(x) + whole(y) + a) % 4 != 0; }
  unsigned copies(T x) const { return (whole(x) + a) % 4; }
};
constexpr std::size_t others_size = 300;

/// A number. If it is bad, reading it throws.
template <class T>
struct model_item {
  T value;
  bool bad = false;
};
template <class T>
using model = std::vector<model_item<T>>;

template <class T>
model_item<T> sum_of(const model<T>& v, std::size_t from, std::size_t to) {
  model_item<T> all{};
  for (; from < to; ++from) {
    all.value += v[from].value;
    all.bad = all.bad || v[from].bad;
  }
  all.value = rules<T>::reduced(all.value);
  return all;
}

template <class T>
model<T> expected_step(step s, const model<T>& v, const std::vector<T>& others, unsigned a) {
  using enum step;
  const rules<T> r{a};
  const std::size_t n = v.size(), width = 1 + a % 4;
  model<T> out;
  switch (s) {
    case rev:
      out.assign(v.rbegin(), v.rend());
      break;
    case take:
      out.assign(v.begin(),
                 v.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, 40 * a)));
      break;
    case skip:
      out.assign(v.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, a)), v.end());
      break;
    case step_by:
      for (std::size_t i = 0; i < n; i += width) out.push_back(v[i]);
      break;
    case zip:
      for (std::size_t i = 0; i < std::min(n, others.size()); ++i)
        out.push_back({r.added(v[i].value, others[i]), v[i].bad});
      break;
    case enumerate:
      for (std::size_t i = 0; i < n; ++i)
        out.push_back({r.added(v[i].value, static_cast<T>(i)), v[i].bad});
      break;
    case chunks:
      for (std::size_t i = 0; i < n; i += width)
        out.push_back(numeric::sum_of(v, i, std::min(n, i + width)));
      break;
    case windows:
      for (std::size_t i = 0; i + width <= n; ++i) out.push_back(numeric::sum_of(v, i, i + width));
      break;
    case intersperse:
      for (std::size_t i = 0; i < n; ++i) {
        if (i != 0) out.push_back({static_cast<T>(a)});
        out.push_back(v[i]);
      }
      break;
    case chunk_by:
      for (std::size_t i = 0, end = 0; i < n; i = end) {
        for (end = i + 1; end < n && r.together(v[end - 1].value, v[end].value);) ++end;
        out.push_back(numeric::sum_of(v, i, end));
      }
      break;
    case map:
      for (const auto& x : v) out.push_back({r.mapped(x.value), x.bad});
      break;
    case chain:
      out = v;
      for (const T x : others) out.push_back({x});
      break;
    case chain_indices:
      out = v;
      for (unsigned i = 0; i < a; ++i) out.push_back({static_cast<T>(i)});
      break;
    case copied:
      out = v;
      break;
    case filter:
    case filter_map:
      for (const auto& x : v)
        if (x.bad || r.passes(x.value))
          out.push_back({s == filter ? x.value : r.mapped(x.value), x.bad});
      break;
    case flat_map:
      for (const auto& x : v) out.insert(out.end(), x.bad ? 1 : r.copies(x.value), x);
      break;
    case flat_map_indices:
      for (const auto& x : v)
        for (unsigned i = 0; i < (x.bad ? 1 : r.copies(x.value)); ++i)
          out.push_back({static_cast<T>(i), x.bad});
      break;
  }
  return out;
}

/// The functions of all steps. Lambdas in stepped() would have the type of the chain before them in
/// their names, so that names would double in length with each step.
template <class T>
struct functions {
  rules<T> rule;
  static auto indices(unsigned n) {
    return filch::par_indices(0u, n).map([](unsigned i) { return static_cast<T>(i); });
  }
  static auto sum_of_part() {
    return [](const auto& part) {
      return rules<T>::reduced(std::accumulate(part.begin(), part.end(), T{}));
    };
  }
  auto sum_of_pair() const {
    return [r = rule](const auto& p) { return r.added(static_cast<T>(p.first), p.second); };
  }
  auto mapped() const {
    return [r = rule](T x) { return r.mapped(x); };
  }
  auto passes() const {
    return [r = rule](T x) { return r.passes(x); };
  }
  auto mapped_if_it_passes() const {
    return [r = rule](T x) { return r.passes(x) ? std::optional(r.mapped(x)) : std::nullopt; };
  }
  auto together() const {
    return [r = rule](T x, T y) { return r.together(x, y); };
  }
  auto copies() const {
    return [r = rule](T x) { return std::vector<T>(r.copies(x), x); };
  }
  auto indices_up_to() const {
    return [r = rule](T x) { return indices(r.copies(x)); };
  }
};

template <step S, class T, class R>
auto stepped(R r, const std::vector<T>& others, unsigned a) {
  using enum step;
  const functions<T> f{{a}};
  const std::size_t width = 1 + a % 4;
  if constexpr (S == rev) return std::move(r).rev();
  if constexpr (S == take) return std::move(r).take(std::size_t{40} * a);
  if constexpr (S == skip) return std::move(r).skip(a);
  if constexpr (S == step_by) return std::move(r).step_by(width);
  if constexpr (S == zip) return std::move(r).zip(others).map(f.sum_of_pair());
  if constexpr (S == enumerate) return std::move(r).enumerate().map(f.sum_of_pair());
  if constexpr (S == chunks) return std::move(r).chunks(width).map(f.sum_of_part());
  if constexpr (S == windows) return std::move(r).windows(width).map(f.sum_of_part());
  if constexpr (S == intersperse) return std::move(r).intersperse(static_cast<T>(a));
  if constexpr (S == chunk_by) return std::move(r).chunk_by(f.together()).map(f.sum_of_part());
  if constexpr (S == map) return std::move(r).map(f.mapped());
  if constexpr (S == chain) return std::move(r).copied().chain(filch::par(others).copied());
  if constexpr (S == chain_indices) return std::move(r).copied().chain(f.indices(a));
  if constexpr (S == copied) return std::move(r).copied();
  if constexpr (S == filter) return std::move(r).filter(f.passes());
  if constexpr (S == filter_map) return std::move(r).filter_map(f.mapped_if_it_passes());
  if constexpr (S == flat_map) return std::move(r).flat_map(f.copies());
  if constexpr (S == flat_map_indices) return std::move(r).flat_map(f.indices_up_to());
}

}  // namespace filch::test::numeric
