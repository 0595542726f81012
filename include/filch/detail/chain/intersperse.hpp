// The same item between any two items.
#pragma once

#include "filch/detail/chain/sources.hpp"

namespace filch::detail {

/// If the items of `Base` are lvalues, these items are references, and so is the one between them.
/// Otherwise they are values.
template <plumbing::indexed_source Base>
struct interspersed_source {
  using value = std::remove_cvref_t<typename Base::item>;
  using item =
      std::conditional_t<std::is_lvalue_reference_v<typename Base::item>, const value&, value>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  value between;

  std::size_t size() const {
    const std::size_t n = base.size();
    return n == 0 ? 0 : 2 * n - 1;
  }
  item get(std::size_t i) const {
    if (i % 2 != 0) return between;
    return base.get(i / 2);
  }
};

}  // namespace filch::detail
