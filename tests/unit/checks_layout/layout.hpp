// The layout of the public types, as one translation unit sees it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "filch/deque.hpp"

struct layout {
  std::size_t size;
  std::size_t alignment;
  bool operator==(const layout&) const = default;
};

using layouts = std::array<layout, 4>;

// static, because otherwise the linker would keep one of the two versions of a function and hide a
// difference.
template <class T>
static constexpr layout layout_of() {
  return {sizeof(T), alignof(T)};
}

// Only types are used: no function of the deque may be instantiated with both settings.
static constexpr layouts all_layouts() {
  return {layout_of<filch::deque<int>>(), layout_of<filch::deque<std::string>>(),
          layout_of<filch::stealer<int>>(), layout_of<filch::steal_result<std::string>>()};
}

layouts layouts_with_checks();
layouts layouts_without_checks();
