// Sources of parallel ranges. docs/guide/ranges.md quotes this file.
#include <cstdio>
#include <deque>
#include <iterator>
#include <list>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

static int wrong = 0;

static void check(bool right, const char* what) {
  if (!right) std::printf("wrong: %s\n", what);
  wrong += right ? 0 : 1;
}

struct node {
  int value = 0;
  std::vector<node> below = {};
};

int main() {
  const std::vector<int> v = {3, 1, 4, 1, 5, 9, 2, 6};
  const std::deque<int> d(v.begin(), v.end());
  check(filch::par(v).sum() == 31, "a range that is borrowed");
  check(filch::par(d).max() == 9, "a deque");

  std::vector<std::unique_ptr<int>> boxes;
  boxes.reserve(v.size());
  for (const int x : v) boxes.push_back(std::make_unique<int>(x));
  auto large = filch::par(std::move(boxes)).filter([](auto& p) { return *p > 4; }).to_vector();
  check(large.size() == 3 && *large[0] == 5, "a range that is owned: its elements are moved out");

  check(filch::par_indices(0, 100).map([](int i) { return i * i; }).sum() == 328350, "numbers");

  const std::vector<double> x = {1, 2, 3}, y = {4, 5, 6};
  std::vector<double> z(3);
  filch::zip(x, y, z).for_each([](auto row) {
    auto& [a, b, c] = row;
    c = a * b;
  });
  check(z == std::vector<double>{4, 10, 18}, "several ranges");

  check(filch::par_repeat(std::string("ab"), 3).sum() == "ababab", "the same several times");
  check(filch::par_once(7).chain(v).count() == 9, "one");
  check(filch::par_empty<int>().sum() == 0, "none");

  const node tree{1, {{2, {{3}, {4}}}, {5}}};
  const auto below = [](const node* n) {
    std::vector<const node*> all;
    for (const node& each : n->below) all.push_back(&each);
    return all;
  };
  const auto value = [](const node* n) { return n->value; };
  check(filch::par_walk_prefix(&tree, below).map(value).to_vector() == std::vector{1, 2, 3, 4, 5},
        "a tree, parents first");
  check(filch::par_walk_postfix(&tree, below).map(value).to_vector() == std::vector{3, 4, 2, 5, 1},
        "a tree, children first");

  int next = 0;
  const auto read = [&] { return next < 10 ? std::optional(next++) : std::nullopt; };
  check(filch::par_bridge(read).sum() == 45, "what a function gives, one by one");
  const std::list<int> list(v.begin(), v.end());
  check(filch::par_bridge(list).sum() == 31, "a range without random access");
  std::istringstream text("one two three");
  using words = std::istream_iterator<std::string>;
  check(filch::par_bridge(words(text), words()).map(&std::string::size).sum() == 11, "a stream");

  if (wrong == 0) std::printf("all sources give what they should\n");
  return wrong == 0 ? 0 : 1;
}
