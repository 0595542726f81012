// Numbers of 64 bits as sizes.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>

namespace filch::detail {

/// `number`, which fits. A template, because g++ calls a cast useless where both types are the same
/// on one system, unless one of them depends on a template parameter.
template <std::integral T>
constexpr std::size_t to_size(T number) noexcept {
  return static_cast<std::size_t>(number);
}

}  // namespace filch::detail
