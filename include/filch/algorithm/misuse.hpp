// Overloads for wrong calls of algorithms: the compiler's message says what to do instead.
#pragma once

#include "filch/detail/base/refused.hpp"
#include "filch/detail/kernel/misuse.hpp"

namespace filch {

// ---- parallel_for() -----------------------------------------------------------------------------

template <class R, class F>
FILCH_REFUSED(
    "filch: parallel_for(first, last, f) calls f with numbers. For the elements of a range "
    "there is for_each(range, f); the first n numbers are parallel_for(0, n, f)",
    parallel_for(R&&, F&&, const options& = {}));
template <std::input_or_output_iterator A, std::sentinel_for<A> B, class F>
requires(!detail::index<A>) FILCH_REFUSED(
    "filch: parallel_for(first, last, f) calls f with numbers. For the elements between two "
    "iterators there is for_each(first, last, f)",
    parallel_for(A, B, F&&, const options& = {}));
template <class A, class B, class F>
requires(!std::input_or_output_iterator<A> && !detail::loop_body<F, A, B> && detail::no_options<F>)
    FILCH_REFUSED(
        "filch: parallel_for(first, last, f): first and last must be integers, and not bool, and f "
        "must be callable with one of their common type. A function of two numbers, f(from, to), "
        "is "
        "one for parallel_for_blocks(first, last, f)",
        parallel_for(A, B, F&&, const options& = {}));
template <class A, class B, detail::index C, class F>
requires detail::no_options<F> FILCH_REFUSED(
    "filch: parallel_for(first, last, f) has no step: par_indices(first, last).step_by(step)"
    ".for_each(f) is such a loop; two loops, one in the other, are parallel_for(first_row, "
    "last_row, first_column, last_column, f)",
    parallel_for(A, B, C, F&&, const options& = {}));

// ---- options before the function ----------------------------------------------------------------

#define FILCH_OPTIONS_COME_LAST(name)                                                   \
  template <class A, class F, class... Rest>                                            \
  requires detail::no_options<F> FILCH_REFUSED(                                         \
      "filch: " #name "(): options come last, behind the function and the projections", \
      name(A&&, const options&, F&&, Rest&&...));                                       \
  template <class A, class B, class F, class... Rest>                                   \
  requires detail::no_options<F> FILCH_REFUSED(                                         \
      "filch: " #name "(): options come last, behind the function and the projections", \
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

#define FILCH_OPTIONS_BEHIND_COMPARATOR(name)                                             \
  template <class A, class F, class... Rest>                                              \
  requires(detail::no_options<F> && !detail::projects<F, A>) FILCH_REFUSED(               \
      "filch: " #name "(): options come last, behind the comparator and the projections", \
      name(A&&, const options&, F&&, Rest&&...));                                         \
  template <class A, class B, class F, class... Rest>                                     \
  requires(detail::no_options<F> && !detail::projects<F, A>) FILCH_REFUSED(               \
      "filch: " #name "(): options come last, behind the comparator and the projections", \
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

// ---- std::vector<bool> as output ----------------------------------------------------------------

// A parameter pack takes any argument without conversion. So functions whose arguments may be
// converted are not in this list: of copy_n() from bits, the pack would be the better match.

#define FILCH_NO_BITS(name, bits)                                                                \
  template <class... Args>                                                                       \
  requires(detail::bits<Args> || ...)                                                            \
      FILCH_REFUSED("filch: " #name                                                              \
                    "(): several threads cannot write to a std::vector<bool>, whose "            \
                    "elements share words. Write to a std::vector<char>, or make a new vector: " \
                    "par(range).map(f).to<std::vector<bool>>()",                                 \
                    name(Args&&...))
FILCH_NO_BITS(copy, iterates_bits);
FILCH_NO_BITS(copy_if, iterates_bits);
FILCH_NO_BITS(fill_n, iterates_bits);
FILCH_NO_BITS(generate_n, iterates_bits);
FILCH_NO_BITS(merge, iterates_bits);
FILCH_NO_BITS(partition_copy, iterates_bits);
FILCH_NO_BITS(reverse_copy, iterates_bits);
FILCH_NO_BITS(inclusive_scan, iterates_bits);
FILCH_NO_BITS(exclusive_scan, iterates_bits);
FILCH_NO_BITS(transform_inclusive_scan, iterates_bits);
FILCH_NO_BITS(transform_exclusive_scan, iterates_bits);
FILCH_NO_BITS(inclusive_scan_by_key, iterates_bits);
FILCH_NO_BITS(exclusive_scan_by_key, iterates_bits);
FILCH_NO_BITS(segmented_inclusive_scan, iterates_bits);
FILCH_NO_BITS(segmented_exclusive_scan, iterates_bits);
FILCH_NO_BITS(gather, iterates_bits);
FILCH_NO_BITS(scatter, iterates_bits);
FILCH_NO_BITS(set_union, iterates_bits);
FILCH_NO_BITS(set_intersection, iterates_bits);
FILCH_NO_BITS(set_difference, iterates_bits);
FILCH_NO_BITS(set_symmetric_difference, iterates_bits);
FILCH_NO_BITS(transform, iterates_bits);
FILCH_NO_BITS(unique_copy, iterates_bits);
FILCH_NO_BITS(fill, has_bits);
FILCH_NO_BITS(generate, has_bits);
FILCH_NO_BITS(sort, has_bits);
FILCH_NO_BITS(stable_sort, has_bits);
FILCH_NO_BITS(sort_by_key, has_bits);
FILCH_NO_BITS(sort_by_cached_key, has_bits);
FILCH_NO_BITS(inplace_merge, has_bits);
FILCH_NO_BITS(nth_element, has_bits);
FILCH_NO_BITS(partial_sort, has_bits);
FILCH_NO_BITS(partial_sort_copy, has_bits);
FILCH_NO_BITS(partition, has_bits);
FILCH_NO_BITS(stable_partition, has_bits);
FILCH_NO_BITS(remove, has_bits);
FILCH_NO_BITS(remove_if, has_bits);
FILCH_NO_BITS(reverse, has_bits);
FILCH_NO_BITS(rotate, has_bits);
FILCH_NO_BITS(swap_ranges, has_bits);
FILCH_NO_BITS(unique, has_bits);
#undef FILCH_NO_BITS

}  // namespace filch
