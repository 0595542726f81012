// Members of parallel ranges that cannot be called, and the compiler's message for them.
#pragma once

#include "filch/detail/base/refused.hpp"

/// Refuses a member of parallel ranges, if it is called on a constant one. Behind the name come the
/// parameters of the member, with `auto&&` for those of any type. So it fits no call that the
/// member itself does not fit.
#define FILCH_REFUSED_ON_A_CONSTANT(name, ...) \
  template <class...>                          \
  FILCH_REFUSED(FILCH_RANGE_IS_CONSTANT(name), name(__VA_ARGS__) const &)
#define FILCH_RANGE_IS_CONSTANT(name)                                                 \
  "filch: " #name                                                                     \
  "() cannot be called on a parallel range that is const. Declare the range without " \
  "const, or call " #name "(...) where it is made"

/// Refuses members that take ownership of a parallel range, if the range has a name. The parameters
/// are as above.
#define FILCH_REFUSED_ON_A_NAME(name, ...)                                           \
  FILCH_REFUSED_ON_A_CONSTANT(name, __VA_ARGS__);                                    \
  template <class... Args>                                                           \
  FILCH_REFUSED("filch: " #name                                                      \
                "() takes ownership of a parallel range. Move a range with a name: " \
                "std::move(range)." #name "(...)",                                   \
                name(Args &&...) &)
