// Members of parallel ranges that cannot be called, and the compiler's message for them.
#pragma once

#include "filch/detail/base/refused.hpp"

namespace filch::detail {

/// A parameter that takes any argument. Every other parameter that takes it is the better match.
struct any_argument {
  any_argument() = default;
  template <class T>
  any_argument(T &&) {}  // NOLINT(*-explicit-*): it is for conversions
};

/// Refuses members that change a parallel range, if they are called on a constant one.
#define FILCH_REFUSED_ON_A_CONSTANT(name) FILCH_REFUSED_ON_A_CONSTANT_OF(name, <class...>)
/// The same, for members with other template parameters.
#define FILCH_REFUSED_ON_A_CONSTANT_OF(name, ...)                                 \
  template __VA_ARGS__ FILCH_REFUSED(                                             \
      "filch: " #name                                                             \
      "() cannot be called on a parallel range that is const. Declare the range " \
      "without const, or call " #name "(...) where it is made",                   \
      name(filch::detail::any_argument = {}, filch::detail::any_argument = {},    \
           filch::detail::any_argument = {}) const &)

/// Refuses members that take ownership of a parallel range, if the range has a name.
#define FILCH_REFUSED_ON_A_NAME(name)                                                \
  FILCH_REFUSED_ON_A_CONSTANT(name);                                                 \
  template <class... Args>                                                           \
  FILCH_REFUSED("filch: " #name                                                      \
                "() takes ownership of a parallel range. Move a range with a name: " \
                "std::move(range)." #name "(...)",                                   \
                name(Args &&...) &)

}  // namespace filch::detail
