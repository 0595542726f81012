// Consumers of parallel ranges. docs/guide/ranges.md quotes this file.
#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filch/expected.hpp"
#include "filch/ranges.hpp"

using filch::par;

static int wrong = 0;

static void check(bool right, const char* what) {
  if (!right) std::printf("wrong: %s\n", what);
  wrong += right ? 0 : 1;
}

using ints = std::vector<int>;
using texts = std::vector<std::string>;

static bool is_odd(int x) { return x % 2 != 0; }

static void one_value(const ints& v, const texts& words) {
  std::atomic<int> sum = 0;
  par(v).for_each([&](int x) { sum += x; });
  const auto empty = [] { return std::string(); };
  par(words).for_each_init(empty, [&](std::string& buffer, const std::string& word) {
    buffer = word;
    sum += static_cast<int>(buffer.size());
  });
  check(sum == 42, "for_each and for_each_init");
  check(par(words).reduce(std::plus{}) == "onetwothree", "reduce");
  check(par(words).reduce(std::string("> "), std::plus{}) == "> onetwothree",
        "reduce with a value");
  check(par(v).sum() == 31, "sum");
  check(par(v).sum<double>() == 31.0, "sum as another type");
  check(par(v).product() == 6480, "product");
  check(par(v).filter(is_odd).count() == 5, "count");
  check(par(v).min() == 1 && par(v).max() == 9, "min and max");
  check(par(v).min(std::greater{}) == 9, "min by a comparator");
  check(par(words).max_by_key(&std::string::size) == "three", "max_by_key");
  check(par(v).minmax()->max == 9, "minmax");
}

static void searches(const ints& v) {
  const auto large = [](int x) { return x > 3; };
  check(par(v).find_first(large) == 4, "find_first");
  check(par(v).find_last(large) == 6, "find_last");
  check(par(v).find_any(large).has_value(), "find_any");
  const auto half = [](int x) { return is_odd(x) ? std::nullopt : std::optional(x / 2); };
  check(par(v).find_map_first(half) == 2, "find_map_first");
  check(par(v).find_map_last(half) == 3, "find_map_last");
  check(par(v).find_map_any(half).has_value(), "find_map_any");
  check(par(v).position_first(large) == 2u, "position_first");
  check(par(v).position_last(large) == 7u, "position_last");
  check(par(v).position_any(large).has_value(), "position_any");
  check(par(v).any(large), "any");
  check(!par(v).all(large), "all");
  check(!par(v).none(large), "none");
}

static void containers(const ints& v, const texts& words) {
  const auto length_of = [](const std::string& word) { return std::pair(word, word.size()); };
  check(par(v).filter(is_odd).to_vector() == ints{3, 1, 1, 5, 9}, "to_vector");
  check(par(v).to<std::set>() == std::set{1, 2, 3, 4, 5, 6, 9}, "to a set");
  check(par(words).map(length_of).to<std::map>().at("three") == 5, "to a map");
  check(par(v).to<std::vector<long>>().size() == 8, "to a vector of another type");
  std::array<int, 10> out{};
  check(par(v).filter(is_odd).into(out) == 5 && out[4] == 9, "into");
  const auto [names, lengths] = par(words).map(length_of).unzip();
  check(names == words && lengths[2] == 5, "unzip");
  const auto [odd, even] = par(v).partition(is_odd);
  check(odd.size() == 5 && even == ints{4, 2, 6}, "partition");
  const auto groups = par(words).group_by(&std::string::size);
  check(groups.size() == 2 && groups[0].second == texts{"one", "two"}, "group_by");
}

static void views_of_items(const texts& words) {
  using pieces = std::vector<std::string_view>;
  const auto first_two = [](const std::string& word) -> std::string_view {
    return std::string_view(word).substr(0, 2);
  };
  const auto owned = [](std::string_view piece) { return std::string(piece); };
  check(
      par(texts{"one", "three"}).map(first_two).filter([](auto s) { return s == "th"; }).count() ==
          1,
      "views on the way");
  check(par(words).map(first_two).to_vector() == pieces{"on", "tw", "th"}, "views of what stays");
  check(par(texts{"one", "three"}).map(first_two).map(owned).to_vector() == texts{"on", "th"},
        "strings of what does not");
}

static void failures(const texts& words) {
  using number = filch::expected<int, std::string>;
  const auto parse = [](const std::string& word) -> number {
    if (word == "one") return 1;
    if (word == "two") return 2;
    return filch::unexpected("no number: " + word);
  };
  const auto [good, bad] = par(words).partition_map(parse);
  check(good == ints{1, 2} && bad == texts{"no number: three"}, "partition_map");

  const auto all = par(words).map(parse).try_to<std::vector>();
  check(!all && all.error() == "no number: three", "try_to");
  check(par(words).take(2).map(parse).try_to<std::vector>().value() == ints{1, 2}, "try_to");
  check(!par(words).try_for_each(parse), "try_for_each");
  const auto add = [](int a, int b) -> number {
    if (a + b > 100) return filch::unexpected(std::string("too much"));
    return a + b;
  };
  check(par(ints{1, 2, 3}).try_reduce(0, add).value() == 6, "try_reduce");
  check(par(ints{99, 2, 3}).try_fold(0, add, add).error() == "too much", "try_fold");
}

int main() {
  const ints v = {3, 1, 4, 1, 5, 9, 2, 6};
  const texts words = {"one", "two", "three"};
  one_value(v, words);
  searches(v);
  containers(v, words);
  views_of_items(words);
  failures(words);
  if (wrong == 0) std::printf("all consumers give what they should\n");
  return wrong == 0 ? 0 : 1;
}
