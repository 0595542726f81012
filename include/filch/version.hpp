// Which filch this is.
#pragma once

#include "filch/detail/base/config.hpp"

/// The version of the headers: major * 10000 + minor * 100 + patch.
#define FILCH_VERSION 100

namespace filch {

/// The version of the headers, as text.
inline constexpr const char* header_version = "0.1.0";

/// The version of the library that was linked. Differs from `header_version` when a program was
/// compiled against one copy of filch and linked to another. Any thread.
const char* library_version() noexcept;

}  // namespace filch
