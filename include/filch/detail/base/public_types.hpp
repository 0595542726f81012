// Public types that the parts of chains name. Public headers define them.
#pragma once

#include "filch/detail/base/config.hpp"

#include <iterator>
#include <version>

#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202211L
#include <expected>

namespace filch {
using std::expected;
using std::unexpect;
using std::unexpect_t;
}  // namespace filch
#else
namespace filch {

template <class T, class E>
class expected;

/// A tag: the arguments that follow it construct an error.
struct unexpect_t {
  explicit unexpect_t() = default;
};
inline constexpr unexpect_t unexpect{};

}  // namespace filch
#endif

namespace filch {

struct options;

template <std::random_access_iterator I>
class subrange;

}  // namespace filch
