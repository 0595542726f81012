// Adaptors of parallel ranges. docs/guide/ranges.md quotes this file.
#include <atomic>
#include <cctype>
#include <cstdio>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/ranges.hpp"

using filch::par;
namespace views = filch::views;

static int wrong = 0;

static void check(bool right, const char* what) {
  if (!right) std::printf("wrong: %s\n", what);
  wrong += right ? 0 : 1;
}

using ints = std::vector<int>;

static bool is_odd(int x) { return x % 2 != 0; }
static int square(int x) { return x * x; }
static int sum_of(const auto& range) {
  int sum = 0;
  for (const int x : range) sum += x;
  return sum;
}

static void item_by_item(const ints& v, const std::vector<std::string>& words) {
  check(par(v).map(square).sum() == 173, "map");
  check(par(words).map(&std::string::size).sum() == 11, "map by a member");
  check(par(v).filter(is_odd).to_vector() == ints{3, 1, 1, 5, 9}, "filter");
  const auto half = [](int x) { return is_odd(x) ? std::nullopt : std::optional(x / 2); };
  check(par(v).filter_map(half).to_vector() == ints{2, 1, 3}, "filter_map");
  const auto up_to = [](int x) { return filch::par_indices(0, x); };
  check(par(v).take(3).flat_map(up_to).to_vector() == ints{0, 1, 2, 0, 0, 1, 2, 3}, "flat_map");
  check(par(words).flatten().count() == 11, "flatten");
  std::atomic<int> seen = 0;
  check(par(v).inspect([&](int) { ++seen; }).sum() == 31 && seen == 8, "inspect");
  ints w = v;
  check(par(w).update([](int& x) { x += 1; }).sum() == 39 && w[0] == 4, "update");
  check(par(w).copied().to_vector() == w, "copied");
  const auto longer = [](std::string&& line, const std::string& word) { return line += word; };
  const auto empty = [] { return std::string(); };
  check(par(words).fold(empty, longer).sum() == "onetwothree", "fold");
  const auto in_capitals = [](std::string& buffer, const std::string& word) {
    buffer.clear();
    for (const char c : word) buffer += static_cast<char>(std::toupper(c));
    return buffer;
  };
  check(par(words).map_init(empty, in_capitals).sum() == "ONETWOTHREE", "map_init");
  check(par(v).take_any(3).count() == 3, "take_any");
  check(par(v).skip_any(3).count() == 5, "skip_any");
}

static void by_position(const ints& v) {
  const auto product = [](auto ab) { return ab.first * ab.second; };
  check(par(v).zip(v).map(product).sum() == 173, "zip");
  check(par(v).enumerate().max_by_key([](auto at) { return at.second; })->first == 5, "enumerate");
  const auto sum = [](auto part) { return sum_of(part); };
  check(par(v).chunks(3).map(sum).to_vector() == ints{8, 15, 8}, "chunks");
  check(par(v).windows(2).map(sum).to_vector() == ints{4, 5, 5, 6, 14, 11, 8}, "windows");
  const auto rising = [](int a, int b) { return a <= b; };
  check(par(v).chunk_by(rising).map(sum).to_vector() == ints{3, 5, 15, 8}, "chunk_by");
  check(par(v).chain(v).count() == 16, "chain");
  check(par(v).take(3).to_vector() == ints{3, 1, 4}, "take");
  check(par(v).skip(5).to_vector() == ints{9, 2, 6}, "skip");
  check(par(v).step_by(3).to_vector() == ints{3, 1, 2}, "step_by");
  check(par(v).rev().take(2).to_vector() == ints{6, 2}, "rev");
  check(par(v).take(3).intersperse(0).to_vector() == ints{3, 0, 1, 0, 4}, "intersperse");
}

static void settings(const ints& v) {
  filch::pool pool(2);
  check(par(v).on(pool).sum() == 31, "on");
  check(par(v).with_grain(100).sum() == 31, "with_grain");
  check(par(v).with({.priority = filch::priority::low}).sum() == 31, "with");
  check(par(v).with({.deterministic = true}).sum<double>() == 31, "deterministic");
  std::stop_source stop;
  stop.request_stop();
  try {
    (void)par(v).until(stop.get_token()).sum();
    check(false, "until");
  } catch (const filch::cancelled&) {
  }
}

static void pipes(const ints& v) {
  const auto squares_of_odd = views::filter(is_odd) | views::map(square);
  const int total = (v | views::par | squares_of_odd).sum();
  check(total == 117, "pipes");
}

int main() {
  const ints v = {3, 1, 4, 1, 5, 9, 2, 6};
  item_by_item(v, {"one", "two", "three"});
  by_position(v);
  settings(v);
  pipes(v);
  if (wrong == 0) std::printf("all adaptors make what they should\n");
  return wrong == 0 ? 0 : 1;
}
