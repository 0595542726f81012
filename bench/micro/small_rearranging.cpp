// What rearranging costs if there is almost nothing to rearrange: no items, one, a hundred, on a
// worker. Each has two rows, the sequential algorithm and filch's. The latter should take at most
// 1.2 times as long plus 20 ns. Algorithms that work in index get a fresh copy each time, which
// both rows pay for.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/histogram.hpp"
#include "filch/algorithm/partition.hpp"
#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/reverse.hpp"
#include "filch/algorithm/scatter.hpp"
#include "filch/algorithm/set_operations.hpp"
#include "filch/algorithm/unique.hpp"
#include "small.hpp"

namespace {

using numbers = std::vector<int>;

struct input {
  explicit input(std::size_t n) : a(n), out(2 * n), work(n), indices(n) {
    std::uint32_t random = 7;
    for (std::size_t i = 0; i != n; ++i) {
      random = random * 1664525u + 1013904223u;
      a[i] = static_cast<int>(random >> 24);
      indices[i] = n - 1 - i;
    }
    sorted = a;
    std::sort(sorted.begin(), sorted.end());
    other = sorted;
    for (std::size_t i = 0; i < n; i += 2) ++other[i];
    std::sort(other.begin(), other.end());
  }
  /// Returns a fresh copy of `a`, which may be changed.
  numbers& fresh() {
    std::copy(a.begin(), a.end(), work.begin());
    return work;
  }
  numbers::iterator third() { return work.begin() + static_cast<std::ptrdiff_t>(work.size() / 3); }

  numbers a, out, work, sorted, other;
  std::vector<std::size_t> indices;
};

template <class Sequential, class Forked>
int compare(const std::string& name, Sequential sequential, Forked forked) {
  bench::compare_small<input>(name, sequential, forked);
  return 0;
}

constexpr auto is_even = [](int x) { return x % 2 == 0; };

[[maybe_unused]] const int registered[] = {
    compare(
        "copy_if",
        [](input& in) { return std::copy_if(in.a.begin(), in.a.end(), in.out.begin(), is_even); },
        [](input& in) { return filch::copy_if(in.a, in.out.begin(), is_even).out; }),
    compare(
        "partition",
        [](input& in) {
          numbers& v = in.fresh();
          return std::partition(v.begin(), v.end(), is_even);
        },
        [](input& in) { return filch::partition(in.fresh(), is_even).begin(); }),
    compare(
        "stable_partition",
        [](input& in) {
          numbers& v = in.fresh();
          return std::stable_partition(v.begin(), v.end(), is_even);
        },
        [](input& in) { return filch::stable_partition(in.fresh(), is_even).begin(); }),
    compare(
        "remove_if",
        [](input& in) {
          numbers& v = in.fresh();
          return std::remove_if(v.begin(), v.end(), is_even);
        },
        [](input& in) { return filch::remove_if(in.fresh(), is_even).begin(); }),
    compare(
        "unique",
        [](input& in) {
          numbers& v = in.fresh();
          return std::unique(v.begin(), v.end());
        },
        [](input& in) { return filch::unique(in.fresh()).begin(); }),
    compare(
        "reverse",
        [](input& in) {
          std::reverse(in.work.begin(), in.work.end());
          return in.work.data();
        },
        [](input& in) {
          filch::reverse(in.work);
          return in.work.data();
        }),
    compare(
        "rotate", [](input& in) { return std::rotate(in.work.begin(), in.third(), in.work.end()); },
        [](input& in) { return filch::rotate(in.work, in.third()).begin(); }),
    compare(
        "gather",
        [](input& in) {
          auto out = in.out.begin();
          for (const std::size_t index : in.indices) *out++ = in.a[index];
          return out;
        },
        [](input& in) { return filch::gather(in.a, in.indices, in.out.begin()); }),
    compare(
        "histogram",
        [](input& in) {
          std::vector<std::size_t> counts(256);
          for (const int x : in.a) ++counts[static_cast<std::size_t>(x)];
          return counts;
        },
        [](input& in) { return filch::histogram(in.a, 256); }),
    compare(
        "set_union",
        [](input& in) {
          return std::set_union(in.sorted.begin(), in.sorted.end(), in.other.begin(),
                                in.other.end(), in.out.begin());
        },
        [](input& in) { return filch::set_union(in.sorted, in.other, in.out.begin()).out; }),
    compare(
        "set_intersection",
        [](input& in) {
          return std::set_intersection(in.sorted.begin(), in.sorted.end(), in.other.begin(),
                                       in.other.end(), in.out.begin());
        },
        [](input& in) { return filch::set_intersection(in.sorted, in.other, in.out.begin()).out; }),
    compare(
        "set_difference",
        [](input& in) {
          return std::set_difference(in.sorted.begin(), in.sorted.end(), in.other.begin(),
                                     in.other.end(), in.out.begin());
        },
        [](input& in) { return filch::set_difference(in.sorted, in.other, in.out.begin()).out; }),
    compare(
        "includes",
        [](input& in) {
          return std::includes(in.sorted.begin(), in.sorted.end(), in.other.begin(),
                               in.other.end());
        },
        [](input& in) { return filch::includes(in.sorted, in.other); }),
};

}  // namespace
