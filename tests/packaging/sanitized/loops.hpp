// Algorithms and ranges whose only synchronisation is filch's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filch/filch.hpp>
#include <filch/plumbing.hpp>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expect.hpp"

/// Enough for several parts, also of algorithms that do small ranges alone.
inline constexpr std::size_t many = 20000;

inline void loops(const filch::options& o) {
  std::vector<unsigned> v(many), w(many);
  filch::parallel_for(
      std::size_t{0}, many, [&](std::size_t i) { v[i] = unsigned(i * 7919 % many); }, o);
  std::vector<std::size_t> seen;  // by one thread at a time
  filch::options tells = o;
  tells.progress = [&](std::size_t done, std::size_t) { seen.push_back(done); };
  filch::for_each(
      v, [](unsigned& e) { ++e; }, tells);
  filch::for_each(
      v, [](unsigned& e) { --e; }, o);
  expect(seen.back() == many, "progress");
  expect(filch::reduce(v, 0u, std::plus(), o) == unsigned(many * (many - 1) / 2), "reduce");
  filch::inclusive_scan(v, w.begin(), std::plus(), o);
  expect(w.back() == unsigned(many * (many - 1) / 2), "scan");
  filch::sort(v, std::less(), {}, o);
  expect(std::ranges::is_sorted(v), "sort");
  filch::reverse(v);
  filch::stable_sort(v, std::less(), {}, o);
  expect(std::ranges::is_sorted(v), "stable_sort");
  const auto odd = [](unsigned e) { return e % 2 != 0; };
  expect(filch::copy_if(v, w.begin(), odd, {}, o).out - w.begin() == many / 2, "copy_if");
  expect(filch::find(v, 777u, {}, o) == v.begin() + 777, "find");
  expect(filch::count_if(v, odd, {}, o) == many / 2, "count_if");
  expect(filch::remove_if(v, odd, {}, o).size() == many / 2, "remove_if");
  for (unsigned& e : w) e %= many;
  expect(filch::histogram(w, many).size() == many, "histogram");
  expect(filch::group_by_key(w, [](unsigned i) { return i % 100; }).size() > 50, "group_by_key");

  std::vector<std::string> words(2000, "word"), more = words;
  filch::transform(
      words, more.begin(), [](const std::string& s) { return s + "s"; }, o);
  filch::sort(more, std::less(), {}, o);
  expect(more.back() == "words", "transform");

  int reads = 0;  // by one thread at a time
  std::vector<std::size_t> made(100);
  filch::bridge(
      [&]() -> std::optional<std::string> {
        if (reads == 100) return std::nullopt;
        return std::string(static_cast<std::size_t>(30 + reads++), 'b');
      },
      [&](std::string&& s) { made[s.size() - 30] = s.size(); }, o);
  expect(made[99] == 129, "bridge");
  std::vector<int> visits(127);
  filch::walk_prefix(
      1,
      [](int n, auto add) {
        for (int c : {2 * n, 2 * n + 1})
          if (c <= 127) add(c);
      },
      [&](int n) { visits[std::size_t(n - 1)] = 1; }, filch::options{.stop = o.stop, .on = o.on});
  expect(std::accumulate(visits.begin(), visits.end(), 0) == 127, "walk_prefix");
  try {
    filch::parallel_for(
        std::size_t{0}, many,
        [](std::size_t i) {
          if (i == 5000) throw std::runtime_error(std::string(100, 'l'));
        },
        o);
  } catch (const std::runtime_error& e) {
    expect(std::string(e.what()).size() == 100, "an exception of a loop");
  }
}

inline void ranges(const filch::options& o) {
  std::vector<std::size_t> v(many);
  std::iota(v.begin(), v.end(), std::size_t{0});
  const auto odd = [](std::size_t i) { return i % 2 != 0; };
  const auto text = [](std::size_t i) { return "item " + std::to_string(i); };
  expect(filch::par(v).with(o).filter(odd).to<std::vector>().size() == many / 2, "to<vector>");
  const auto words = filch::par(v).with(o).filter(odd).map(text).to<std::vector>();
  expect(words.size() == many / 2 && words[1] == "item 3", "to<vector> of strings");
  expect(filch::par(v)
                 .with(o)
                 .map([](std::size_t i) { return std::pair(i, i); })
                 .to<std::map>()
                 .size() == many,
         "to<map>");
  expect(filch::par(v).with(o).map([](std::size_t i) { return double(i); }).sum() > 0, "sum");
  expect(filch::par(v).with(o).map(text).reduce(
             [] { return std::string(); },
             [](std::string a, const std::string& b) { return std::max(a, b); }) == "item 9999",
         "reduce of strings");
  expect(filch::par(v).with(o).find_any(odd).has_value(), "find_any");
  int reads = 0;
  expect(filch::par_bridge([&]() -> std::optional<int> {
           return reads == 50 ? std::nullopt : std::optional(reads++);
         })
                 .with(o)
                 .map([](int i) { return std::string(std::size_t(i), 'r'); })
                 .map([](const std::string& s) { return s.size(); })
                 .sum() == 49 * 25,
         "par_bridge");
}
