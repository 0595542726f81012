// Several threads want positions; what has none goes through par_bridge().
#include <list>
#include <vector>

#include "filch/ranges.hpp"

template <class R>
concept can_be_parallel = requires(R& range) {
  filch::par(range);
};
template <class R>
concept can_be_piped = requires(R& range) {
  range | filch::views::par;
};
static_assert(can_be_parallel<std::vector<int>> && can_be_piped<std::vector<int>>);
static_assert(!can_be_parallel<std::list<int>> && !can_be_piped<std::list<int>>);

[[maybe_unused]] static void misuse() {
  std::list<int> list;
  std::vector<int> numbers;
#if FILCH_MISUSE == 1  // error: par_bridge\(range\) makes a parallel one
  (void)filch::par(list).sum();
#elif FILCH_MISUSE == 2  // error: par_bridge\(range\) makes a parallel one
  (void)filch::par(list, {.grain = 3}).sum();
#elif FILCH_MISUSE == 3  // error: par_bridge\(range\) makes a parallel one
  (void)(list | filch::views::par).sum();
#elif FILCH_MISUSE == 4  // error: Collect it into a std::vector first
  (void)filch::par(numbers).zip(list).count();
#elif FILCH_MISUSE == 5  // error: Collect others into a std::vector first
  (void)filch::zip(numbers, list).count();
#elif FILCH_MISUSE == 6  // error: par_bridge\(other\) makes a parallel one
  (void)filch::par(numbers).chain(list).count();
#elif FILCH_MISUSE == 7  // error: Use to<Container>\(\)
  (void)filch::par(numbers).into(list);
#elif FILCH_MISUSE == 8  // error: par_indices\(first, last\).step_by\(step\)
  (void)filch::par_indices(0, 10, 2).sum();
#endif
  (void)filch::par_bridge(list).sum();
}
