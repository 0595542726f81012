// Sorts a few elements. Stable, and without branches that depend on the data where that pays.
#pragma once

#include "filch/detail/order/less.hpp"
#include "filch/detail/order/network.hpp"

namespace filch::detail {

/// Up to this many elements small_sort() is the fastest.
template <class T>
inline constexpr std::ptrdiff_t small_sort_limit = cheap_element<T> ? 32 : 20;

/// Sorts [first, last), where [first, sorted) is already sorted. Stable. If `less` throws, the
/// range still has all its elements, in some order.
template <class It, class Less>
void insertion_sort(It first, It sorted, It last, Less less) {
  using value = std::iter_value_t<It>;
  if (sorted == first && sorted != last) ++sorted;
  for (; sorted != last; ++sorted) {
    It before = sorted - 1;
    if (!less(*sorted, *before)) continue;
    It hole = sorted;
    value moving = std::move(*hole);
    try {
      do {
        *hole = std::move(*before);
        hole = before;
      } while (hole != first && less(moving, *--before));
    } catch (...) {
      *hole = std::move(moving);
      throw;
    }
    *hole = std::move(moving);
  }
}

/// Returns `yes` if `condition`, otherwise `no`, by arithmetic: compilers may emit a branch for a
/// conditional expression.
[[gnu::always_inline]] inline std::size_t choose(bool condition, std::size_t yes,
                                                 std::size_t no) noexcept {
  return no ^ ((yes ^ no) & (std::size_t{0} - static_cast<std::size_t>(condition)));
}

template <class T>
[[gnu::always_inline]] inline T* pick(bool condition, T* yes, T* no) noexcept {
  const auto a = reinterpret_cast<std::uintptr_t>(yes), b = reinterpret_cast<std::uintptr_t>(no);
  // Always one of the two pointers. The point is that there is no branch.
  return reinterpret_cast<T*>(  // NOLINT(performance-no-int-to-ptr): as said
      b ^ ((a ^ b) & (std::uintptr_t{0} - std::uintptr_t{condition})));
}

/// Copies four elements from `from` to the separate memory `to`, in order. Stable; five
/// comparisons, no branches.
template <class T, class Less>
[[gnu::always_inline]] inline void sort_four(T* from, T* to, Less less) {
  const auto c1 = static_cast<std::size_t>(less(from[1], from[0]));
  const auto c2 = static_cast<std::size_t>(less(from[3], from[2]));
  // a <= b and c <= d
  const std::size_t a = c1, b = 1 - c1, c = 2 + c2, d = 3 - c2;
  const bool c3 = less(from[c], from[a]);
  const bool c4 = less(from[d], from[b]);
  const std::size_t least = choose(c3, c, a);
  const std::size_t most = choose(c4, b, d);
  // The two in the middle, in their original order.
  const std::size_t left = choose(c3, a, choose(c4, c, b));
  const std::size_t right = choose(c4, d, choose(c3, b, c));
  const bool c5 = less(from[right], from[left]);
  std::construct_at(to, from[least]);
  std::construct_at(to + 1, from[choose(c5, right, left)]);
  std::construct_at(to + 2, from[choose(c5, left, right)]);
  std::construct_at(to + 3, from[most]);
}

/// Merges the sorted halves [from, from + n / 2) and [from + n / 2, from + n) into the separate
/// memory `to`, from both ends at once: these are two chains of steps that do not wait for each
/// other. Stable.
///
/// Whatever `less` returns, nothing outside of the n elements is read. Returns whether each element
/// was taken exactly once, which a consistent `less` guarantees.
template <class T, class Less>
[[gnu::always_inline]] inline bool merge_from_both_ends(T* from, std::size_t n, T* to, Less less) {
  const std::size_t half = n / 2;
  std::size_t left = 0, right = half;                    // the next two from the front
  std::size_t left_last = half - 1, right_last = n - 1;  // the next two from the back
  for (std::size_t i = 0; i < half; ++i) {
    const bool front_right = less(from[right], from[left]);
    std::construct_at(to + i, from[choose(front_right, right, left)]);
    right += static_cast<std::size_t>(front_right);
    left += static_cast<std::size_t>(!front_right);

    const bool back_left = less(from[right_last], from[left_last]);
    std::construct_at(to + (n - 1 - i), from[choose(back_left, left_last, right_last)]);
    left_last -= static_cast<std::size_t>(back_left);
    right_last -= static_cast<std::size_t>(!back_left);
  }
  if (n % 2 != 0) {
    const bool from_left = left < left_last + 1;  // left_last may be one before the first: it wraps
    std::construct_at(to + half, from[choose(from_left, left, right)]);
    left += static_cast<std::size_t>(from_left);
    right += static_cast<std::size_t>(!from_left);
  }
  return left == left_last + 1 && right == right_last + 1;
}

/// Raw memory for `N` elements.
template <class T, std::size_t N>
class raw_array {
 public:
  T* data() noexcept { return reinterpret_cast<T*>(bytes_); }

 private:
  alignas(T) std::byte bytes_[N * sizeof(T)];
};

/// merge_from_both_ends(). If `less` contradicted itself, the elements are copied in their old
/// order.
template <class T, class Less>
[[gnu::always_inline]] inline void merge_halves(T* from, std::size_t n, T* to, Less less) {
  if (!detail::merge_from_both_ends(from, n, to, less))
    std::memcpy(static_cast<void*>(to), from, n * sizeof(T));
}

/// Copies `n` elements (at least 2) from `from` to `to`, in order, using `other`. The three must be
/// separate memory. Stable.
template <class T, class Less>
void sort_to(T* from, std::size_t n, T* to, T* other, Less less) {
  if (n >= 8) {
    const std::size_t half = n / 2;
    detail::sort_to(from, half, other, to, less);
    detail::sort_to(from + half, n - half, other + half, to + half, less);
    return detail::merge_halves(other, n, to, less);
  }
  std::size_t done = 1;
  if (n >= 4) {
    detail::sort_four(from, to, less);
    done = 4;
  } else {
    std::construct_at(to, from[0]);
  }
  for (; done < n; ++done) {
    std::size_t hole = done;
    for (; hole > 0 && less(from[done], to[hole - 1]); --hole) to[hole] = to[hole - 1];
    to[hole] = from[done];
  }
}

/// Restores the `n` elements at `first` from copies if an exception leaves the block.
template <class T>
struct put_back {
  T* first;
  T* copies;
  std::size_t n;
  bool armed = true;
  ~put_back() {
    if (armed) std::memcpy(static_cast<void*>(first), copies, n * sizeof(T));
  }
};

/// Can small_sort() copy elements to separate memory?
template <class It>
inline constexpr bool sorts_aside = [] {
  using value = std::iter_value_t<It>;
  return std::is_pointer_v<It> && cheap_element<value> && std::is_copy_constructible_v<value> &&
         std::is_copy_assignable_v<value>;
}();

/// Sorts at most small_sort_limit elements. Stable. If `less` throws, the range still has all its
/// elements, in some order.
template <class It, class Less>
void stable_small_sort(It first, It last, Less less) {
  if constexpr (sorts_aside<It>) {
    using value = std::iter_value_t<It>;
    if (last - first >= 8) {
      raw_array<value, small_sort_limit<value>> aside, other;
      const auto n = static_cast<std::size_t>(last - first);
      const std::size_t half = n / 2;
      detail::sort_to(first, half, aside.data(), other.data(), less);
      detail::sort_to(first + half, n - half, aside.data() + half, other.data() + half, less);
      put_back<value> guard{first, aside.data(), n};
      detail::merge_halves(aside.data(), n, first, less);
      guard.armed = false;
      return;
    }
  }
  detail::insertion_sort(first, first, last, less);
}

/// The same, not stable, and faster for numbers.
template <class It, class Less>
void small_sort(It first, It last, Less less) {
  using value = std::iter_value_t<It>;
  if constexpr (sorts_aside<It> && register_element<value>) {
    const auto n = static_cast<std::size_t>(last - first);
    if (n <= 16) return detail::network_sort(first, n, less);
    raw_array<value, small_sort_limit<value>> aside;
    const std::size_t half = n / 2;
    std::memcpy(aside.data(), first, n * sizeof(value));
    detail::network_sort(aside.data(), half, less);
    detail::network_sort(aside.data() + half, n - half, less);
    put_back<value> guard{first, aside.data(), n};
    detail::merge_halves(aside.data(), n, first, less);
    guard.armed = false;
  } else {
    detail::stable_small_sort(first, last, less);
  }
}

}  // namespace filch::detail
