// Overloads for wrong calls of algorithms: the compiler's message says what to do instead.
#pragma once

#include "filch/detail/base/config.hpp"

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

#define FILCH_OPTIONS_COME_LAST(name)                                                  \
  FILCH_OPTIONS_BEFORE_OTHERS(name, ", after the function and the projections");       \
  template <class A, class F, class... Rest>                                           \
  requires detail::no_options<F> FILCH_REFUSED(                                        \
      "filch: " #name "(): options come last, after the function and the projections", \
      name(A&&, const options&, F&&, Rest&&...));                                      \
  template <class A, class B, class F, class... Rest>                                  \
  requires detail::no_options<F> FILCH_REFUSED(                                        \
      "filch: " #name "(): options come last, after the function and the projections", \
      name(A&&, B&&, const options&, F&&, Rest&&...))
FILCH_OPTIONS_COME_LAST(parallel_for);
FILCH_OPTIONS_COME_LAST(parallel_for_blocks);
FILCH_OPTIONS_COME_LAST(for_each);
FILCH_OPTIONS_COME_LAST(for_each_n);
FILCH_OPTIONS_COME_LAST(transform);
FILCH_OPTIONS_COME_LAST(generate);
FILCH_OPTIONS_COME_LAST(generate_n);
FILCH_OPTIONS_COME_LAST(any_of);
FILCH_OPTIONS_COME_LAST(all_of);
FILCH_OPTIONS_COME_LAST(none_of);
FILCH_OPTIONS_COME_LAST(count_if);
FILCH_OPTIONS_COME_LAST(find_if);
FILCH_OPTIONS_COME_LAST(find_if_not);
FILCH_OPTIONS_COME_LAST(find_any_if);
FILCH_OPTIONS_COME_LAST(find_last_if);
FILCH_OPTIONS_COME_LAST(find_last_if_not);
FILCH_OPTIONS_COME_LAST(position);
FILCH_OPTIONS_COME_LAST(copy_if);
FILCH_OPTIONS_COME_LAST(pack);
FILCH_OPTIONS_COME_LAST(partition);
FILCH_OPTIONS_COME_LAST(stable_partition);
FILCH_OPTIONS_COME_LAST(partition_copy);
FILCH_OPTIONS_COME_LAST(remove_if);
FILCH_OPTIONS_COME_LAST(reduce);
FILCH_OPTIONS_COME_LAST(transform_reduce);
FILCH_OPTIONS_COME_LAST(group_by_key);
FILCH_OPTIONS_COME_LAST(reduce_by_key);
FILCH_OPTIONS_COME_LAST(count_by_key);
FILCH_OPTIONS_COME_LAST(sort_by_key);
FILCH_OPTIONS_COME_LAST(sort_by_cached_key);
FILCH_OPTIONS_COME_LAST(bridge);
FILCH_OPTIONS_COME_LAST(walk_prefix);
FILCH_OPTIONS_COME_LAST(walk_postfix);
FILCH_OPTIONS_COME_LAST(for_each_line);
FILCH_OPTIONS_COME_LAST(for_each_word);
FILCH_OPTIONS_COME_LAST(for_each_piece);
#undef FILCH_OPTIONS_COME_LAST

#define FILCH_OPTIONS_BEHIND_COMPARATOR(name)                                            \
  FILCH_OPTIONS_BEFORE_OTHERS(name, ", after the comparator and the projections");       \
  template <class A, class F, class... Rest>                                             \
  requires(detail::no_options<F> && !detail::projects<F, A>) FILCH_REFUSED(              \
      "filch: " #name "(): options come last, after the comparator and the projections", \
      name(A&&, const options&, F&&, Rest&&...));                                        \
  template <class A, class B, class F, class... Rest>                                    \
  requires(detail::no_options<F> && !detail::projects<F, A>) FILCH_REFUSED(              \
      "filch: " #name "(): options come last, after the comparator and the projections", \
      name(A&&, B&&, const options&, F&&, Rest&&...))
FILCH_OPTIONS_BEHIND_COMPARATOR(sort);
FILCH_OPTIONS_BEHIND_COMPARATOR(stable_sort);
FILCH_OPTIONS_BEHIND_COMPARATOR(nth_element);
FILCH_OPTIONS_BEHIND_COMPARATOR(partial_sort);
FILCH_OPTIONS_BEHIND_COMPARATOR(top_k);
FILCH_OPTIONS_BEHIND_COMPARATOR(inplace_merge);
FILCH_OPTIONS_BEHIND_COMPARATOR(min);
FILCH_OPTIONS_BEHIND_COMPARATOR(max);
FILCH_OPTIONS_BEHIND_COMPARATOR(minmax);
FILCH_OPTIONS_BEHIND_COMPARATOR(min_element);
FILCH_OPTIONS_BEHIND_COMPARATOR(max_element);
FILCH_OPTIONS_BEHIND_COMPARATOR(minmax_element);
FILCH_OPTIONS_BEHIND_COMPARATOR(is_sorted);
FILCH_OPTIONS_BEHIND_COMPARATOR(is_sorted_until);
FILCH_OPTIONS_BEHIND_COMPARATOR(unique);
FILCH_OPTIONS_BEHIND_COMPARATOR(adjacent_find);
#undef FILCH_OPTIONS_BEHIND_COMPARATOR

FILCH_OPTIONS_BEFORE_OTHERS(copy, "");
FILCH_OPTIONS_BEFORE_OTHERS(copy_n, "");
FILCH_OPTIONS_BEFORE_OTHERS(count, "");
FILCH_OPTIONS_BEFORE_OTHERS(count_words, "");
FILCH_OPTIONS_BEFORE_OTHERS(equal, "");
FILCH_OPTIONS_BEFORE_OTHERS(exclusive_scan, "");
FILCH_OPTIONS_BEFORE_OTHERS(exclusive_scan_by_key, "");
FILCH_OPTIONS_BEFORE_OTHERS(fill, "");
FILCH_OPTIONS_BEFORE_OTHERS(fill_n, "");
FILCH_OPTIONS_BEFORE_OTHERS(find, "");
FILCH_OPTIONS_BEFORE_OTHERS(find_any, "");
FILCH_OPTIONS_BEFORE_OTHERS(find_last, "");
FILCH_OPTIONS_BEFORE_OTHERS(flatten, "");
FILCH_OPTIONS_BEFORE_OTHERS(gather, "");
FILCH_OPTIONS_BEFORE_OTHERS(histogram, "");
FILCH_OPTIONS_BEFORE_OTHERS(includes, "");
FILCH_OPTIONS_BEFORE_OTHERS(inclusive_scan, "");
FILCH_OPTIONS_BEFORE_OTHERS(inclusive_scan_by_key, "");
FILCH_OPTIONS_BEFORE_OTHERS(lexicographical_compare, "");
FILCH_OPTIONS_BEFORE_OTHERS(lines, "");
FILCH_OPTIONS_BEFORE_OTHERS(merge, "");
FILCH_OPTIONS_BEFORE_OTHERS(mismatch, "");
FILCH_OPTIONS_BEFORE_OTHERS(partial_sort_copy, "");
FILCH_OPTIONS_BEFORE_OTHERS(pieces, "");
FILCH_OPTIONS_BEFORE_OTHERS(remove, "");
FILCH_OPTIONS_BEFORE_OTHERS(reverse, "");
FILCH_OPTIONS_BEFORE_OTHERS(reverse_copy, "");
FILCH_OPTIONS_BEFORE_OTHERS(rotate, "");
FILCH_OPTIONS_BEFORE_OTHERS(scatter, "");
FILCH_OPTIONS_BEFORE_OTHERS(search, "");
FILCH_OPTIONS_BEFORE_OTHERS(segmented_exclusive_scan, "");
FILCH_OPTIONS_BEFORE_OTHERS(segmented_inclusive_scan, "");
FILCH_OPTIONS_BEFORE_OTHERS(set_difference, "");
FILCH_OPTIONS_BEFORE_OTHERS(set_intersection, "");
FILCH_OPTIONS_BEFORE_OTHERS(set_symmetric_difference, "");
FILCH_OPTIONS_BEFORE_OTHERS(set_union, "");
FILCH_OPTIONS_BEFORE_OTHERS(swap_ranges, "");
FILCH_OPTIONS_BEFORE_OTHERS(transform_exclusive_scan, "");
FILCH_OPTIONS_BEFORE_OTHERS(transform_inclusive_scan, "");
FILCH_OPTIONS_BEFORE_OTHERS(unique_copy, "");
FILCH_OPTIONS_BEFORE_OTHERS(words, "");
#undef FILCH_OPTIONS_BEFORE_OTHERS

}  // namespace filch
