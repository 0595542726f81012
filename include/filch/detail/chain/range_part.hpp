// What the parts of filch::par_range need: its declaration, and messages for calls that are
// refused.
#pragma once

#include "filch/detail/base/each_name.hpp"
#include "filch/detail/base/refused.hpp"
#include "filch/detail/chain/protocol.hpp"

namespace filch {

template <plumbing::source Source, detail::fork_policy Fork>
class par_range;

}  // namespace filch

/// Refuses members of parallel ranges, if they are called on a constant one. `parameters` are those
/// of the members, in parentheses, with `auto&&` for those of any type. So they fit no call that
/// the member itself does not fit.
#define FILCH_REFUSED_ON_A_CONSTANT(parameters, ...) \
  FILCH_EACH_NAME(FILCH_REFUSED_CONSTANT, parameters, __VA_ARGS__)
#define FILCH_REFUSED_CONSTANT(name, parameters) \
  template <class...>                            \
  FILCH_REFUSED(FILCH_RANGE_IS_CONSTANT(name), name parameters const &);
#define FILCH_RANGE_IS_CONSTANT(name)                                                 \
  "filch: " #name                                                                     \
  "() cannot be called on a parallel range that is const. Declare the range without " \
  "const, or call " #name "(...) where it is made"

/// Refuses members that take ownership of a parallel range, if the range has a name.
#define FILCH_REFUSED_ON_A_NAME(parameters, ...) \
  FILCH_EACH_NAME(FILCH_REFUSED_NAME, parameters, __VA_ARGS__)
#define FILCH_REFUSED_NAME(name, parameters)                                         \
  FILCH_REFUSED_CONSTANT(name, parameters)                                           \
  template <class...>                                                                \
  FILCH_REFUSED("filch: " #name                                                      \
                "() takes ownership of a parallel range. Move a range with a name: " \
                "std::move(range)." #name "(...)",                                   \
                name parameters &);
