// A macro for each of several names.
#pragma once

#include "filch/detail/base/config.hpp"

/// Expands to macro(name, with), which declares something, for each of the names. There are at
/// most 64.
#define FILCH_EACH_NAME(macro, with, ...)                   \
  FILCH_EXPANDED(FILCH_NEXT_NAME(macro, with, __VA_ARGS__)) \
  static_assert(true)

// A macro is not expanded within its own expansion. So FILCH_NEXT_NAME leaves a call of itself that
// the next pass over the text expands.
#define FILCH_NEXT_NAME(macro, with, name, ...) \
  macro(name, with) __VA_OPT__(FILCH_LATER_NAME FILCH_NO_ARGUMENTS(macro, with, __VA_ARGS__))
#define FILCH_LATER_NAME() FILCH_NEXT_NAME
#define FILCH_NO_ARGUMENTS ()
#define FILCH_EXPANDED(...) FILCH_PASSES(FILCH_PASSES(FILCH_PASSES(FILCH_PASSES(__VA_ARGS__))))
#define FILCH_PASSES(...) FILCH_PASS(FILCH_PASS(FILCH_PASS(FILCH_PASS(__VA_ARGS__))))
#define FILCH_PASS(...) FILCH_TEXT(FILCH_TEXT(FILCH_TEXT(FILCH_TEXT(__VA_ARGS__))))
#define FILCH_TEXT(...) __VA_ARGS__
