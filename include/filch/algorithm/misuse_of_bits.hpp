// Overloads for calls of algorithms that would write to a std::vector<bool>: the compiler's message
// says what to do instead.
#pragma once

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
      name(Args&&...));
// clang-format off
#define FILCH_NAMES(x) \
  x(copy) x(copy_if) x(copy_n) x(exclusive_scan) x(exclusive_scan_by_key) x(fill) x(fill_n) \
  x(gather) x(generate) x(generate_n) x(inclusive_scan) x(inclusive_scan_by_key) \
  x(inplace_merge) x(merge) x(nth_element) x(partial_sort) x(partial_sort_copy) x(partition) \
  x(partition_copy) x(remove) x(remove_if) x(reverse) x(reverse_copy) x(rotate) x(scatter) \
  x(segmented_exclusive_scan) x(segmented_inclusive_scan) x(set_difference) x(set_intersection) \
  x(set_symmetric_difference) x(set_union) x(sort) x(sort_by_cached_key) x(sort_by_key) \
  x(stable_partition) x(stable_sort) x(swap_ranges) x(transform) x(transform_exclusive_scan) \
  x(transform_inclusive_scan) x(unique) x(unique_copy)
// clang-format on
FILCH_NAMES(FILCH_NO_BITS)
#undef FILCH_NAMES
#undef FILCH_NO_BITS

}  // namespace filch
