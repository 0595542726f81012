// Keys that can be sorted by their digits.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

namespace filch::detail {

/// Does `Comp` order numbers of type `Key` as `<` does (+1), as `>` does (-1), or in another way
/// (0)?
template <class Comp, class Key>
inline constexpr int direction_of = [] {
  using std::is_same_v;
  if (is_same_v<Comp, std::ranges::less> || is_same_v<Comp, std::less<>> ||
      is_same_v<Comp, std::less<Key>>)
    return 1;
  if (is_same_v<Comp, std::ranges::greater> || is_same_v<Comp, std::greater<>> ||
      is_same_v<Comp, std::greater<Key>>)
    return -1;
  return 0;
}();

template <class Key>
concept number_with_digits = (std::integral<Key> && sizeof(Key) <= 8) ||
                             (std::floating_point<Key> && std::numeric_limits<Key>::is_iec559 &&
                              (sizeof(Key) == 4 || sizeof(Key) == 8));

template <class T, class Comp, class Proj>
using key_of = std::remove_cvref_t<std::invoke_result_t<Proj&, T&>>;

/// Are elements ordered by a number, ascending or descending?
template <class T, class Comp, class Proj>
concept ordered_by_number =
    number_with_digits<key_of<T, Comp, Proj>> && direction_of<Comp, key_of<T, Comp, Proj>>
!= 0;

/// The key of an element as an unsigned number. The elements are in order if these numbers ascend.
///
/// Floating-point numbers are mapped so that the order is -NaN, -inf ... -1, 0, 1 ... inf, NaN:
/// those with a sign bit count down. Both zeros are equal. So the order of NaNs is defined too:
/// they come last, or first if their sign is negative.
template <class T, class Comp, class Proj>
requires ordered_by_number<T, Comp, Proj>
class radix_key {
  using key = key_of<T, Comp, Proj>;

 public:
  using word = std::conditional_t<sizeof(key) == 8, std::uint64_t, std::uint32_t>;

  explicit radix_key(Proj& proj) noexcept : proj_(&proj) {}

  [[gnu::always_inline]] word operator()(T& element) const {
    const key k = std::invoke(*proj_, element);
    word w = 0;
    if constexpr (std::floating_point<key>) {
      constexpr word sign = word{1} << (sizeof(key) * 8 - 1);
      w = std::bit_cast<word>(k);
      w = w == sign ? sign : w ^ ((word{0} - (w >> (sizeof(key) * 8 - 1))) | sign);
    } else if constexpr (std::is_same_v<key, bool>) {
      w = static_cast<word>(k);
    } else {
      w = static_cast<word>(static_cast<std::make_unsigned_t<key>>(k));
      if constexpr (std::is_signed_v<key>) w ^= word{1} << (sizeof(key) * 8 - 1);
    }
    if constexpr (direction_of<Comp, key> < 0) w = ~w;
    return w;
  }

  /// +1 if elements are numbers in ascending order, -1 if they are numbers in descending order, 0
  /// if they are no numbers.
  static constexpr int direction_of_numbers =
      std::is_same_v<T, key> && std::is_same_v<Proj, std::identity> ? direction_of<Comp, key> : 0;

  /// Is it certain that it gives the same answer each time, without trust in user code?
  static constexpr bool trusted =
      std::is_same_v<Proj, std::identity> || std::is_member_object_pointer_v<Proj>;

 private:
  Proj* proj_;
};

/// The order of these keys.
template <class Key>
struct key_less {
  static constexpr int direction_of_numbers = Key::direction_of_numbers;
  Key key;
  template <class T>
  [[gnu::always_inline]] bool operator()(T& a, T& b) const {
    return key(a) < key(b);
  }
};

}  // namespace filch::detail
