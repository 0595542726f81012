// The forms in which algorithms can be called: with a range or two iterators, then the arguments of
// std::ranges, then options; and options also without the arguments before them. At first only
// whether a call is accepted is checked, so no algorithm is compiled for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "filch/algorithm.hpp"
#include "filch/options.hpp"
#include "support/hang_guard.hpp"

namespace {

struct person {
  int age;
  int rank;
  bool is_old() const { return age > 99; }
  auto operator<=>(const person&) const = default;
};

using numbers = std::vector<int>;
using people = std::vector<person>;
using iter = numbers::iterator;

constexpr bool is_odd(int i) { return i % 2 != 0; }

// Algorithms that visit every element
static_assert(requires(numbers v, people p) {
  filch::for_each(v, is_odd);
  filch::for_each(v, is_odd, {.grain = 4});
  filch::for_each(p, is_odd, &person::age);
  filch::for_each(p, is_odd, &person::age, {.grain = 4});
  filch::for_each(v.begin(), v.end(), is_odd);
  filch::for_each(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::for_each(p.begin(), p.end(), is_odd, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::transform(v, v.begin(), is_odd);
  filch::transform(v, v.begin(), is_odd, {.grain = 4});
  filch::transform(p, v.begin(), is_odd, &person::age, {.grain = 4});
  filch::transform(v.begin(), v.end(), v.begin(), is_odd);
  filch::transform(v.begin(), v.end(), v.begin(), is_odd, {.grain = 4});
  filch::transform(p.begin(), p.end(), v.begin(), is_odd, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::transform(v, v, v.begin(), std::plus());
  filch::transform(v, v, v.begin(), std::plus(), {.grain = 4});
  filch::transform(p, v, v.begin(), std::plus(), &person::age);
  filch::transform(v, p, v.begin(), std::plus(), {}, &person::age);
  filch::transform(p, p, v.begin(), std::plus(), &person::age, &person::rank, {.grain = 4});
  filch::transform(v.begin(), v.end(), v.begin(), v.end(), v.begin(), std::plus());
  filch::transform(v.begin(), v.end(), v.begin(), v.end(), v.begin(), std::plus(), {.grain = 4});
  filch::transform(p.begin(), p.end(), p.begin(), p.end(), v.begin(), std::plus(), &person::age,
                   &person::rank, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::reduce(v, 0);
  filch::reduce(v, 0, {.grain = 4});
  filch::reduce(v, 0, std::plus());
  filch::reduce(v, 0, std::plus(), {.grain = 4});
  filch::reduce(v.begin(), v.end(), 0, {.grain = 4});
  filch::reduce(v.begin(), v.end(), 0, std::plus(), {.grain = 4});
  filch::transform_reduce(v.begin(), v.end(), v.begin(), 0, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::count(v, 3, {.grain = 4});
  filch::count(p, 3, &person::age, {.grain = 4});
  filch::count(v.begin(), v.end(), 3, {.grain = 4});
  filch::count(p.begin(), p.end(), 3, &person::age, {.grain = 4});
  filch::count_if(v, is_odd, {.grain = 4});
  filch::count_if(v.begin(), v.end(), is_odd, {.grain = 4});
});

// The smallest and the largest
static_assert(requires(numbers v, people p) {
  filch::min(v, {.grain = 4});
  filch::min(v, {});
  filch::min(v, std::less(), {.grain = 4});
  filch::min(v, {}, {.grain = 4});
  filch::min(p, {}, &person::age);
  filch::min(p, {}, &person::age, {.grain = 4});
  filch::max(v, {}, {.grain = 4});
  filch::minmax(v, {}, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::min_element(v);
  filch::min_element(v, {});
  filch::min_element(v, {.grain = 4});
  filch::min_element(v, std::less(), {.grain = 4});
  filch::min_element(v, {}, {.grain = 4});
  filch::min_element(p, {}, &person::age);
  filch::min_element(p, {}, &person::age, {.grain = 4});
  filch::min_element(v.begin(), v.end());
  filch::min_element(v.begin(), v.end(), {});
  filch::min_element(v.begin(), v.end(), {.grain = 4});
  filch::min_element(v.begin(), v.end(), std::less(), {.grain = 4});
  filch::min_element(v.begin(), v.end(), {}, {.grain = 4});
  filch::min_element(p.begin(), p.end(), {}, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::max_element(v, {.grain = 4});
  filch::max_element(v, std::less(), {.grain = 4});
  filch::max_element(v.begin(), v.end(), {.grain = 4});
  filch::max_element(v.begin(), v.end(), std::less(), {.grain = 4});
  filch::max_element(p.begin(), p.end(), {}, &person::age, {.grain = 4});
  filch::minmax_element(v, {.grain = 4});
  filch::minmax_element(v, std::less(), {.grain = 4});
  filch::minmax_element(v.begin(), v.end(), {.grain = 4});
  filch::minmax_element(v.begin(), v.end(), std::less(), {.grain = 4});
  filch::minmax_element(p.begin(), p.end(), {}, &person::age, {.grain = 4});
});

// Searches
static_assert(requires(numbers v, people p) {
  filch::all_of(p, &person::is_old);
  filch::all_of(p, is_odd, &person::age, {.grain = 4});
  filch::all_of(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::any_of(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::none_of(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::find(p, 3, &person::age, {.grain = 4});
  filch::find(v.begin(), v.end(), 3, {.grain = 4});
  filch::find_if(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::find_if_not(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::find_any_if(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::position(v.begin(), v.end(), is_odd, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  { filch::find_last(v, 3) } -> std::same_as<filch::subrange<iter>>;
  { filch::find_last(numbers(), 3) } -> std::same_as<std::ranges::dangling>;
  { filch::find_last(v.begin(), v.end(), 3, {.grain = 4}) } -> std::same_as<filch::subrange<iter>>;
  { filch::find_last_if(v, is_odd) } -> std::same_as<filch::subrange<iter>>;
  filch::find_last(p, 3, &person::age, {.grain = 4});
  filch::find_last_if(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::find_last_if_not(v.begin(), v.end(), is_odd, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::adjacent_find(v, {.grain = 4});
  filch::adjacent_find(v, std::equal_to(), {.grain = 4});
  filch::adjacent_find(v, {}, {.grain = 4});
  filch::adjacent_find(p, {}, &person::age);
  filch::adjacent_find(v.begin(), v.end(), {});
  filch::adjacent_find(v.begin(), v.end(), {.grain = 4});
  filch::adjacent_find(v.begin(), v.end(), std::equal_to(), {.grain = 4});
  filch::adjacent_find(p.begin(), p.end(), {}, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  { filch::search(v, v) } -> std::same_as<filch::subrange<iter>>;
  { filch::search(numbers(), v) } -> std::same_as<std::ranges::dangling>;
  { filch::search(v.begin(), v.end(), v.begin(), v.end()) } -> std::same_as<filch::subrange<iter>>;
  filch::search(v, v, {});
  filch::search(v, v, {.grain = 4});
  filch::search(v, v, std::equal_to(), {.grain = 4});
  filch::search(p, v, {}, &person::age);
  filch::search(p, v, {}, &person::age, {}, {.grain = 4});
  filch::search(v.begin(), v.end(), v.begin(), v.end(), {.grain = 4});
  filch::search(v.begin(), v.end(), v.begin(), v.end(), std::equal_to(), {.grain = 4});
  filch::search(v.begin(), v.end(), p.begin(), p.end(), {}, {}, &person::age, {.grain = 4});
});

// Comparing
static_assert(requires(numbers v, people p) {
  filch::mismatch(v, v, {.grain = 4});
  filch::mismatch(v, v, {}, {.grain = 4});
  filch::mismatch(p, v, {}, &person::age);
  filch::mismatch(v.begin(), v.end(), v.begin(), v.end(), {.grain = 4});
  filch::mismatch(v.begin(), v.end(), v.begin(), v.end(), std::equal_to(), {.grain = 4});
  filch::mismatch(p.begin(), p.end(), v.begin(), v.end(), {}, &person::age, {}, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::equal(v, v, {.grain = 4});
  filch::equal(v, v, {}, {.grain = 4});
  filch::equal(p, v, {}, &person::age);
  filch::equal(v.begin(), v.end(), v.begin(), v.end(), {.grain = 4});
  filch::equal(v.begin(), v.end(), v.begin(), v.end(), std::equal_to(), {.grain = 4});
  filch::equal(p.begin(), p.end(), v.begin(), v.end(), {}, &person::age, {}, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::lexicographical_compare(v, v, {.grain = 4});
  filch::lexicographical_compare(v, v, {}, {.grain = 4});
  filch::lexicographical_compare(p, v, {}, &person::age);
  filch::lexicographical_compare(v.begin(), v.end(), v.begin(), v.end(), {.grain = 4});
  filch::lexicographical_compare(v.begin(), v.end(), v.begin(), v.end(), std::less(), {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::is_sorted(v, {.grain = 4});
  filch::is_sorted(v, {}, {.grain = 4});
  filch::is_sorted(v.begin(), v.end(), {.grain = 4});
  filch::is_sorted(v.begin(), v.end(), std::less(), {.grain = 4});
  filch::is_sorted(p.begin(), p.end(), {}, &person::age, {.grain = 4});
  filch::is_sorted_until(v, {.grain = 4});
  filch::is_sorted_until(v, {}, {.grain = 4});
  filch::is_sorted_until(v.begin(), v.end(), {.grain = 4});
  filch::is_sorted_until(v.begin(), v.end(), std::less(), {.grain = 4});
  filch::is_sorted_until(p.begin(), p.end(), {}, &person::age, {.grain = 4});
});

// Scans
static_assert(requires(numbers v) {
  filch::inclusive_scan(v, v.begin(), {.grain = 4});
  filch::inclusive_scan(v, v.begin(), std::plus(), {.grain = 4});
  filch::inclusive_scan(v.begin(), v.end(), v.begin(), {.grain = 4});
  filch::exclusive_scan(v, v.begin(), 0, {.grain = 4});
  filch::exclusive_scan(v, v.begin(), 0, std::plus(), {.grain = 4});
  filch::exclusive_scan(v.begin(), v.end(), v.begin(), 0, {.grain = 4});
});
static_assert(requires(numbers v) {
  filch::inclusive_scan_by_key(v, v, v.begin(), {.grain = 4});
  filch::inclusive_scan_by_key(v, v, v.begin(), std::plus(), {.grain = 4});
  filch::inclusive_scan_by_key(v, v, v.begin(), {}, std::equal_to(), {.grain = 4});
  filch::inclusive_scan_by_key(v.begin(), v.end(), v.begin(), v.begin());
  filch::inclusive_scan_by_key(v.begin(), v.end(), v.begin(), v.begin(), {.grain = 4});
  filch::inclusive_scan_by_key(v.begin(), v.end(), v.begin(), v.begin(), std::plus(), {.grain = 4});
  filch::inclusive_scan_by_key(v.begin(), v.end(), v.begin(), v.begin(), {}, std::equal_to(),
                               {.grain = 4});
});
static_assert(requires(numbers v) {
  filch::exclusive_scan_by_key(v, v, v.begin(), 0, {.grain = 4});
  filch::exclusive_scan_by_key(v, v, v.begin(), 0, std::plus(), {.grain = 4});
  filch::exclusive_scan_by_key(v, v, v.begin(), 0, {}, std::equal_to(), {.grain = 4});
  filch::exclusive_scan_by_key(v.begin(), v.end(), v.begin(), v.begin(), 0);
  filch::exclusive_scan_by_key(v.begin(), v.end(), v.begin(), v.begin(), 0, {.grain = 4});
  filch::exclusive_scan_by_key(v.begin(), v.end(), v.begin(), v.begin(), 0, std::plus(),
                               {.grain = 4});
});
static_assert(requires(numbers v) {
  filch::segmented_inclusive_scan(v, v, v.begin(), {.grain = 4});
  filch::segmented_inclusive_scan(v, v, v.begin(), std::plus(), {.grain = 4});
  filch::segmented_inclusive_scan(v.begin(), v.end(), v.begin(), v.begin());
  filch::segmented_inclusive_scan(v.begin(), v.end(), v.begin(), v.begin(), {.grain = 4});
  filch::segmented_inclusive_scan(v.begin(), v.end(), v.begin(), v.begin(), {}, {.grain = 4});
  filch::segmented_exclusive_scan(v, v, v.begin(), 0, {.grain = 4});
  filch::segmented_exclusive_scan(v, v, v.begin(), 0, std::plus(), {.grain = 4});
  filch::segmented_exclusive_scan(v.begin(), v.end(), v.begin(), v.begin(), 0);
  filch::segmented_exclusive_scan(v.begin(), v.end(), v.begin(), v.begin(), 0, {.grain = 4});
  filch::segmented_exclusive_scan(v.begin(), v.end(), v.begin(), v.begin(), 0, {}, {.grain = 4});
});

// Sorting
static_assert(requires(numbers v, people p) {
  filch::sort(v, {});
  filch::sort(v, {.grain = 4});
  filch::sort(v, std::greater(), {.grain = 4});
  filch::sort(v, {}, {.grain = 4});
  filch::sort(p, {}, &person::age);
  filch::sort(p, {}, &person::age, {.grain = 4});
  filch::sort(v.begin(), v.end(), {});
  filch::sort(v.begin(), v.end(), {.grain = 4});
  filch::sort(v.begin(), v.end(), std::greater(), {.grain = 4});
  filch::sort(p.begin(), p.end(), {}, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  { filch::stable_sort(v) } -> std::same_as<iter>;
  { filch::stable_sort(v, {.grain = 4}) } -> std::same_as<iter>;
  { filch::stable_sort(v, std::greater(), {.grain = 4}) } -> std::same_as<iter>;
  { filch::stable_sort(v.begin(), v.end()) } -> std::same_as<iter>;
  { filch::stable_sort(v.begin(), v.end(), {.grain = 4}) } -> std::same_as<iter>;
  { filch::stable_sort(v.begin(), v.end(), std::greater(), {.grain = 4}) } -> std::same_as<iter>;
  filch::stable_sort(p.begin(), p.end(), {}, &person::age, {.grain = 4});
});
static_assert(requires(people p) {
  filch::sort_by_key(p, &person::age, {.grain = 4});
  filch::sort_by_key(p, &person::age, std::greater(), {.grain = 4});
  filch::sort_by_key(p.begin(), p.end(), &person::age);
  filch::sort_by_key(p.begin(), p.end(), &person::age, {.grain = 4});
  filch::sort_by_key(p.begin(), p.end(), &person::age, std::greater(), {.grain = 4});
  filch::sort_by_cached_key(p, &person::age, {.grain = 4});
  filch::sort_by_cached_key(p, &person::age, std::greater(), {.grain = 4});
  filch::sort_by_cached_key(p.begin(), p.end(), &person::age);
  filch::sort_by_cached_key(p.begin(), p.end(), &person::age, {.grain = 4});
  filch::sort_by_cached_key(p.begin(), p.end(), &person::age, std::greater(), {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  { filch::nth_element(v, v.begin()) } -> std::same_as<iter>;
  { filch::nth_element(v.begin(), v.begin(), v.end()) } -> std::same_as<iter>;
  filch::nth_element(v, v.begin(), {});
  filch::nth_element(v, v.begin(), {.grain = 4});
  filch::nth_element(v, v.begin(), std::less(), {.grain = 4});
  filch::nth_element(p, p.begin(), {}, &person::age);
  filch::nth_element(v.begin(), v.begin(), v.end(), {.grain = 4});
  filch::nth_element(v.begin(), v.begin(), v.end(), std::less(), {.grain = 4});
  filch::nth_element(p.begin(), p.begin(), p.end(), {}, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  { filch::partial_sort(v, v.begin()) } -> std::same_as<iter>;
  { filch::partial_sort(v.begin(), v.begin(), v.end()) } -> std::same_as<iter>;
  filch::partial_sort(v, v.begin(), {.grain = 4});
  filch::partial_sort(v, v.begin(), std::less(), {.grain = 4});
  filch::partial_sort(p, p.begin(), {}, &person::age);
  filch::partial_sort(v.begin(), v.begin(), v.end(), {.grain = 4});
  filch::partial_sort(v.begin(), v.begin(), v.end(), std::less(), {.grain = 4});
  filch::partial_sort(p.begin(), p.begin(), p.end(), {}, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  {
    filch::partial_sort_copy(v, v)
    } -> std::same_as<std::ranges::partial_sort_copy_result<iter, iter>>;
  filch::partial_sort_copy(v, v, {.grain = 4});
  filch::partial_sort_copy(v, v, std::less(), {.grain = 4});
  filch::partial_sort_copy(p, p, {}, &person::age, &person::age);
  filch::partial_sort_copy(p, p, {}, &person::age, &person::age, {.grain = 4});
  filch::partial_sort_copy(v.begin(), v.end(), v.begin(), v.end());
  filch::partial_sort_copy(v.begin(), v.end(), v.begin(), v.end(), {.grain = 4});
  filch::partial_sort_copy(v.begin(), v.end(), v.begin(), v.end(), std::less(), {.grain = 4});
  filch::partial_sort_copy(p.begin(), p.end(), p.begin(), p.end(), {}, &person::age, &person::age,
                           {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::top_k(v, 3);
  filch::top_k(v, 3, {});
  filch::top_k(v, 3, {.grain = 4});
  filch::top_k(v, 3, std::less(), {.grain = 4});
  filch::top_k(p, 3, {}, &person::age);
  filch::top_k(v.begin(), v.end(), 3);
  filch::top_k(v.begin(), v.end(), 3, {.grain = 4});
  filch::top_k(v.begin(), v.end(), 3, std::less(), {.grain = 4});
  filch::top_k(p.begin(), p.end(), 3, {}, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::merge(v, v, v.begin(), {});
  filch::merge(v, v, v.begin(), {.grain = 4});
  filch::merge(v, v, v.begin(), std::less(), {.grain = 4});
  filch::merge(p, p, p.begin(), {}, &person::age, &person::age);
  filch::merge(v.begin(), v.end(), v.begin(), v.end(), v.begin());
  filch::merge(v.begin(), v.end(), v.begin(), v.end(), v.begin(), {.grain = 4});
  filch::merge(v.begin(), v.end(), v.begin(), v.end(), v.begin(), std::less(), {.grain = 4});
  filch::merge(p.begin(), p.end(), p.begin(), p.end(), p.begin(), {}, &person::age, &person::age,
               {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  { filch::inplace_merge(v, v.begin()) } -> std::same_as<iter>;
  { filch::inplace_merge(v.begin(), v.begin(), v.end()) } -> std::same_as<iter>;
  filch::inplace_merge(v, v.begin(), {.grain = 4});
  filch::inplace_merge(v, v.begin(), std::less(), {.grain = 4});
  filch::inplace_merge(p, p.begin(), {}, &person::age);
  filch::inplace_merge(v.begin(), v.begin(), v.end(), {.grain = 4});
  filch::inplace_merge(v.begin(), v.begin(), v.end(), std::less(), {.grain = 4});
  filch::inplace_merge(p.begin(), p.begin(), p.end(), {}, &person::age, {.grain = 4});
});

// Sorted ranges as sets
static_assert(requires(numbers v, people p) {
  filch::set_union(v, v, v.begin());
  filch::set_union(v, v, v.begin(), {});
  filch::set_union(v, v, v.begin(), {.grain = 4});
  filch::set_union(v, v, v.begin(), std::less(), {.grain = 4});
  filch::set_union(p, p, p.begin(), {}, &person::age, &person::age);
  filch::set_union(p, p, p.begin(), {}, &person::age, &person::age, {.grain = 4});
  filch::set_union(v.begin(), v.end(), v.begin(), v.end(), v.begin());
  filch::set_union(v.begin(), v.end(), v.begin(), v.end(), v.begin(), {.grain = 4});
  filch::set_union(v.begin(), v.end(), v.begin(), v.end(), v.begin(), std::less(), {.grain = 4});
  filch::set_union(p.begin(), p.end(), p.begin(), p.end(), p.begin(), {}, &person::age,
                   &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::set_intersection(v, v, v.begin(), std::less(), {.grain = 4});
  filch::set_intersection(p, p, p.begin(), {}, &person::age, &person::age);
  filch::set_intersection(v.begin(), v.end(), v.begin(), v.end(), v.begin(), {.grain = 4});
  filch::set_intersection(v.begin(), v.end(), v.begin(), v.end(), v.begin(), {}, {.grain = 4});
  filch::set_difference(v, v, v.begin(), std::less(), {.grain = 4});
  filch::set_difference(p, p, p.begin(), {}, &person::age, &person::age);
  filch::set_difference(v.begin(), v.end(), v.begin(), v.end(), v.begin(), {.grain = 4});
  filch::set_difference(v.begin(), v.end(), v.begin(), v.end(), v.begin(), {}, {.grain = 4});
  filch::set_symmetric_difference(v, v, v.begin(), std::less(), {.grain = 4});
  filch::set_symmetric_difference(p, p, p.begin(), {}, &person::age, &person::age);
  filch::set_symmetric_difference(v.begin(), v.end(), v.begin(), v.end(), v.begin(), {.grain = 4});
  filch::set_symmetric_difference(v.begin(), v.end(), v.begin(), v.end(), v.begin(), {},
                                  {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::includes(v, v, {});
  filch::includes(v, v, {.grain = 4});
  filch::includes(v, v, std::less(), {.grain = 4});
  filch::includes(p, p, {}, &person::age, &person::age);
  filch::includes(v.begin(), v.end(), v.begin(), v.end());
  filch::includes(v.begin(), v.end(), v.begin(), v.end(), {.grain = 4});
  filch::includes(v.begin(), v.end(), v.begin(), v.end(), std::less(), {.grain = 4});
  filch::includes(p.begin(), p.end(), p.begin(), p.end(), {}, &person::age, &person::age,
                  {.grain = 4});
});

// Rearranging
static_assert(requires(numbers v, people p) {
  filch::unique(v, {});
  filch::unique(v, {.grain = 4});
  filch::unique(v, std::equal_to(), {.grain = 4});
  filch::unique(v, {}, {.grain = 4});
  filch::unique(p, {}, &person::age);
  filch::unique(p, {}, &person::age, {.grain = 4});
  filch::unique(v.begin(), v.end(), {.grain = 4});
  filch::unique(v.begin(), v.end(), std::equal_to(), {.grain = 4});
  filch::unique(p.begin(), p.end(), {}, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::unique_copy(v, v.begin());
  filch::unique_copy(v, v.begin(), {});
  filch::unique_copy(v, v.begin(), {.grain = 4});
  filch::unique_copy(v, v.begin(), std::equal_to(), {.grain = 4});
  filch::unique_copy(p, p.begin(), {}, &person::age);
  filch::unique_copy(p, p.begin(), {}, &person::age, {.grain = 4});
  filch::unique_copy(v.begin(), v.end(), v.begin());
  filch::unique_copy(v.begin(), v.end(), v.begin(), {.grain = 4});
  filch::unique_copy(v.begin(), v.end(), v.begin(), std::equal_to(), {.grain = 4});
  filch::unique_copy(p.begin(), p.end(), p.begin(), {}, &person::age, {.grain = 4});
});
static_assert(requires(numbers v) {
  filch::rotate(v, v.begin(), {.grain = 4});
  filch::rotate(v.begin(), v.begin(), v.end(), {.grain = 4});
  filch::reverse(v, {.grain = 4});
  filch::reverse(v.begin(), v.end(), {.grain = 4});
  filch::reverse_copy(v, v.begin(), {.grain = 4});
  filch::reverse_copy(v.begin(), v.end(), v.begin(), {.grain = 4});
  filch::swap_ranges(v, v, {.grain = 4});
  filch::swap_ranges(v.begin(), v.end(), v.begin(), v.end(), {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::copy_if(v, v.begin(), is_odd, {.grain = 4});
  filch::copy_if(p, p.begin(), is_odd, &person::age, {.grain = 4});
  filch::copy_if(v, v.begin(), is_odd, {}, {.grain = 4});
  filch::copy_if(v.begin(), v.end(), v.begin(), is_odd, {});
  filch::copy_if(v.begin(), v.end(), v.begin(), is_odd, {.grain = 4});
  filch::copy_if(p.begin(), p.end(), p.begin(), is_odd, &person::age, {.grain = 4});
  filch::pack(v, is_odd, {.grain = 4});
  filch::pack(p, &person::is_old);
  filch::pack(p, is_odd, &person::age, {.grain = 4});
  filch::pack(v.begin(), v.end(), is_odd);
  filch::pack(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::pack(p.begin(), p.end(), is_odd, &person::age, {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::partition(v, is_odd, {.grain = 4});
  filch::partition(p, &person::is_old);
  filch::partition(p, is_odd, &person::age, {.grain = 4});
  filch::partition(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::partition(p.begin(), p.end(), is_odd, &person::age, {.grain = 4});
  filch::stable_partition(v, is_odd, {.grain = 4});
  filch::stable_partition(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::stable_partition(p.begin(), p.end(), is_odd, &person::age, {.grain = 4});
  filch::partition_copy(v, v.begin(), v.begin(), is_odd, {.grain = 4});
  filch::partition_copy(p, p.begin(), p.begin(), is_odd, &person::age, {.grain = 4});
  filch::partition_copy(v.begin(), v.end(), v.begin(), v.begin(), is_odd);
  filch::partition_copy(v.begin(), v.end(), v.begin(), v.begin(), is_odd, {.grain = 4});
  filch::partition_copy(p.begin(), p.end(), p.begin(), p.begin(), is_odd, &person::age,
                        {.grain = 4});
});
static_assert(requires(numbers v, people p) {
  filch::remove_if(v, is_odd, {.grain = 4});
  filch::remove_if(v.begin(), v.end(), is_odd, {.grain = 4});
  filch::remove_if(p.begin(), p.end(), is_odd, &person::age, {.grain = 4});
  filch::remove(v, 3, {.grain = 4});
  filch::remove(p, 3, &person::age, {.grain = 4});
  filch::remove(v.begin(), v.end(), 3);
  filch::remove(v.begin(), v.end(), 3, {.grain = 4});
  filch::remove(p.begin(), p.end(), 3, &person::age, {.grain = 4});
});

// Elements without a comparison are refused by the signature, not inside the function.
struct thing {};
template <class V>
concept can_be_sorted = requires(V v) {
  filch::nth_element(v, v.begin(), filch::options{});
};
template <class V>
concept can_be_thinned = requires(V v) {
  filch::unique(v.begin(), v.end(), filch::options{});
};
static_assert(can_be_sorted<numbers> && !can_be_sorted<std::vector<thing>>);
static_assert(can_be_thinned<numbers> && !can_be_thinned<std::vector<thing>>);

// Two iterators and a range give the same result.

const numbers a{1, 2, 2, 5}, b{2, 3, 5, 8, 9};

TEST(shapes, sets_and_merges_of_iterators_are_those_of_std) {
  numbers out(9), expected(9);
  const auto same = [&](const auto& mine, const auto& its) {
    EXPECT_EQ(mine.out - out.begin(), its.out - expected.begin());
    EXPECT_EQ(out, expected);
  };
  const auto whole = [&](auto f, auto... more) {
    return f(a.begin(), a.end(), b.begin(), b.end(), more...);
  };
  const filch::options o{.grain = 1};
  same(whole([&](auto... x) { return filch::merge(x..., out.begin(), o); }),
       std::ranges::merge(a, b, expected.begin()));
  same(whole([&](auto... x) { return filch::set_union(x..., out.begin(), o); }),
       std::ranges::set_union(a, b, expected.begin()));
  same(whole([&](auto... x) { return filch::set_intersection(x..., out.begin(), o); }),
       std::ranges::set_intersection(a, b, expected.begin()));
  same(whole([&](auto... x) { return filch::set_difference(x..., out.begin(), o); }),
       std::ranges::set_difference(a, b, expected.begin()));
  same(whole([&](auto... x) { return filch::set_symmetric_difference(x..., out.begin(), o); }),
       std::ranges::set_symmetric_difference(a, b, expected.begin()));
  EXPECT_FALSE(whole([](auto... x) { return filch::includes(x..., filch::options{}); }));
  EXPECT_TRUE(filch::includes(b.begin(), b.end(), b.begin() + 1, b.begin() + 3, {.grain = 1}));
  same(whole([&](auto... x) { return filch::transform(x..., out.begin(), std::minus(), o); }),
       std::ranges::transform(a, b, expected.begin(), std::minus()));
}

TEST(shapes, positions_within_iterators_are_kept) {
  numbers v{5, 4, 3, 2, 1, 0};
  EXPECT_EQ(filch::nth_element(v.begin(), v.begin() + 1, v.end() - 1, {.grain = 1}), v.end() - 1);
  EXPECT_EQ(v[1], 2);
  EXPECT_EQ(filch::partial_sort(v.begin(), v.begin() + 2, v.end(), std::greater(), {.grain = 1}),
            v.end());
  EXPECT_EQ(v[0], 5);
  EXPECT_EQ(v[1], 4);
  v = {3, 6, 1, 2, 9, 0};
  EXPECT_EQ(filch::inplace_merge(v.begin(), v.begin() + 2, v.end() - 1, {.grain = 1}), v.end() - 1);
  EXPECT_EQ(v, (numbers{1, 2, 3, 6, 9, 0}));
  numbers two(2);
  const auto ends =
      filch::partial_sort_copy(v.begin(), v.end(), two.begin(), two.end(), std::greater());
  EXPECT_EQ(ends.in, v.end());
  EXPECT_EQ(ends.out, two.end());
  EXPECT_EQ(two, (numbers{9, 6}));
  EXPECT_EQ(filch::top_k(v.begin(), v.end() - 2, 2, {.grain = 1}), (numbers{6, 3}));
}

TEST(shapes, what_is_found_is_a_part_of_the_range) {
  const numbers v{1, 2, 3, 1, 2, 4};
  const numbers seen{1, 2}, unseen{2, 2};
  const auto first = filch::search(v.begin() + 1, v.end(), seen.begin(), seen.end(), {.grain = 1});
  EXPECT_EQ(first.begin(), v.begin() + 3);
  EXPECT_EQ(first.end(), v.begin() + 5);
  EXPECT_EQ(filch::search(v, unseen).begin(), v.end());
  EXPECT_EQ(filch::search(v, unseen).end(), v.end());
  EXPECT_EQ(filch::search(v, numbers{}).begin(), v.begin());
  EXPECT_TRUE(filch::search(v, numbers{}).empty());
  const auto last = filch::find_last(v.begin(), v.end(), 2);
  EXPECT_EQ(last.begin(), v.begin() + 4);
  EXPECT_EQ(last.end(), v.end());
  EXPECT_TRUE(filch::find_last_if(v, [](int i) { return i > 4; }).empty());
}

TEST(shapes, keys_and_segments_by_iterators) {
  const numbers keys{7, 7, 8, 8, 8}, flags{0, 0, 1, 0, 0}, values{1, 2, 3, 4, 5};
  numbers out(5);
  const auto ends =
      filch::inclusive_scan_by_key(keys.begin(), keys.end() - 1, values.begin(), out.begin());
  EXPECT_EQ(ends.in, values.end() - 1);
  EXPECT_EQ(out, (numbers{1, 3, 3, 7, 0}));
  filch::exclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin(), 10,
                               {.grain = 1});
  EXPECT_EQ(out, (numbers{10, 11, 10, 13, 17}));
  filch::segmented_inclusive_scan(flags.begin(), flags.end(), values.begin(), out.begin());
  EXPECT_EQ(out, (numbers{1, 3, 3, 7, 12}));
  filch::segmented_exclusive_scan(flags.begin(), flags.end(), values.begin(), out.begin(), 10);
  EXPECT_EQ(out, (numbers{10, 11, 10, 13, 17}));
}

TEST(shapes, rearranging_by_iterators) {
  const numbers v{1, 1, 2, 3, 3};
  numbers out(5), others(5);
  EXPECT_EQ(filch::unique_copy(v.begin(), v.end(), out.begin(), {.grain = 1}).out, out.begin() + 3);
  EXPECT_EQ(out, (numbers{1, 2, 3, 0, 0}));
  EXPECT_EQ(filch::reverse_copy(v.begin(), v.end(), out.begin()).in, v.end());
  EXPECT_EQ(out, (numbers{3, 3, 2, 1, 1}));
  EXPECT_EQ(filch::swap_ranges(out.begin(), out.end(), others.begin(), others.begin() + 2).in2,
            others.begin() + 2);
  EXPECT_EQ(out, (numbers{0, 0, 2, 1, 1}));
  EXPECT_EQ(filch::remove(out.begin(), out.end(), 0).begin(), out.begin() + 3);
  const auto ends =
      filch::partition_copy(v.begin(), v.end(), out.begin(), others.begin(), is_odd, {.grain = 1});
  EXPECT_EQ(ends.out1, out.begin() + 4);
  EXPECT_EQ(ends.out2, others.begin() + 1);
  EXPECT_EQ(filch::pack(v.begin(), v.end(), is_odd, {.grain = 1}), (numbers{1, 1, 3, 3}));
  people p{{3, 1}, {2, 1}, {3, 2}, {1, 1}};
  filch::sort_by_key(p.begin(), p.end(), &person::age);
  EXPECT_EQ(p, (people{{1, 1}, {2, 1}, {3, 1}, {3, 2}}));
  filch::sort_by_cached_key(p.begin(), p.end() - 1, &person::age, std::greater());
  EXPECT_EQ(p, (people{{3, 1}, {2, 1}, {1, 1}, {3, 2}}));
}

}  // namespace
