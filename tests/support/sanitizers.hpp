// Sizes for builds with a sanitizer.
#pragma once

#include "filch/detail/base/config.hpp"

namespace filch::test {

/// `full`, or `less` with a sanitizer, which makes a test of this size take seconds. A test uses it
/// where `less` reaches the same code. docs/design/testing.md lists these tests.
template <class T>
constexpr T size_for_build(T full, T less) {
  return FILCH_ASAN || FILCH_TSAN ? less : full;
}

}  // namespace filch::test
