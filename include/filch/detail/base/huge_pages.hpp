// Large pages for large pieces of memory.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>

namespace filch::detail {

/// The size of a large page, where there are any.
inline constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Asks the system to put large pages behind [start, start + size), which begins at a multiple of
/// huge_page. The system may refuse: only speed depends on it. Any thread.
void want_huge_pages(void* start, std::size_t size) noexcept;

}  // namespace filch::detail
