// Overloads for calls of algorithms that would write to a std::vector<bool>: the compiler's message
// says what to do instead.
#pragma once

#include "filch/detail/base/config.hpp"

#include <utility>

#include "filch/algorithm/copy.hpp"
#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/fill.hpp"
#include "filch/algorithm/merge.hpp"
#include "filch/algorithm/nth_element.hpp"
#include "filch/algorithm/partial_sort.hpp"
#include "filch/algorithm/partition.hpp"
#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/reverse.hpp"
#include "filch/algorithm/scan.hpp"
#include "filch/algorithm/scatter.hpp"
#include "filch/algorithm/segmented_scan.hpp"
#include "filch/algorithm/set_operations.hpp"
#include "filch/algorithm/sort.hpp"
#include "filch/algorithm/stable_sort.hpp"
#include "filch/algorithm/transform.hpp"
#include "filch/algorithm/transform_scan.hpp"
#include "filch/algorithm/unique.hpp"
#include "filch/detail/base/refused.hpp"
#include "filch/detail/kernel/misuse_of_bits.hpp"

namespace filch {

// A parameter pack takes any argument without conversion, and would often be the better match. So
// it takes only what the functions of that name above this line do not.

#define FILCH_NO_BITS(name)                                                                       \
  namespace detail {                                                                              \
  struct call_of_##name {                                                                         \
    template <class... Args>                                                                      \
    auto operator()(Args&&... args) const -> decltype(filch::name(static_cast<Args&&>(args)...)); \
  };                                                                                              \
  }                                                                                               \
  template <class... Args>                                                                        \
  requires detail::only_bits_prevent<detail::call_of_##name, Args...> FILCH_REFUSED(              \
      "filch: " #name                                                                             \
      "(): several threads cannot write to a std::vector<bool>, whose "                           \
      "elements share words. Write to a std::vector<char>, or make a new vector: "                \
      "par(range).map(f).to<std::vector<bool>>()",                                                \
      name(Args&&...))
FILCH_NO_BITS(copy);
FILCH_NO_BITS(copy_if);
FILCH_NO_BITS(copy_n);
FILCH_NO_BITS(fill_n);
FILCH_NO_BITS(generate_n);
FILCH_NO_BITS(merge);
FILCH_NO_BITS(partition_copy);
FILCH_NO_BITS(reverse_copy);
FILCH_NO_BITS(inclusive_scan);
FILCH_NO_BITS(exclusive_scan);
FILCH_NO_BITS(transform_inclusive_scan);
FILCH_NO_BITS(transform_exclusive_scan);
FILCH_NO_BITS(inclusive_scan_by_key);
FILCH_NO_BITS(exclusive_scan_by_key);
FILCH_NO_BITS(segmented_inclusive_scan);
FILCH_NO_BITS(segmented_exclusive_scan);
FILCH_NO_BITS(gather);
FILCH_NO_BITS(scatter);
FILCH_NO_BITS(set_union);
FILCH_NO_BITS(set_intersection);
FILCH_NO_BITS(set_difference);
FILCH_NO_BITS(set_symmetric_difference);
FILCH_NO_BITS(transform);
FILCH_NO_BITS(unique_copy);
FILCH_NO_BITS(fill);
FILCH_NO_BITS(generate);
FILCH_NO_BITS(sort);
FILCH_NO_BITS(stable_sort);
FILCH_NO_BITS(sort_by_key);
FILCH_NO_BITS(sort_by_cached_key);
FILCH_NO_BITS(inplace_merge);
FILCH_NO_BITS(nth_element);
FILCH_NO_BITS(partial_sort);
FILCH_NO_BITS(partial_sort_copy);
FILCH_NO_BITS(partition);
FILCH_NO_BITS(stable_partition);
FILCH_NO_BITS(remove);
FILCH_NO_BITS(remove_if);
FILCH_NO_BITS(reverse);
FILCH_NO_BITS(rotate);
FILCH_NO_BITS(swap_ranges);
FILCH_NO_BITS(unique);
#undef FILCH_NO_BITS

}  // namespace filch
