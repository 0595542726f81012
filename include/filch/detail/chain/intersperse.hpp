// The same item between any two items.
#pragma once

#include "filch/detail/chain/sources.hpp"

namespace filch::detail {

/// If the items of `Base` are lvalues, these items are references, and so is the one between them.
/// Otherwise they are values.
template <plumbing::indexed_source Base>
class interspersed_source {
  using value = std::remove_cvref_t<typename Base::item>;

 public:
  using item =
      std::conditional_t<std::is_lvalue_reference_v<typename Base::item>, const value&, value>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;

  /// Throws `usage_error` if the number of items overflows.
  interspersed_source(Base base, value between)
      : base_(std::move(base)), between_(std::move(between)) {
    const std::size_t n = base_.size();
    if (n != 0) (void)detail::sum_of_sizes(n, n - 1, "intersperse()");
  }
  std::size_t size() const {
    const std::size_t n = base_.size();
    return n == 0 ? 0 : 2 * n - 1;
  }
  item get(std::size_t i) const {
    if (i % 2 != 0) return between_;
    return base_.get(i / 2);
  }

 private:
  Base base_;
  value between_;
};

}  // namespace filch::detail
