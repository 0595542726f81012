// Calls that cannot work, and the compiler's message for them.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>

namespace filch::detail {

// For a call that fits no function, the first line of the compiler's error names the call, and not
// what to do instead. So for the common mistakes there is a function of the same name that refuses
// the call with a message. A `requires` can still ask about such a call: the answer is no.
//
// clang++ prints the message of an attribute. g++ prints the declaration of a deleted function:
// there the message is a part of the return type.
#if defined(__clang__)

struct refused {};

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration has none
#define FILCH_REFUSED(message, ...)                                                     \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"") \
      __attribute__((diagnose_if(true, message, "error")))                              \
      filch::detail::refused __VA_ARGS__ _Pragma("clang diagnostic pop")
// NOLINTEND(bugprone-macro-parentheses)

#else

/// A literal as a template argument. (It has no constructor, which would run for every letter.)
template <std::size_t Size>
struct message {
  char text[Size];
};
template <std::size_t Size>
message(const char (&)[Size]) -> message<Size>;

template <message What>
struct refused {};

#define FILCH_REFUSED(what, ...) \
  filch::detail::refused<filch::detail::message{what}> __VA_ARGS__ = delete

#endif

/// Refuses calls with options as the first argument. `instead` says where they go.
#define FILCH_REFUSED_OPTIONS_FIRST(name, instead) \
  template <class A, class... Rest>                \
  FILCH_REFUSED("filch: " #name "(): " instead, name(const filch::options &, A &&, Rest &&...))

}  // namespace filch::detail
