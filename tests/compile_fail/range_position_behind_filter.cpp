// Behind a filter no item knows which it is before all have been looked at.
#include <vector>

#include "filch/ranges.hpp"

template <class R>
concept can_be_numbered = requires(R&& range) {
  static_cast<R&&>(range).enumerate();
};
static bool positive(int x) { return x > 0; }
using all = decltype(filch::par(std::declval<std::vector<int>&>()));
using some = decltype(std::declval<all>().filter(positive));
static_assert(can_be_numbered<all> && !can_be_numbered<some>);

[[maybe_unused]] static void misuse(std::vector<int>& v) {
  namespace views = filch::views;
#if FILCH_MISUSE == 1  // error: Put enumerate\(\) before these, or collect first
  (void)filch::par(v).filter(positive).enumerate().count();
#elif FILCH_MISUSE == 2  // error: Put take\(\) before these, or collect first
  (void)filch::par(v).filter(positive).take(10).sum();
#elif FILCH_MISUSE == 3  // error: Put zip\(\) before these, or collect first
  (void)filch::par(v).filter(positive).zip(v).count();
#elif FILCH_MISUSE == 4  // error: Put take\(\) before these, or collect first
  (void)(v | views::par | views::filter(positive) | views::take(10)).sum();
#elif FILCH_MISUSE == 5  // error: Put windows\(\) before these, or collect first
  (void)filch::par(v).filter(positive).windows(2).count();
#elif FILCH_MISUSE == 6  // error: Use enumerate\(\) before them, and find_...\(\)
  (void)filch::par(v).filter(positive).position_first(positive);
#endif
  (void)filch::par(v).enumerate().count();
  (void)filch::par(v).take(10).filter(positive).sum();
  (void)filch::par(v).position_first(positive);
  (void)(v | views::par | views::take(10) | views::filter(positive)).sum();
}
