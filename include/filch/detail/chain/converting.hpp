// Converts items to another type.
#pragma once

#include <utility>

#include "filch/plumbing.hpp"

namespace filch::detail {

/// Converts each item to `Item` and passes it to `Next`, or to a folder that `Next` refers to.
template <class Item, class Next>
class converting_folder {
 public:
  explicit converting_folder(Next&& next) : next_(static_cast<Next&&>(next)) {}
  template <class I>
  [[gnu::always_inline]] void take(I&& item) {
    next_.take(static_cast<Item>(static_cast<I&&>(item)));
  }
  bool full() const requires plumbing::fillable<Next> { return next_.full(); }
  auto finish() && { return std::move(next_).finish(); }

 private:
  Next next_;
};

/// The same as a stage.
template <class To>
class converting_stage {
 public:
  template <class Item, class Next>
  auto before(Next next) const {
    return converting_folder<To, Next>(std::move(next));
  }
};

}  // namespace filch::detail
