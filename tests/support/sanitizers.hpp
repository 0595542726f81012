// Whether this is a build with AddressSanitizer, and sizes for builds with a sanitizer. FILCH_TSAN
// says whether it is one with ThreadSanitizer.
#pragma once

#include "filch/detail/base/config.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define FILCH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FILCH_ASAN 1
#endif
#endif
#ifndef FILCH_ASAN
#define FILCH_ASAN 0
#endif

namespace filch::test {

/// `full`, or `less` with a sanitizer, which makes a test of this size take seconds. A test uses it
/// where `less` reaches the same code. docs/design/testing.md lists these tests.
template <class T>
constexpr T size_for_build(T full, T less) {
  return FILCH_ASAN || FILCH_TSAN ? less : full;
}

}  // namespace filch::test
