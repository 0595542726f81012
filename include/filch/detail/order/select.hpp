// Finds the elements that come first, without sorting the others.
#pragma once

#include "filch/detail/order/as_branch.hpp"
#include "filch/detail/order/sample_sort.hpp"

namespace filch::detail {

/// Puts at `nth` the element that would be there if [first, last) were sorted. No element before it
/// comes after it, and none behind it comes before it. If `less` throws, the range still has all
/// its elements.
template <class It, class Less>
void quick_select(It first, It nth, It last, Less less) {
  if (nth == last) return;
  int limit = division_limit(last - first);
  bool before = false;
  for (;;) {
    if (last - first <= small_sort_limit<std::iter_value_t<It>>)
      return detail::small_sort(first, last, less);
    if (limit-- == 0) return detail::heap_sort(first, last, less);
    const It pivot = detail::choose_pivot(first, last, less);
    It middle = first;
    if (before && !less(*(first - 1), *pivot)) {
      middle = detail::partition_around(first, last, pivot, not_after<Less>{less});
      if (nth <= middle) return;  // all of these are equal
      before = false;
      first = middle + 1;
      continue;
    }
    middle = detail::partition_around(first, last, pivot, less);
    if (nth == middle) return;
    if (nth < middle) {
      last = middle;
    } else {
      first = middle + 1;
      before = true;
    }
  }
}

/// The same in parallel: divides all elements by samples, and then looks into one of the parts. One
/// thread handles up to `grain` elements alone.
template <class Fork, class It, class Less>
void select_in_parallel(const Fork& fork, It first, std::size_t nth, std::size_t n, Less less,
                        std::size_t grain) {
  using value = std::iter_value_t<It>;
  const auto at = [&](std::size_t i) { return first + static_cast<std::iter_difference_t<It>>(i); };
  if (nth >= n || n < 2) return;
  if constexpr (std::is_pointer_v<It> && steady_element<value>) {
    if (n >= sample_sort_from && n > grain) {
      const raw_memory<value> memory(n);
      const auto look = [&](std::size_t from, std::size_t to) {
        if (from <= nth && nth < to)
          detail::quick_select(first + from, first + nth, first + to, less);
      };
      bool done = false;
      as_branch(fork, [&] {
        done =
            memory && detail::distribute_by_samples(fork, first, n, memory.data(), less,
                                                    std::max(distribution_block / 4, grain), look);
      });
      if (done) return;
    }
  }
  if (fork.may_start()) detail::quick_select(first, at(nth), at(n), less);
}

/// Keeps the positions of the `k` elements that come first, in order, of those that were added.
template <class I, class Less>
class first_few {
 public:
  /// Throws `std::bad_alloc`.
  first_few(std::size_t k, Less less) : k_(k), less_(less) { found_.reserve(2 * k); }

  void add(I position) {
    if (full_ && !less_(position, found_[k_ - 1])) return;
    found_.push_back(position);
    if (found_.size() == 2 * k_) shrink();
  }

  /// The positions, sorted, at most k.
  std::vector<I> take() {
    if (found_.size() > k_) shrink();
    detail::quick_sort(found_.data(), found_.data() + found_.size(), less_);
    return std::move(found_);
  }

 private:
  /// Keeps the first k. The last of them is at its index, and is compared with each element that is
  /// added later.
  void shrink() {
    detail::quick_select(found_.data(), found_.data() + (k_ - 1), found_.data() + found_.size(),
                         less_);
    found_.resize(k_);
    full_ = true;
  }

  std::size_t k_;
  Less less_;
  std::vector<I> found_;
  bool full_ = false;
};

/// The positions of the `k` elements that come first among the `n` elements from `first` on, in
/// order. `less` compares positions. Throws what `less` throws, and `std::bad_alloc`.
template <class Fork, class I, class Less>
std::vector<I> first_positions(const Fork& fork, I first, std::size_t n, std::size_t k, Less less,
                               std::size_t grain) {
  if (k == 0) return {};
  if (n > grain && (n - 1) / 8 >= k) {  // more than eight times as many
    const std::size_t half = n / 2;
    std::vector<I> left, right, both;
    fork([&] { left = detail::first_positions(fork, first, half, k, less, grain); },
         [&] {
           right =
               detail::first_positions(fork, first + static_cast<std::iter_difference_t<I>>(half),
                                       n - half, k, less, grain);
         });
    both.reserve(k);
    auto a = left.begin();
    auto b = right.begin();
    while (both.size() < k && (a != left.end() || b != right.end()))
      both.push_back(b == right.end() || (a != left.end() && !less(*b, *a)) ? *a++ : *b++);
    return both;
  }
  if (!fork.may_start()) return {};
  first_few<I, Less> found(std::min(k, n), less);
  for (std::size_t i = 0; i != n; ++i) found.add(first + static_cast<std::iter_difference_t<I>>(i));
  return found.take();
}

}  // namespace filch::detail
