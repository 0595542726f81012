// Sorts at most 16 numbers by a fixed sequence of compare-and-exchange steps.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// Elements that suit an exchange without a branch: they fit into a register and are cheap to
/// compare. Pointers are excluded: a sort of pointers usually compares what they point to, and a
/// network makes more comparisons than other sorts.
template <class T>
inline constexpr bool register_element = sizeof(T) <= 8 && std::has_single_bit(sizeof(T)) &&
                                         !std::is_pointer_v<T> && std::is_scalar_v<T>;

/// Swaps `a` and `b` if `condition`, by arithmetic. For a conditional expression g++ emits a branch
/// as soon as the condition comes through a few functions, and half of these branches are
/// mispredicted.
template <class T>
[[gnu::always_inline]] inline void exchange_if(bool condition, T& a, T& b) noexcept {
  using bits = std::conditional_t<
      sizeof(T) == 8, std::uint64_t,
      std::conditional_t<sizeof(T) == 4, std::uint32_t,
                         std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
  const bits x = std::bit_cast<bits>(a), y = std::bit_cast<bits>(b);
  const auto differ = static_cast<bits>((x ^ y) & (bits{0} - static_cast<bits>(condition)));
  a = std::bit_cast<T>(static_cast<bits>(x ^ differ));
  b = std::bit_cast<T>(static_cast<bits>(y ^ differ));
}

/// Batcher's odd-even merge sort of 16 elements, as pairs of indices. Each step puts the smaller
/// element at the lower index. So for fewer elements, the steps that reach beyond them can be left
/// out.
struct network_steps {
  struct step {
    unsigned char low, high;
  };
  std::array<step, 63> steps{};

  constexpr network_steps() {
    std::size_t count = 0;
    for (std::size_t run = 1; run < 16; run *= 2)
      for (std::size_t gap = run; gap >= 1; gap /= 2)
        for (std::size_t from = gap % run; from + gap < 16; from += 2 * gap)
          for (std::size_t i = from; i < from + gap && i + gap < 16; ++i)
            if (i / (2 * run) == (i + gap) / (2 * run))
              steps[count++] = {static_cast<unsigned char>(i), static_cast<unsigned char>(i + gap)};
  }
};
inline constexpr network_steps network;

/// The number of steps that `N` elements need.
template <std::size_t N>
inline constexpr std::size_t network_length = static_cast<std::size_t>(
    std::ranges::count_if(network.steps, [](auto step) { return step.high < N; }));

/// The steps that `N` elements need, in their order.
template <std::size_t N>
inline constexpr auto network_of = [] {
  std::array<network_steps::step, network_length<N>> found{};
  std::ranges::copy_if(network.steps, found.begin(), [](auto step) { return step.high < N; });
  return found;
}();

/// The number of elements is no parameter: all numbers of elements share the instantiations.
template <std::size_t Low, std::size_t High, class T, class Less>
[[gnu::always_inline]] inline void network_step(T* first, Less& less) {
  detail::exchange_if(less(first[High], first[Low]), first[Low], first[High]);
}

template <std::size_t N, class T, class Less>
void sort_by_network(T* first, Less less) {
  [&]<std::size_t... Step>(std::index_sequence<Step...>) {
    (detail::network_step<network_of<N>[Step].low, network_of<N>[Step].high>(first, less), ...);
  }
  (std::make_index_sequence<network_length<N>>());
}

/// Sorts at most 16 elements, not stable. If `less` throws, the range still has all its elements.
template <class T, class Less>
void network_sort(T* first, std::size_t n, Less less) {
  [&]<std::size_t... N>(std::index_sequence<N...>) __attribute__((always_inline)) {
    // One jump: compilers make a switch of the comparisons.
    static_cast<void>(((n == N && (detail::sort_by_network<N>(first, less), true)) || ...));
  }
  (std::make_index_sequence<17>());
}

}  // namespace filch::detail
