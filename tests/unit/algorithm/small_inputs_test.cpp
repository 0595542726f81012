// Small inputs of cheap operations stay on the calling thread: docs/spec/algorithms.md has the
// sizes.
#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <vector>

#include "filch/algorithm.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"

namespace {

using numbers = std::vector<int>;

/// The default pool does not exist yet, and these calls do not make it. The sizes are the largest
/// that are documented to stay on the calling thread.
TEST(small_inputs, of_cheap_operations_stay_on_the_caller) {
  filch::shutdown_default_pool();
  const auto stays = [](const char* what) {
    try {
      filch::configure_default_pool({.threads = 2});  // refused if the pool exists
    } catch (const filch::usage_error&) {
      ADD_FAILURE() << what << " has made the default pool";
      filch::shutdown_default_pool();
    }
  };
  const auto up_to = [](int n) {
    numbers v(static_cast<std::size_t>(n));
    for (int i = 0; i != n; ++i) v[static_cast<std::size_t>(i)] = i;
    return v;
  };
  const auto middle = [](numbers& v) { return v.begin() + std::ssize(v) / 2; };
  {
    numbers v = up_to(16'383), w(v.size());  // less than 64 KB
    filch::fill(w, 1), stays("fill");
    filch::copy(v, w.begin()), stays("copy");
    filch::reverse(w), stays("reverse");
    filch::reverse_copy(v, w.begin()), stays("reverse_copy");
    filch::swap_ranges(v, w), stays("swap_ranges");
    filch::rotate(v, middle(v)), stays("rotate");
    (void)filch::flatten(std::vector<numbers>{v}), stays("flatten");
    filch::flatten(std::vector<numbers>{v}, w.begin()), stays("flatten to an iterator");
  }
  {
    numbers v = up_to(8191), w(v.size());
    (void)filch::reduce(v, 0), stays("reduce");
    (void)filch::transform_reduce(v, v, 0), stays("transform_reduce");
    (void)filch::count(v, 1), stays("count");
    (void)filch::min_element(v), stays("min_element");
    (void)filch::minmax(v), stays("minmax");
    (void)filch::find(v, -1), stays("find");
    (void)filch::find_last(v, -1), stays("find_last");
    (void)filch::find_any(v, -1), stays("find_any");
    (void)filch::equal(v, v), stays("equal");
    (void)filch::mismatch(v, v), stays("mismatch");
    (void)filch::lexicographical_compare(v, v), stays("lexicographical_compare");
    (void)filch::is_sorted(v), stays("is_sorted");
    (void)filch::adjacent_find(v), stays("adjacent_find");
    (void)filch::search(v, numbers{-1}), stays("search");
    filch::inclusive_scan(v, w.begin()), stays("inclusive_scan");
    filch::exclusive_scan(v, w.begin(), 0), stays("exclusive_scan");
    (void)filch::histogram(v, 8191), stays("histogram");
    filch::unique_copy(v, w.begin()), stays("unique_copy");
    (void)filch::unique(v), stays("unique");
    (void)filch::remove(v, 5), stays("remove");
    filch::sort(v), stays("sort");
    filch::stable_sort(v), stays("stable_sort");
    filch::nth_element(v, middle(v)), stays("nth_element");
    filch::partial_sort(v, middle(v)), stays("partial_sort");
    filch::inplace_merge(v, middle(v)), stays("inplace_merge");
  }
  {
    const numbers v = up_to(4095);
    numbers w(2 * v.size());
    filch::merge(v, v, w.begin()), stays("merge");
    filch::set_union(v, v, w.begin()), stays("set_union");
    filch::set_intersection(v, v, w.begin()), stays("set_intersection");
    filch::set_difference(v, v, w.begin()), stays("set_difference");
    filch::set_symmetric_difference(v, v, w.begin()), stays("set_symmetric_difference");
  }
  {
    const numbers v = up_to(1023);
    (void)filch::includes(v, v), stays("includes");
    const numbers indices = up_to(2047);
    numbers w(indices.size());
    filch::gather(indices, indices, w.begin()), stays("gather");
    filch::scatter(indices, indices, w.begin()), stays("scatter");
    (void)filch::count_by_key(up_to(511)), stays("count_by_key");
  }
}

}  // namespace
