// The expected result of a chain of adaptors, computed by plain loops over vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/chain_items.hpp"
#include "support/chain_plan.hpp"

namespace filch::test {

/// The text of an item. If `bad`, reading the item throws.
struct model_item {
  std::string text;
  bool bad = false;
};
using model_items = std::vector<model_item>;

inline model_item joined_items(const model_items& v, std::size_t from, std::size_t to) {
  model_item all{"["};
  for (; from < to; ++from) {
    all.text += v[from].text + ";";
    all.bad = all.bad || v[from].bad;
  }
  all.text += "]";
  return all;
}

inline bool is_pair(const std::string& text) { return text.starts_with('('); }

/// The result of a stage for items that can be copied or not.
inline model_items expected_stage(kind k, const model_items& v, number a, bool copyable) {
  using enum kind;
  model_items out;
  const std::size_t n = v.size();
  const auto pair = [](const std::string& x, const std::string& y) {
    return "(" + x + "," + y + ")";
  };
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
    case zip_gifts:
      for (std::size_t i = 0; i < std::min(n, others_size); ++i)
        out.push_back({pair(v[i].text, word(k == zip ? "another" : "more", i)), v[i].bad});
      break;
    case enumerate:
      for (std::size_t i = 0; i < n; ++i)
        out.push_back({pair(std::to_string(i), v[i].text), v[i].bad});
      break;
    case chunks:
      for (std::size_t i = 0; i < n; i += 1 + size_of(a))
        out.push_back(joined_items(v, i, std::min(n, i + 1 + size_of(a))));
      break;
    case windows:
      for (std::size_t i = 0; i + 1 + size_of(a) % 4 <= n; ++i)
        out.push_back(joined_items(v, i, i + 1 + size_of(a) % 4));
      break;
    case intersperse:
      for (std::size_t i = 0; i < n; ++i) {
        if (i != 0) out.push_back({word("between", size_of(a))});
        out.push_back(v[i]);
      }
      break;
    case chain:
    case chain_owned:
      out = v;
      for (const std::string& x : others()) out.push_back({x});
      break;
    case chunk_by:
      for (std::size_t i = 0; i < n;) {
        std::size_t end = i + 1;
        while (end < n && together(v[end - 1].text, v[end].text, a)) ++end;
        out.push_back(joined_items(v, i, end));
        i = end;
      }
      break;
    case map:
      for (const model_item& x : v)
        out.push_back({is_pair(x.text) ? second_half(x.text) : marked(x.text, a), x.bad});
      break;
    case map_to_references:
      for (const model_item& x : v)
        out.push_back({pair(x.text, std::to_string(x.text.size())), x.bad});
      break;
    case update:
      for (const model_item& x : v) out.push_back({x.text + updated, x.bad});
      break;
    case copied:
    case chunks_flattened:
    case map_of_changing_function:
    case map_init:
      out = v;
      break;
    case filter:
    case filter_map:
      for (const model_item& x : v)
        if (x.bad || passes(x.text, a)) out.push_back(x);
      break;
    case flat_map_vectors:
    case flat_map_repeat:
    case flat_map_lists:
      for (const model_item& x : v) {
        const std::size_t most = copyable ? 4 : 1;
        const std::size_t copies = x.bad ? 1 : std::min(most, inner_length(x.text, a));
        out.insert(out.end(), copies, x);
      }
      break;
  }
  return out;
}

/// `check(item)` marks the items that throw.
template <class Check>
model_items expected_chain(unsigned chain, model_items v, const arguments& args, Check check) {
  const plan p = draw(chain);
  flow seen(chains[chain].from);
  for (int i = 0; i <= p.depth; ++i) {
    if (i == p.check_at) std::for_each(v.begin(), v.end(), check);
    if (i == p.depth) break;
    const auto at = static_cast<std::size_t>(i);
    v = expected_stage(p.stages[at], v, args[at], seen.is_copyable());
    seen.pass(p.stages[at]);
  }
  return v;
}

}  // namespace filch::test
