// Sorts by keys that are computed once.
#pragma once

#include "filch/detail/order/sort.hpp"

namespace filch::detail {

template <class I, class Key>
using cached_key = std::remove_cvref_t<std::invoke_result_t<Key&, std::iter_reference_t<I>>>;

template <class I, class Key, class Comp>
concept sortable_by_cached_key =
    std::random_access_iterator<I> && std::permutable<I> && element_iterator<I> &&
    std::invocable<Key&, std::iter_reference_t<I>> && std::movable<cached_key<I, Key>> &&
    std::strict_weak_order < Comp&,
        cached_key<I, Key>
&, cached_key<I, Key>& > ;

/// A key, and the index of its element.
template <class K>
struct numbered_key {
  K key;
  std::size_t number;
};

/// `n` keys in raw memory, made in parallel. The destructor destroys those that were made. So does
/// the constructor if making one of them throws.
template <class K>
class key_row {
 public:
  /// Throws `std::bad_alloc`, and what `make(i)` throws.
  template <class Fork, class Make>
  key_row(const Fork& fork, std::size_t n, std::size_t grain, const Make& make)
      : grain_(grain), row_(n), made_(n == 0 ? 0 : (n + grain - 1) / grain) {
    if (!row_) throw std::bad_alloc();
    try {
      fork_parts(fork, n, grain, [&](std::size_t first, std::size_t last, std::size_t part) {
        for (std::size_t i = first; i != last; ++i, ++made_[part])
          std::construct_at(row_.data() + i, numbered_key<K>{make(i), i});
      });
    } catch (...) {
      destroy();
      throw;
    }
  }
  key_row(const key_row&) = delete;
  key_row& operator=(const key_row&) = delete;
  ~key_row() { destroy(); }

  numbered_key<K>* data() const noexcept { return row_.data(); }

 private:
  void destroy() noexcept {
    for (std::size_t part = 0; part != made_.size(); ++part)
      std::destroy_n(row_.data() + part * grain_, made_[part]);
  }

  std::size_t grain_;
  raw_memory<numbered_key<K>> row_;
  std::vector<std::size_t> made_;  // how many keys each part has made
};

/// Sorts `n` elements from `first` on by key(element). Stable. Each key is computed once.
template <class Fork, class It, class Key, class Comp>
void sort_by_cached_keys(const Fork& fork, It first, std::size_t n, Key& key, Comp& comp,
                         std::size_t wanted_grain) {
  using value = std::iter_value_t<It>;
  using K = cached_key<It, Key>;
  if (n < 2) return;
  const auto grain = static_cast<std::size_t>(order_grain(wanted_grain, 1024));
  const auto at = [&](std::size_t i) -> value& {
    return first[static_cast<std::iter_difference_t<It>>(i)];
  };
  const key_row<K> keys(fork, n, grain,
                        [&](std::size_t i) -> K { return std::invoke(key, at(i)); });
  auto proj = &numbered_key<K>::key;
  detail::sort_elements<true>(fork, keys.data(), n, comp, proj, wanted_grain);
  if (!fork.may_start()) return;
  if constexpr (steady_element<value>) {
    const raw_memory<value> row(n);
    if (!row) throw std::bad_alloc();
    as_branch(fork, [&] {
      fork_parts(fork, n, grain, [&](std::size_t i, std::size_t last, std::size_t) {
        for (; i != last; ++i)
          std::construct_at(row.data() + i, std::move(at(keys.data()[i].number)));
      });
      fork_parts(fork, n, grain, [&](std::size_t i, std::size_t last, std::size_t) {
        for (; i != last; ++i) {
          at(i) = std::move(row.data()[i]);
          std::destroy_at(row.data() + i);
        }
      });
    });
  } else {
    // Follows the cycles of the permutation with swaps, so that no element is lost if a swap
    // throws.
    for (std::size_t i = 0; i != n; ++i) {
      std::size_t from = keys.data()[i].number;
      while (from < i) from = keys.data()[from].number;
      keys.data()[i].number = from;
      if (from != i) std::ranges::swap(at(i), at(from));
    }
  }
}

}  // namespace filch::detail
