// A program that has functions with filch's names: filch calls none of them by mistake.
#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "filch/algorithm.hpp"
#include "support/hang_guard.hpp"

// clang-format off
#define FILCH_NAMES(X) \
  X(adjacent_find) X(adjacent_find_with) X(all_of) X(alone) X(any_of) X(as_branch) \
  X(as_branch_if) X(as_plain_iterator) X(at) X(best_number) X(bridge) \
  X(bridge_with) X(by_key_of) X(checked_key) \
  X(choose) X(choose_pivot) X(collect) X(compact) X(copies_from) X(copy) X(copy_if) \
  X(copy_if_with) X(copy_n) X(copy_selected_with) X(copy_with) X(count) X(count_by_key) \
  X(count_by_key_with) X(count_hits) X(count_if) X(count_if_with) X(count_keys) X(count_with) \
  X(count_words) X(count_words_with) X(descent_of) X(descent_with) X(differs_from_previous) \
  X(distribute_by_samples) X(distribution_block_of) X(division_limit) X(each_of) X(end_of) \
  X(equal) X(exchange_if) X(exclusive_scan) X(exclusive_scan_by_key) X(extremes_of) \
  X(extremes_with) X(extremum_by_number) X(extremum_of) X(extremum_of_numbers) X(extremum_with) \
  X(fill) X(fill_n) \
  X(fill_with) X(find) X(find_any) X(find_any_if) X(find_hit) X(find_if) X(find_if_not) \
  X(find_if_with) X(find_last) X(find_last_if) X(find_last_if_not) X(find_neighbours) X(find_run) \
  X(find_with) X(first_after) X(first_not_before) X(first_of_other_rank) X(first_positions) \
  X(first_positions_with) X(flag_starts) X(flatten) X(flatten_with) X(fold_in_any_order) \
  X(fold_in_lanes) X(fold_in_order) X(fold_items) X(fold_lanes) X(fold_numbers) \
  X(fold_numbers_from) X(fold_numbers_if) X(fold_of) \
  X(fold_pairs_of) X(fold_with) X(for_blocks) X(for_each) X(for_each_block) X(for_each_line) \
  X(for_each_n) X(for_each_piece) X(for_each_piece_of) X(for_each_piece_with) X(for_each_with) \
  X(for_each_word) X(fork_buckets) X(fork_each) X(fork_parts) X(gather) X(gather_with) \
  X(generate) X(generate_n) X(generate_with) X(given) X(grain_of) X(group_by_key) \
  X(group_by_key_with) X(heap_sort) X(histogram) X(histogram_with) X(includes) X(includes_of) \
  X(includes_with) X(inclusive_scan) X(inclusive_scan_by_key) X(index_if) X(index_of) \
  X(inplace_merge) X(inplace_merge_with) X(insertion_sort) X(is_before) X(is_sorted) \
  X(is_sorted_until) X(items_from) X(keep_with) X(key_starts) X(launch) X(launch_on) \
  X(launch_on_both) X(lexicographical_compare) X(lines) X(max) X(max_element) X(median_of_three) \
  X(merge) X(merge_by_rotating) X(merge_copies) X(merge_from_both_ends) X(merge_halves) \
  X(merge_in_parallel) X(merge_in_place) X(merge_of) X(merge_sort) X(merge_sort_to) X(merge_to) \
  X(min) X(min_element) X(minmax) X(minmax_element) X(mismatch) X(mismatch_of) X(mismatch_with) \
  X(move_back) X(network_sort) X(network_step) X(neutral_number) \
  X(none_of) X(nothing_to_divide) X(nth_element) \
  X(nth_element_with) X(number_less) X(options_of) X(or_default) X(order_in_parallel) \
  X(order_range) X(order_with) X(pack) X(pack_with) X(parallel_for) X(parallel_for_blocks) \
  X(parallel_for_blocks_with) X(parallel_for_with) X(partial_sort) X(partial_sort_copy) \
  X(partial_sort_with) X(partition) X(partition_around) X(partition_by_cycling) X(partition_copy) \
  X(partition_copy_with) X(partition_in_blocks) X(partition_of) X(partition_with) X(pick) \
  X(pieces) X(pieces_of) X(pieces_with) X(position) X(prefix_numbers) X(prefix_of) \
  X(prefix_of_four) X(prefix_with) X(pseudo_median) X(quick_select) X(quick_sort) \
  X(quick_sort_in_parallel) X(quick_sort_loop) X(radix_sort) X(reduce) X(reduce_as_asked) \
  X(reduce_blocks) X(reduce_blocks_in_fixed_order) X(reduce_by_key) X(reduce_by_key_of) \
  X(reduce_by_key_with) X(relocate) X(relocate_all) X(remove) X(remove_if) X(remove_if_with) X(remove_with) \
  X(require_elements) X(rest_from) X(reverse) X(reverse_copy) X(reverse_copy_with) \
  X(reverse_in_parallel) X(reverse_part) X(reverse_with) X(rotate) X(rotate_part) X(rotate_with) \
  X(scan) X(scan_back) X(scan_blocks) X(scan_for) X(scan_for_difference) X(scan_for_value) \
  X(scan_numbers) X(scan_short_loop) X(scatter) X(scatter_with) X(search) \
  X(search_with) X(second_pass) X(segmented_exclusive_scan) X(segmented_inclusive_scan) \
  X(segmented_of) X(segmented_with) X(select_in_parallel) X(set_difference) X(set_intersection) \
  X(set_operation_of) X(set_operation_with) X(set_symmetric_difference) X(set_union) X(size_of) \
  X(small_sort) X(some_number) X(sort) X(sort_by_cached_key) \
  X(sort_by_cached_keys) X(sort_by_comparing) \
  X(sort_by_digits) X(sort_by_key) X(sort_by_network) X(sort_by_rotating) X(sort_elements) \
  X(sort_four) X(sort_of) X(sort_range) X(sort_to) X(sorted_if_one_run) X(sorted_pair_of) \
  X(spread) X(stable_partition) X(stable_partition_in_place) X(stable_partition_with) \
  X(stable_small_sort) X(stable_sort) X(stable_sort_aside) \
  X(swap_ranges) X(swap_ranges_with) X(swap_sides) X(take_both) X(test_of) X(ticks_now) X(top_k) \
  X(transform) \
  X(transform_exclusive_scan) X(transform_inclusive_scan) X(transform_reduce) X(transform_with) \
  X(unique) X(unique_copy) X(unique_copy_with) X(unique_with) X(volume) X(walk_postfix) \
  X(walk_postfix_with) X(walk_prefix) X(walk_prefix_with) X(walk_with) X(with_elements) \
  X(with_first_positions) X(with_order) X(without_progress) X(words)
// clang-format on

namespace trap {

/// A better match than any function of filch for most arguments, and an error if it is called.
#define FILCH_TRAP(name)  \
  template <class... Any> \
  void name(Any&&...) = delete;
FILCH_NAMES(FILCH_TRAP)

struct element {
  int number = 0;
  friend auto operator<=>(const element&, const element&) = default;
  friend element operator+(element a, element b) { return {a.number + b.number}; }
};
struct is_odd {
  bool operator()(const element& e) const { return e.number % 2 != 0; }
};
struct before {
  bool operator()(const element& a, const element& b) const { return a.number < b.number; }
};
struct same {
  bool operator()(const element& a, const element& b) const { return a.number == b.number; }
};
struct number_of {
  int operator()(const element& e) const { return e.number; }
};
struct add {
  element operator()(element a, element b) const { return a + b; }
};
struct nothing {
  void operator()(const element&) const {}
};

}  // namespace trap

namespace {

using trap::element;

template <class Row>
class foreign_names : public testing::Test {
 protected:
  static Row row() {
    Row r;
    for (int i = 0; i < 40'000; ++i) r.push_back({i * 7919 % 40'009});
    return r;
  }
};
using rows = testing::Types<std::vector<element>, std::deque<element>>;
TYPED_TEST_SUITE(foreign_names, rows);

TYPED_TEST(foreign_names, are_not_called_by_loops_reductions_and_searches) {
  auto v = this->row();
  const auto copy = v;
  auto out = v;
  filch::for_each(v, trap::nothing());
  filch::for_each(v.begin(), v.end(), trap::nothing());
  filch::transform(v, out.begin(), std::identity());
  filch::transform(v, v, out.begin(), trap::add());
  filch::fill(out, element{3});
  filch::generate(out, [] { return element{4}; });
  filch::copy(v, out.begin());
  EXPECT_EQ(out, copy);
  EXPECT_EQ(filch::reduce(v, element{0}, trap::add()), filch::reduce(v, element{0}));
  (void)filch::transform_reduce(v, 0, std::plus<>(), trap::number_of());
  EXPECT_EQ(filch::count_if(v, trap::is_odd()), std::count_if(v.begin(), v.end(), trap::is_odd()));
  (void)filch::count(v, element{3});
  EXPECT_EQ(filch::min(v), filch::min(v, trap::before()));
  (void)filch::max_element(v, {}, trap::number_of());
  (void)filch::minmax_element(v);
  EXPECT_TRUE(filch::any_of(v, trap::is_odd()));
  EXPECT_EQ(filch::find(v, v[30'000]) - v.begin(), 30'000);
  (void)filch::find_if(v, trap::is_odd());
  (void)filch::find_last(v, v[3]);
  (void)filch::find_any(v, v[3]);
  EXPECT_TRUE(filch::position(v, trap::is_odd()));
  (void)filch::search(v, std::vector<element>(v.begin() + 5, v.begin() + 9));
  (void)filch::adjacent_find(v, trap::same());
  EXPECT_TRUE(filch::equal(v, out));
  (void)filch::mismatch(v, out);
  (void)filch::lexicographical_compare(v, out);
  EXPECT_FALSE(filch::is_sorted(v));
  filch::inclusive_scan(v, out.begin());
  filch::exclusive_scan(v, out.begin(), element{0}, trap::add());
  filch::transform_inclusive_scan(v, out.begin(), trap::add(), std::identity());
  filch::inclusive_scan_by_key(v, v, out.begin());
  EXPECT_EQ(v, copy);
}

TYPED_TEST(foreign_names, are_not_called_by_what_sorts) {
  const auto given = this->row();
  auto expected = given;
  std::sort(expected.begin(), expected.end());
  auto v = given;
  filch::sort(v);
  EXPECT_EQ(v, expected);
  v = given;
  filch::sort(v, trap::before(), {.grain = 1000});
  v = given;
  filch::sort(v.begin(), v.end(), filch::options());
  EXPECT_EQ(v, expected);
  v = given;
  filch::stable_sort(v, trap::before(), filch::options());
  EXPECT_EQ(v, expected);
  v = given;
  filch::sort_by_key(v, trap::number_of(), filch::options());
  EXPECT_EQ(v, expected);
  v = given;
  filch::sort_by_cached_key(v, trap::number_of(), filch::options());
  EXPECT_EQ(v, expected);
  v = given;
  filch::nth_element(v, v.begin() + 100, {.grain = 4});
  EXPECT_EQ(v[100], expected[100]);
  filch::partial_sort(v, v.begin() + 100, trap::before(), filch::options());
  filch::partial_sort_copy(given, v);
  EXPECT_EQ(v, expected);
  EXPECT_EQ(filch::top_k(given, 1)[0], expected.back());
  auto out = given;
  out.resize(2 * given.size());
  filch::merge(v, v, out.begin(), trap::before());
  filch::inplace_merge(v, v.begin() + 50, trap::before());
  EXPECT_EQ(v, expected);
  filch::set_union(v, v, out.begin());
  filch::set_intersection(v, v, out.begin(), trap::before());
  EXPECT_TRUE(filch::includes(v, v));
}

TYPED_TEST(foreign_names, are_not_called_by_what_rearranges) {
  const auto given = this->row();
  auto v = given, out = given;
  filch::copy_if(v, out.begin(), trap::is_odd());
  const auto odd = std::count_if(v.begin(), v.end(), trap::is_odd());
  EXPECT_EQ(std::ssize(filch::pack(v, trap::is_odd())), odd);
  filch::partition(v, trap::is_odd());
  filch::stable_partition(v, trap::is_odd());
  filch::partition_copy(v, out.begin(), out.begin() + odd, trap::is_odd());
  (void)filch::remove_if(v, trap::is_odd());
  (void)filch::remove(v, element{4});
  v = given;
  (void)filch::unique(v, trap::same());
  filch::unique_copy(v, out.begin());
  filch::reverse(v);
  filch::reverse_copy(v, out.begin());
  filch::rotate(v, v.begin() + 7);
  filch::swap_ranges(v, out);
  const std::vector<std::size_t> indices(10, 3);
  filch::gather(v, indices, out.begin());
  filch::scatter(std::vector<element>(1), std::vector<std::size_t>(1), out.begin());
  (void)filch::flatten(std::vector{v, v});
  (void)filch::histogram(v, 40'009, trap::number_of());
  EXPECT_EQ(filch::group_by_key(given, trap::number_of()).size(), 40'000u);
  (void)filch::reduce_by_key(v, trap::number_of(), std::identity(), trap::add());
  (void)filch::count_by_key(v, trap::number_of());
  filch::walk_prefix(
      element{3}, [](element) { return std::vector<element>(); }, trap::nothing());
  filch::walk_postfix(
      element{3}, [](element) { return std::vector<element>(); }, trap::nothing());
  EXPECT_EQ(filch::bridge(v, trap::nothing()), v.size());
}

}  // namespace
