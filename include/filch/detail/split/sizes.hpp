// Sums and products of numbers of items, checked for overflow.
#pragma once

#include <cstddef>
#include <limits>

namespace filch::detail {

inline constexpr std::size_t most_items = std::numeric_limits<std::size_t>::max();

[[noreturn, gnu::cold]] void refuse_sizes(const char* function, std::size_t a,
                                          const char* operation, std::size_t b);
[[noreturn, gnu::cold]] void refuse_capacity(const char* function, std::size_t n, std::size_t most);
[[noreturn, gnu::cold]] void refuse_wide_size();

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

}  // namespace filch::detail
