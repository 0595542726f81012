// Consumers and adaptors change the range: one that is const cannot be used.
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

template <class R>
concept can_be_counted = requires(R& range) {
  range.count();
};
using numbers_range = decltype(filch::par(std::declval<std::vector<int>&>()));
static_assert(can_be_counted<numbers_range> && !can_be_counted<const numbers_range>);

[[maybe_unused]] static void misuse() {
  const auto next = [](int x) { return x + 1; };
  const auto odd = [](int x) { return x % 2 != 0; };
  std::vector<int> numbers;
  [[maybe_unused]] const auto range = filch::par(numbers).map(next);
#if FILCH_MISUSE == 1  // error: sum\(\) .* is const\. Declare the range without const
  (void)range.sum();
#elif FILCH_MISUSE == 2   // error: to\(\) .* is const\. Declare the range without const
  (void)range.to<std::vector<int>>();
#elif FILCH_MISUSE == 3   // error: find_first\(\) .* is const\. Declare the range without const
  (void)range.find_first(odd);
#elif FILCH_MISUSE == 4   // error: map\(\) .* is const\. Declare the range without const
  (void)range.map(next).sum();
#elif FILCH_MISUSE == 5   // error: take\(\) .* is const\. Declare the range without const
  (void)std::move(range).take(3).sum();
#elif FILCH_MISUSE == 6   // error: with\(\) .* is const\. Declare the range without const
  (void)range.with(filch::options{}).sum();
#elif FILCH_MISUSE == 7   // error: reduce\(\) .* is const\. Declare the range without const
  (void)range.reduce(0, [](int a, int b) { return a + b; });
#elif FILCH_MISUSE == 8   // error: for_each\(\) .* is const\. Declare the range without const
  range.for_each([](int) {});
#elif FILCH_MISUSE == 9   // error: to\(\) .* is const\. Declare the range without const
  (void)range.to<std::vector>();
#elif FILCH_MISUSE == 10  // error: a pipe .* is const\. Declare the range without const
  (void)(range | filch::views::map(next)).sum();
#elif FILCH_MISUSE == 11  // error: a parallel range that is const
  (void)filch::par(range).sum();
#elif FILCH_MISUSE == 12  // error: a pipe .* is const\. Declare the range without const
  (void)(std::move(range) | filch::views::map(next)).sum();
#elif FILCH_MISUSE == 13  // error: a parallel range that is const
  (void)filch::par(numbers).zip(std::move(range)).count();
#elif FILCH_MISUSE == 14  // error: no matching
  (void)filch::par(numbers).sum(3);  // the fault is another
#elif FILCH_MISUSE == 15  // error: no matching
  (void)filch::par(numbers).take("3");
#elif FILCH_MISUSE == 16  // error: no matching
  (void)filch::par(numbers).on(nullptr);
#elif FILCH_MISUSE == 17  // error: no matching
  (void)filch::par(numbers).map();
#endif
  (void)(filch::par(numbers) | filch::views::map(next)).sum();
  auto named = filch::par(numbers).map(next);
  (void)named.sum();
  (void)std::move(named).take(3).with({.grain = 3}).count();
}
