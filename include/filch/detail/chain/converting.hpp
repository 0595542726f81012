// Converts items to another type.
#pragma once

#include <utility>

#include "filch/detail/chain/staged.hpp"

namespace filch::detail {

template <class To>
struct converting_step {
  template <class Item, class Next>
  [[gnu::always_inline]] void operator()(Item&& item, Next& next) const {
    next.take(static_cast<To>(static_cast<Item&&>(item)));
  }
};

template <class To>
struct converting_stage {
  template <class Item, class Next>
  auto before(Next next) const {
    return step_folder<converting_step<To>, Next>({}, std::move(next));
  }
};

}  // namespace filch::detail
