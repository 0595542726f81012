// Groups of neighbouring items: of equal length, overlapping, or divided by a predicate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/index_iterator.hpp"
#include "filch/detail/chain/sources.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// Groups of `length` items. The last one may have fewer.
template <plumbing::indexed_source Base>
class chunk_source {
 public:
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;

  chunk_source(Base base, std::size_t length) : base_(std::move(base)), length_(length) {}
  std::size_t size() const {
    const std::size_t n = base_.size();
    return n == 0 ? 0 : (n - 1) / length_ + 1;
  }
  item get(std::size_t i) const {
    const std::size_t first = i * length_;
    return detail::neighbours(base_, first, std::min(length_, base_.size() - first));
  }

 private:
  Base base_;
  std::size_t length_;
};

/// Groups of `length` items, one for each item that has enough items after it.
template <plumbing::indexed_source Base>
class window_source {
 public:
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;

  window_source(Base base, std::size_t length) : base_(std::move(base)), length_(length) {}
  std::size_t size() const {
    const std::size_t n = base_.size();
    return n < length_ ? 0 : n - length_ + 1;
  }
  item get(std::size_t i) const { return detail::neighbours(base_, i, length_); }

 private:
  Base base_;
  std::size_t length_;
};

/// Groups that end where a predicate of two neighbours is false. A leaf has the groups that
/// begin in it. To find the end of its last group, it also looks at the beginning of the next
/// leaf.
template <plumbing::indexed_source Base, class Pred>
class chunk_by_source {
  using seen = seen_as<typename Base::item>;
  using function = function_for<Pred, seen, seen>;

 public:
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;

  chunk_by_source(Base base, Pred pred) : base_(std::move(base)), pred_(std::move(pred)) {}
  std::size_t size() const { return base_.size(); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    function pred(pred_);
    std::size_t begin = first == 0 ? 0 : next_begin(pred, first, last);
    while (begin < last) {
      const std::size_t end = next_begin(pred, begin + 1, base_.size());
      folder.take(detail::neighbours(base_, begin, end - begin));
      if (plumbing::is_full(folder)) return;
      begin = end;
    }
  }

 private:
  /// The first position in [from, to) whose item does not belong to the group of the item before
  /// it, or `to`.
  std::size_t next_begin(function& pred, std::size_t from, std::size_t to) const {
    for (; from < to; ++from) {
      // Named, so that a temporary made by get() lives as long as the call.
      auto&& before = base_.get(from - 1);
      auto&& here = base_.get(from);
      if (!static_cast<bool>(pred(static_cast<seen>(before), static_cast<seen>(here)))) break;
    }
    return from;
  }

  Base base_;
  [[no_unique_address]] Pred pred_;
};

}  // namespace filch::detail
