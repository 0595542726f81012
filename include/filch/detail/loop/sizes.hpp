// Numbers of items: sums and products, checked for overflow, and the numbers that a loop counts.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace filch::detail {

inline constexpr std::size_t most_items = std::numeric_limits<std::size_t>::max();

[[noreturn, gnu::cold]] void refuse_sizes(const char* function, std::size_t a,
                                          const char* operation, std::size_t b);
[[noreturn, gnu::cold]] void refuse_capacity(const char* function, std::size_t n, std::size_t most);
[[noreturn, gnu::cold]] void refuse_wide_size();
[[noreturn, gnu::cold]] void refuse_small_range(std::size_t items, std::size_t size);
[[noreturn, gnu::cold]] void refuse_numbers(long long first, unsigned long long last);

/// Throws a `usage_error` that names the adaptor if `n` is 0.
void require_positive(std::size_t n, const char* adaptor);

/// Converts a non-negative number of items to std::size_t. Wider types are 128-bit integers, and
/// the difference types of views over 64-bit integers. Throws `usage_error` if the number is too
/// large.
template <class N>
std::size_t size_from(N n) {
  if constexpr (sizeof(N) > sizeof(std::size_t))
    if (n > static_cast<N>(most_items)) refuse_wide_size();
  return static_cast<std::size_t>(n);
}

/// Returns a + b. If that overflows, throws a `usage_error` that names the function and both
/// numbers.
inline std::size_t sum_of_sizes(std::size_t a, std::size_t b, const char* function) {
  if (a > most_items - b) refuse_sizes(function, a, " and ", b);
  return a + b;
}

/// Returns a * b, likewise.
inline std::size_t product_of_sizes(std::size_t a, std::size_t b, const char* function) {
  if (b != 0 && a > most_items / b) refuse_sizes(function, a, " times ", b);
  return a * b;
}

/// Throws a `usage_error` that names the function and the number if a container of type C cannot
/// have `n` elements. The container itself would throw a std::length_error, which names neither.
template <class C>
void require_capacity(const C& container, std::size_t n, const char* function) {
  if constexpr (requires { container.max_size(); })
    if (n > container.max_size()) refuse_capacity(function, n, container.max_size());
}

/// A type that a loop can count with.
template <class T>
concept index = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;

/// Compares `a` and `b` as numbers. (std::cmp_less refuses characters.)
template <index A, index B>
constexpr bool number_less(A a, B b) noexcept {
  if constexpr (std::is_signed_v<A> && std::is_signed_v<B>) return a < b;
  if constexpr (std::is_signed_v<A>)
    if (a < 0) return true;
  if constexpr (std::is_signed_v<B>)
    if (b < 0) return false;
  using number = std::make_unsigned_t<std::common_type_t<A, B>>;
  return static_cast<number>(a) < static_cast<number>(b);
}

/// The numbers from `first` up to `last`, as offsets from `first`.
template <index T>
class counted {
 public:
  /// Throws `usage_error` if there are more numbers than std::size_t can count, which 128-bit
  /// numbers allow, or than T can tell apart, which a negative and an unsigned number allow.
  template <index A, index B>
  counted(A first, B last)
      : first_(static_cast<T>(first)),
        size_(number_less(first, last) ? distance(first, last) : 0) {}
  std::size_t size() const noexcept { return size_; }
  T operator[](std::size_t i) const noexcept {
    return static_cast<T>(static_cast<unsigned_type>(static_cast<unsigned_type>(first_) +
                                                     static_cast<unsigned_type>(i)));
  }

 private:
  using unsigned_type = std::make_unsigned_t<T>;

  /// last - first, which is positive.
  template <index A, index B>
  static std::size_t distance(A first, B last) {
    const auto end = static_cast<unsigned_type>(static_cast<T>(last));
    const auto n =
        static_cast<unsigned_type>(end - static_cast<unsigned_type>(static_cast<T>(first)));
    if constexpr (std::is_signed_v<A> && std::is_unsigned_v<T>)
      if (first < 0 && n < end)  // it has wrapped
        refuse_numbers(static_cast<long long>(first), static_cast<unsigned long long>(last));
    return detail::size_from(n);
  }

  T first_;
  std::size_t size_;
};

template <index A, index B>
counted(A, B) -> counted<std::common_type_t<A, B>>;

}  // namespace filch::detail
