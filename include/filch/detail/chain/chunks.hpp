// Neighbours together: by number, overlapping, or by what they have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/index_iterator.hpp"
#include "filch/detail/chain/sources.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// `length` items each; the last may have fewer.
template <plumbing::indexed_source Base>
class chunk_source {
 public:
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = detail::gives_away<Base>;

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

/// `length` items each, from every item on that has so many behind it.
template <plumbing::indexed_source Base>
class window_source {
 public:
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = detail::gives_away<Base>;

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

/// As long as a predicate holds for neighbours. A stretch has those that begin in there: it looks
/// for the end of its last one where others look for their first.
template <plumbing::indexed_source Base, class Pred>
class chunk_by_source {
  using seen = seen_as<typename Base::item>;
  using function = function_for<Pred, seen, seen>;

 public:
  using item = neighbours_of<Base>;
  static constexpr bool gives_away = detail::gives_away<Base>;

  chunk_by_source(Base base, Pred pred) : base_(std::move(base)), pred_(std::move(pred)) {}
  std::size_t size() const { return base_.size(); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    function pred(pred_);
    std::size_t begin = first == 0 ? 0 : next_begin(pred, first, last);
    while (begin < last) {
      const std::size_t end = next_begin(pred, begin + 1, base_.size());
      folder.take(detail::neighbours(base_, begin, end - begin));
      if constexpr (plumbing::fillable<Folder>)
        if (folder.full()) return;
      begin = end;
    }
  }

 private:
  /// The first in [from, to) that does not belong to the one before it, or `to`.
  std::size_t next_begin(function& pred, std::size_t from, std::size_t to) const {
    for (; from < to; ++from) {
      // Named, so that what get() makes on the fly lives as long as the call.
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
