// Items as another type than that in which they come.
#pragma once

#include <utility>

#include "filch/plumbing.hpp"

namespace filch::detail {

/// Items of another type than those that come go into `Next`, or a reference to it.
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

/// The same before a consumer.
template <class To>
class converting_stage {
 public:
  template <class Item, class Next>
  auto before(Next next) const {
    return converting_folder<To, Next>(std::move(next));
  }
};

}  // namespace filch::detail
