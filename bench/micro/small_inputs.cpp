// What an algorithm costs if there is almost nothing to do: no items, one, a hundred, on a worker.
// Each has two rows, the sequential algorithm and filch's. The latter should take at most 1.2 times
// as long plus 20 ns; `--benchmark_filter=reduce` shows the rows of one.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "filch/algorithm/all_of.hpp"
#include "filch/algorithm/compare.hpp"
#include "filch/algorithm/copy.hpp"
#include "filch/algorithm/count.hpp"
#include "filch/algorithm/fill.hpp"
#include "filch/algorithm/find.hpp"
#include "filch/algorithm/for_each.hpp"
#include "filch/algorithm/is_sorted.hpp"
#include "filch/algorithm/min_element.hpp"
#include "filch/algorithm/parallel_for.hpp"
#include "filch/algorithm/reduce.hpp"
#include "filch/algorithm/scan.hpp"
#include "filch/algorithm/search.hpp"
#include "filch/algorithm/transform.hpp"
#include "small.hpp"

namespace {

using numbers = std::vector<int>;

struct input {
  explicit input(std::size_t n) : a(n), b(n) {
    std::iota(a.begin(), a.end(), 1);
    b = a;
  }
  numbers a;
  numbers b;
};

template <class Sequential, class Forked>
int compare(const std::string& name, Sequential sequential, Forked forked) {
  bench::compare_small<input>(name, sequential, forked);
  return 0;
}

constexpr auto triple = [](int x) { return 3 * x + 1; };
constexpr auto triple_in_place = [](int& x) { x = triple(x); };
constexpr auto is_negative = [](int x) { return x < 0; };
constexpr auto larger = [](int x, int y) { return std::max(x, y); };

const int loops[] = {
    compare(
        "parallel_for",
        [](input& in) {
          const int n = static_cast<int>(in.a.size());
          for (int i = 0; i < n; ++i) triple_in_place(in.a[static_cast<std::size_t>(i)]);
          return n;
        },
        [](input& in) {
          const int n = static_cast<int>(in.a.size());
          filch::parallel_for(0, n,
                              [&](int i) { triple_in_place(in.a[static_cast<std::size_t>(i)]); });
          return n;
        }),
    compare(
        "for_each", [](input& in) { return std::ranges::for_each(in.a, triple_in_place).in; },
        [](input& in) { return filch::for_each(in.a, triple_in_place); }),
    compare(
        "transform",
        [](input& in) { return std::ranges::transform(in.a, in.b.begin(), triple).out; },
        [](input& in) { return filch::transform(in.a, in.b.begin(), triple).out; }),
    compare(
        "generate",
        [](input& in) {
          return std::ranges::generate(in.a, [&] { return static_cast<int>(in.b.size()); });
        },
        [](input& in) {
          return filch::generate(in.a, [&] { return static_cast<int>(in.b.size()); });
        }),
    compare(
        "fill", [](input& in) { return std::ranges::fill(in.a, 5); },
        [](input& in) { return filch::fill(in.a, 5); }),
    compare(
        "copy", [](input& in) { return std::ranges::copy(in.a, in.b.begin()).out; },
        [](input& in) { return filch::copy(in.a, in.b.begin()).out; }),
};

const int reductions[] = {
    compare(
        "reduce", [](input& in) { return std::reduce(in.a.begin(), in.a.end()); },
        [](input& in) { return filch::reduce(in.a, 0); }),
    compare(
        "reduce_by_function",
        [](input& in) { return std::reduce(in.a.begin(), in.a.end(), 0, larger); },
        [](input& in) { return filch::reduce(in.a, 0, larger); }),
    compare(
        "transform_reduce",
        [](input& in) {
          return std::transform_reduce(in.a.begin(), in.a.end(), 0, std::plus<>(), triple);
        },
        [](input& in) { return filch::transform_reduce(in.a, 0, std::plus<>(), triple); }),
    compare(
        "count", [](input& in) { return std::ranges::count(in.a, 7); },
        [](input& in) { return filch::count(in.a, 7); }),
    compare(
        "count_if", [](input& in) { return std::ranges::count_if(in.a, is_negative); },
        [](input& in) { return filch::count_if(in.a, is_negative); }),
    compare(
        "min_element", [](input& in) { return std::ranges::min_element(in.a); },
        [](input& in) { return filch::min_element(in.a); }),
    compare(
        "minmax_element", [](input& in) { return std::ranges::minmax_element(in.a).max; },
        [](input& in) { return filch::minmax_element(in.a).max; }),
    compare(
        "any_of", [](input& in) { return std::ranges::any_of(in.a, is_negative); },
        [](input& in) { return filch::any_of(in.a, is_negative); }),
};

const int scans[] = {
    compare(
        "inclusive_scan",
        [](input& in) { return std::inclusive_scan(in.a.begin(), in.a.end(), in.b.begin()); },
        [](input& in) { return filch::inclusive_scan(in.a, in.b.begin()).out; }),
    compare(
        "exclusive_scan",
        [](input& in) { return std::exclusive_scan(in.a.begin(), in.a.end(), in.b.begin(), 0); },
        [](input& in) { return filch::exclusive_scan(in.a, in.b.begin(), 0).out; }),
    compare(
        "inclusive_scan_by_function",
        [](input& in) {
          return std::inclusive_scan(in.a.begin(), in.a.end(), in.b.begin(), larger);
        },
        [](input& in) { return filch::inclusive_scan(in.a, in.b.begin(), larger).out; }),
};

const int searches[] = {
    compare(
        "find", [](input& in) { return std::ranges::find(in.a, -1); },
        [](input& in) { return filch::find(in.a, -1); }),
    compare(
        "find_if", [](input& in) { return std::ranges::find_if(in.a, is_negative); },
        [](input& in) { return filch::find_if(in.a, is_negative); }),
    compare(
        "equal", [](input& in) { return std::ranges::equal(in.a, in.b); },
        [](input& in) { return filch::equal(in.a, in.b); }),
    compare(
        "mismatch", [](input& in) { return std::ranges::mismatch(in.a, in.b).in1; },
        [](input& in) { return filch::mismatch(in.a, in.b).in1; }),
    compare(
        "adjacent_find", [](input& in) { return std::ranges::adjacent_find(in.a); },
        [](input& in) { return filch::adjacent_find(in.a); }),
    compare(
        "is_sorted", [](input& in) { return std::ranges::is_sorted(in.a); },
        [](input& in) { return filch::is_sorted(in.a); }),
};

}  // namespace
