// An adaptor takes the range over: one that has a name is moved.
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

template <class R>
concept can_be_mapped = requires(R&& range) {
  static_cast<R&&>(range).map([](long x) { return x; });
};
using numbers_range = decltype(filch::par(std::declval<std::vector<long>&>()));
static_assert(can_be_mapped<numbers_range> && !can_be_mapped<numbers_range&>);

[[maybe_unused]] static void misuse() {
  const auto next = [](long x) { return x + 1; };
  std::vector<long> numbers;
  auto range = filch::par(numbers);
  (void)range.sum();
#if FILCH_MISUSE == 1  // error: Move a range with a name: std::move\(range\)\.map\(\.\.\.\)
  (void)range.map(next).sum();
#elif FILCH_MISUSE == 2  // error: Move a range with a name: std::move\(range\)\.enumerate\(\.\.\.\)
  (void)range.enumerate().count();
#elif FILCH_MISUSE == 3  // error: Move a range with a name: std::move\(range\)\.with\(\.\.\.\)
  (void)range.with({.grain = 3}).sum();
#elif FILCH_MISUSE == 4  // error: Move a range with a name: std::move\(range\) \|
  (void)(range | filch::views::map(next)).sum();
#elif FILCH_MISUSE == 5  // error: std::move\(range\)
  (void)filch::par(numbers).zip(range).count();
#elif FILCH_MISUSE == 6  // error: std::move\(range\)
  (void)filch::par(range).count();
#endif
  (void)std::move(range).map(next).sum();
}
