// The stable sort of one thread. It merges existing runs if there are long ones.
#pragma once

#include "filch/detail/order/merge.hpp"
#include "filch/detail/order/runs.hpp"

namespace filch::detail {

/// Sorts `n` elements at `here`. With `stay` the result is in `here`, otherwise in the raw memory
/// `other`, and `here` is raw memory then. The other memory is used on the way. If `less` throws,
/// all elements end up where the result would be.
template <class T, class Less>
void merge_sort_to(T* here, std::size_t n, T* other, bool stay, Less less) {
  if (n <= static_cast<std::size_t>(small_sort_limit<T>)) {
    merge_rest<T> move{here, stay ? here : here + n, nullptr, nullptr, stay ? here : other};
    detail::stable_small_sort(here, here + n, less);
    return;
  }
  const std::size_t half = n / 2;
  T* const target = stay ? here : other;
  T* const source = stay ? other : here;
  // First all elements are in one memory, then the first half is in the other one, then all are.
  std::size_t gone = 0;
  try {
    detail::merge_sort_to(here, half, other, !stay, less);
    gone = half;
    detail::merge_sort_to(here + half, n - half, other + half, !stay, less);
  } catch (...) {
    // The half that threw is where it should be. A half that has not begun has not moved.
    if (stay) {
      detail::relocate_all(other, other + half, here);
      if (gone != 0) detail::relocate_all(other + half, other + n, here + half);
    } else {
      detail::relocate_all(here, here + n, other);
    }
    throw;
  }
  detail::merge_to(source, source + half, source + half, source + n, target, less);
}

/// Sorts `n` elements at `first` that consist of few runs. `other` is raw memory for as many.
///
/// Runs are merged in the order of a nearly balanced tree (powersort, by Munro and Wild). The level
/// of two neighbours in that tree is the first bit in which their midpoints differ, as fractions of
/// the whole.
template <class T, class Less>
class run_merger {
 public:
  run_merger(T* first, std::size_t n, T* other, Less less) noexcept
      : first_(first), n_(n), other_(other), less_(less) {}

  void sort() {
    std::size_t begin = 0, end = next_run(0);
    while (end != n_) {
      const std::size_t next_end = next_run(end);
      const int power = power_of(begin, end, next_end);
      while (depth_ > 0 && waiting_[depth_ - 1].power >= power) begin = merge_last(begin, end);
      waiting_[depth_++] = {begin, power};
      begin = end;
      end = next_end;
    }
    while (depth_ > 0) begin = merge_last(begin, end);
  }

 private:
  struct waiting_run {
    std::size_t begin;
    int power;
  };

  /// Makes a run of a fair length from `begin` on, and returns its end.
  std::size_t next_run(std::size_t begin) {
    const run<T*> found = detail::find_run(first_ + begin, first_ + n_, less_);
    if (found.descending) std::reverse(first_ + begin, found.end);
    const std::size_t fair = std::min(n_, begin + static_cast<std::size_t>(small_sort_limit<T>));
    const auto end = static_cast<std::size_t>(found.end - first_);
    if (end >= fair) return end;
    detail::insertion_sort(first_ + begin, found.end, first_ + fair, less_);
    return fair;
  }

  int power_of(std::size_t begin, std::size_t middle, std::size_t end) const noexcept {
    // The midpoints times two, as fractions of 2n, to 62 bits.
    const double scale = 0x1p61 / static_cast<double>(n_);
    const auto a = static_cast<std::uint64_t>(static_cast<double>(begin + middle) * scale);
    const auto b = static_cast<std::uint64_t>(static_cast<double>(middle + end) * scale);
    return std::countl_zero((a ^ b) | 1);
  }

  /// Merges the run [begin, end) with the waiting one before it. Returns the begin of both.
  std::size_t merge_last(std::size_t begin, std::size_t end) {
    const std::size_t left = waiting_[--depth_].begin;
    T* const moved = other_ + left;
    detail::relocate_all(first_ + left, first_ + end, moved);
    detail::merge_to(moved, other_ + begin, other_ + begin, other_ + end, first_ + left, less_);
    return left;
  }

  T* first_;
  std::size_t n_;
  T* other_;
  Less less_;
  std::array<waiting_run, 66> waiting_;  // their powers ascend
  std::size_t depth_ = 0;
};

/// Sorts `n` elements at `first`. `other` is raw memory for as many. Stable. O(n log n), or O(n)
/// with few runs. If `less` throws, the range still has all its elements, in some order.
template <class T, class Less>
void merge_sort(T* first, std::size_t n, T* other, Less less) {
  if (n <= static_cast<std::size_t>(small_sort_limit<T>))
    return detail::stable_small_sort(first, first + n, less);
  // Are runs long, judging by the beginning and the middle?
  const auto run_at = [&](T* start) {
    T* const end = start + std::min<std::ptrdiff_t>(64, first + n - start);
    return detail::find_run(start, end, less).end == end;
  };
  if (run_at(first) || run_at(first + n / 2)) return run_merger(first, n, other, less).sort();
  detail::merge_sort_to(first, n, other, true, less);
}

/// Sorts [first, last) without extra memory, by rotating. For the case that there is no memory, and
/// for elements whose move may throw. Stable, O(n log^2 n).
template <class Fork, class It, class Less>
void sort_by_rotating(const Fork& fork, It first, It last, Less less, std::ptrdiff_t grain) {
  if (last - first <= 16) return detail::insertion_sort(first, first, last, less);
  const It middle = first + (last - first) / 2;
  const auto left = [&] { detail::sort_by_rotating(fork, first, middle, less, grain); };
  const auto right = [&] { detail::sort_by_rotating(fork, middle, last, less, grain); };
  if (last - first > grain) {
    fork(left, right);
  } else {
    left();
    right();
  }
  detail::merge_by_rotating(fork, first, middle, last, less, grain);
}

}  // namespace filch::detail
