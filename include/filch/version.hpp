// The version of filch.
#pragma once

#include "filch/detail/base/config.hpp"

/// The version of the headers: major * 10000 + minor * 100 + patch.
#define FILCH_VERSION 100

namespace filch {

/// The version of the headers, as text.
inline constexpr const char* header_version = "0.1.0";

/// Returns the version of the library that was linked. It differs from `header_version` if the
/// program was compiled with the headers of one filch and linked to another. Any thread.
const char* library_version() noexcept;

}  // namespace filch
