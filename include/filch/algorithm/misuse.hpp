// Overloads for wrong calls of algorithms: the compiler's message says what to do instead.
#pragma once

#include "filch/detail/base/refused.hpp"
#include "filch/detail/kernel/misuse.hpp"

namespace filch {

// ---- parallel_for() -----------------------------------------------------------------------------

template <detail::no_options R, class F>
FILCH_REFUSED(
    "filch: parallel_for(first, last, f) calls f with numbers. For the elements of a range "
    "there is for_each(range, f); the first n numbers are parallel_for(0, n, f)",
    parallel_for(R&&, F&&, const options& = {}));
template <std::input_or_output_iterator A, std::sentinel_for<A> B, class F>
requires(!detail::index<A>) FILCH_REFUSED(
    "filch: parallel_for(first, last, f) calls f with numbers. For the elements between two "
    "iterators there is for_each(first, last, f)",
    parallel_for(A, B, F&&, const options& = {}));
template <detail::no_options A, class B, class F>
requires(!std::input_or_output_iterator<A> && !detail::loop_body<F, A, B> && detail::no_options<F>)
    FILCH_REFUSED(
        "filch: parallel_for(first, last, f): first and last must be integers, and not bool, and f "
        "must be callable with one of their common type. A function of two numbers, f(from, to), "
        "is "
        "one for parallel_for_blocks(first, last, f)",
        parallel_for(A, B, F&&, const options& = {}));
template <detail::no_options A, class B, detail::index C, class F>
requires detail::no_options<F> FILCH_REFUSED(
    "filch: parallel_for(first, last, f) has no step: par_indices(first, last).step_by(step)"
    ".for_each(f) is such a loop; two loops, one in the other, are parallel_for(first_row, "
    "last_row, first_column, last_column, f)",
    parallel_for(A, B, C, F&&, const options& = {}));

// ---- options before other arguments -------------------------------------------------------------

// Options in braces have no type that a template could take. So there is a function for each place
// where they are refused. An object of options is refused at any place.

#define FILCH_OPTIONS_BEFORE_OTHERS(name, behind)                \
  FILCH_REFUSED_OPTIONS_FIRST(name, "options come last" behind); \
  template <class... Args>                                       \
  requires(detail::are_options_before_others<Args...>())         \
      FILCH_REFUSED("filch: " #name "(): options come last" behind, name(Args&&...))

/// Options in braces as the second or the third argument, before one that `is_other`.
#define FILCH_OPTIONS_BEFORE(name, behind, is_other)                                            \
  FILCH_OPTIONS_BEFORE_OTHERS(name, behind);                                                    \
  template <class A, class F, class... Rest>                                                    \
  requires detail::is_other<F, A> FILCH_REFUSED("filch: " #name "(): options come last" behind, \
                                                name(A&&, const options&, F&&, Rest&&...));     \
  template <class A, class B, class F, class... Rest>                                           \
  requires detail::is_other<F, A> FILCH_REFUSED("filch: " #name "(): options come last" behind, \
                                                name(A&&, B&&, const options&, F&&, Rest&&...))

#define FILCH_REFUSE(name) \
  FILCH_OPTIONS_BEFORE(name, ", after the function and the projections", is_function);
// clang-format off
#define FILCH_NAMES(x) \
  x(parallel_for) x(parallel_for_blocks) x(for_each) x(for_each_n) x(transform) x(generate) \
  x(generate_n) x(any_of) x(all_of) x(none_of) x(count_if) x(find_if) x(find_if_not) \
  x(find_any_if) x(find_last_if) x(find_last_if_not) x(position) x(copy_if) x(pack) x(partition) \
  x(stable_partition) x(partition_copy) x(remove_if) x(reduce) x(transform_reduce) \
  x(group_by_key) x(reduce_by_key) x(count_by_key) x(sort_by_key) x(sort_by_cached_key) \
  x(bridge) x(walk_prefix) x(walk_postfix) x(for_each_line) x(for_each_word) x(for_each_piece)
// clang-format on
FILCH_NAMES(FILCH_REFUSE)
#undef FILCH_NAMES
#undef FILCH_REFUSE

#define FILCH_REFUSE(name) \
  FILCH_OPTIONS_BEFORE(name, ", after the comparator and the projections", is_comparator);
// clang-format off
#define FILCH_NAMES(x) \
  x(sort) x(stable_sort) x(nth_element) x(partial_sort) x(top_k) x(inplace_merge) x(min) x(max) \
  x(minmax) x(min_element) x(max_element) x(minmax_element) x(is_sorted) x(is_sorted_until) \
  x(unique) x(adjacent_find)
// clang-format on
FILCH_NAMES(FILCH_REFUSE)
#undef FILCH_NAMES
#undef FILCH_REFUSE

#define FILCH_REFUSE(name) FILCH_OPTIONS_BEFORE_OTHERS(name, "");
// clang-format off
#define FILCH_NAMES(x) \
  x(copy) x(copy_n) x(count) x(count_words) x(equal) x(exclusive_scan) x(exclusive_scan_by_key) \
  x(fill) x(fill_n) x(find) x(find_any) x(find_last) x(flatten) x(gather) x(histogram) \
  x(includes) x(inclusive_scan) x(inclusive_scan_by_key) x(lexicographical_compare) x(lines) \
  x(merge) x(mismatch) x(partial_sort_copy) x(pieces) x(remove) x(reverse) x(reverse_copy) \
  x(rotate) x(scatter) x(search) x(segmented_exclusive_scan) x(segmented_inclusive_scan) \
  x(set_difference) x(set_intersection) x(set_symmetric_difference) x(set_union) x(swap_ranges) \
  x(transform_exclusive_scan) x(transform_inclusive_scan) x(unique_copy) x(words)
// clang-format on
FILCH_NAMES(FILCH_REFUSE)
#undef FILCH_NAMES
#undef FILCH_REFUSE
#undef FILCH_OPTIONS_BEFORE
#undef FILCH_OPTIONS_BEFORE_OTHERS

}  // namespace filch
