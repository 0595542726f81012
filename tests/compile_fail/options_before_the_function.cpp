// Options are the last argument.
#include <functional>
#include <vector>

#include "filch/algorithm.hpp"
#include "filch/pool.hpp"
#include "filch/spawn.hpp"

struct point {
  int x = 0;
};

[[maybe_unused]] static void misuse([[maybe_unused]] filch::pool& pool) {
  std::vector<int> numbers;
  std::vector<point> points;
  const auto use = [](int) {};
  const auto odd = [](int x) { return x % 2 != 0; };
  const filch::options coarse{.grain = 3};
#if FILCH_MISUSE == 1  // error: for_each\(\): options come last
  filch::for_each(numbers, {.grain = 3}, use);
#elif FILCH_MISUSE == 2   // error: for_each\(\): options come last
  filch::for_each(numbers.begin(), numbers.end(), coarse, use);
#elif FILCH_MISUSE == 3   // error: transform\(\): options come last
  filch::transform(numbers, numbers.begin(), {.grain = 3}, odd);
#elif FILCH_MISUSE == 4   // error: count_if\(\): options come last
  (void)filch::count_if(numbers, {.grain = 3}, odd);
#elif FILCH_MISUSE == 5   // error: reduce\(\): options come last
  (void)filch::reduce(numbers, 0, {.grain = 3}, std::plus{});
#elif FILCH_MISUSE == 6   // error: sort\(\): options come last
  filch::sort(numbers, {.grain = 3}, std::greater{});
#elif FILCH_MISUSE == 7   // error: submit\(\): options come last.*submit\(f, options\)
  (void)pool.submit({.priority = filch::priority::low}, [] {});
#elif FILCH_MISUSE == 8   // error: detach\(\): options come last.*detach\(f, options\)
  filch::detach({.priority = filch::priority::low}, [] {});
#elif FILCH_MISUSE == 9   // error: transform\(\): options come last
  filch::transform(numbers.begin(), numbers.end(), numbers.begin(), coarse, odd);
#elif FILCH_MISUSE == 10  // error: merge\(\): options come last
  filch::merge(numbers, numbers, coarse, numbers.begin());
#endif
  filch::for_each(numbers, use, coarse);
  filch::for_each(points, use, &point::x, coarse);
  filch::for_each(numbers, use, {}, coarse);
  filch::sort(numbers, {}, {}, coarse);
  filch::sort(points, {}, &point::x);
  filch::sort(points.begin(), points.end(), {}, &point::x);
}
