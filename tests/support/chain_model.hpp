// What a chain of adaptors should give, by plain loops over vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "support/chain_plan.hpp"

namespace filch::test {

/// A number, or the exception that whoever wants to know it gets.
struct item {
  number value;
  bool bad = false;
};
using items = std::vector<item>;

inline item summed(const items& v, std::size_t from, std::size_t to) {
  item sum{0};
  for (; from < to; ++from) {
    sum.value = (sum.value + v[from].value) % modulus;
    sum.bad = sum.bad || v[from].bad;
  }
  return sum;
}

inline items expected_stage(kind k, const items& v, number a) {
  using enum kind;
  items out;
  const std::size_t n = v.size();
  switch (k) {
    case rev:
      out.assign(v.rbegin(), v.rend());
      break;
    case take:
      out.assign(v.begin(), v.begin() + static_cast<number>(std::min(n, size_of(a) * 20)));
      break;
    case skip:
      out.assign(v.begin() + static_cast<number>(std::min(n, size_of(a))), v.end());
      break;
    case step_by:
      for (std::size_t i = 0; i < n; i += 1 + size_of(a) % 4) out.push_back(v[i]);
      break;
    case zip:
      for (std::size_t i = 0; i < std::min(n, others().size()); ++i)
        out.push_back({(v[i].value + others()[i]) % modulus, v[i].bad});
      break;
    case enumerate:
      for (std::size_t i = 0; i < n; ++i)
        out.push_back({(static_cast<number>(i) + v[i].value) % modulus, v[i].bad});
      break;
    case chunks:
      for (std::size_t i = 0; i < n; i += 1 + size_of(a))
        out.push_back(summed(v, i, std::min(n, i + 1 + size_of(a))));
      break;
    case windows:
      for (std::size_t i = 0; i + 1 + size_of(a) % 4 <= n; ++i)
        out.push_back(summed(v, i, i + 1 + size_of(a) % 4));
      break;
    case intersperse:
      for (std::size_t i = 0; i < n; ++i) {
        if (i != 0) out.push_back({a});
        out.push_back(v[i]);
      }
      break;
    case chain:
      out = v;
      for (const number x : others()) out.push_back({x});
      break;
    case chunk_by:
      for (std::size_t i = 0; i < n;) {
        std::size_t end = i + 1;
        while (end < n && together(v[end - 1].value, v[end].value, a)) ++end;
        out.push_back(summed(v, i, end));
        i = end;
      }
      break;
    case map:
    case map_of_changing_function:
    case map_init:
      for (const item& x : v) out.push_back({mixed(x.value, a), x.bad});
      break;
    case inspect:
      out = v;
      break;
    case filter:
      for (const item& x : v)
        if (x.bad || passes(x.value, a)) out.push_back(x);
      break;
    case filter_map:
      for (const item& x : v)
        if (x.bad || kept(x.value, a)) out.push_back({kept(x.value, a).value_or(0), x.bad});
      break;
    case flat_map_numbers:
    case flat_map_vectors:
      for (const item& x : v) {
        if (x.bad) out.push_back(x);
        for (number i = 0; !x.bad && i < inner_length(x.value, a); ++i)
          out.push_back({k == flat_map_numbers ? i : x.value});
      }
      break;
  }
  return out;
}

inline items expected_chain(const plan& p, items v, const arguments& args) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(p.depth); ++i)
    v = expected_stage(p.stages[i], v, args[i]);
  return v;
}

}  // namespace filch::test
