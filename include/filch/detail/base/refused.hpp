// Calls that cannot work, and what the compiler says of them.
#pragma once

#include <cstddef>

namespace filch::detail {

// A call that fits no function is an error whose first line names the call, and not what to do
// instead. So a function of the same name takes the common ones of those calls, and refuses them
// with a message. The call stays one that a `requires` can ask about: the answer is no.
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

/// A literal as a template argument. (Without a constructor, which would run for every letter.)
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

/// Members of a parallel range that take it over, called on one that has a name.
#define FILCH_REFUSED_ON_A_NAME(name)                                            \
  template <class... Args>                                                       \
  FILCH_REFUSED("filch: " #name                                                  \
                "() takes a parallel range over. One that has a name is moved: " \
                "std::move(range)." #name "(...)",                               \
                name(Args &&...) &)

}  // namespace filch::detail
