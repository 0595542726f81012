// A loop over numbers, one by one.
#include <string>
#include <vector>

#include "filch/algorithm.hpp"
#include "filch/ranges.hpp"

template <class... Args>
concept can_be_looped = requires(Args&... args) {
  filch::parallel_for(args...);
};
static_assert(can_be_looped<int, long, void (*)(long)>);
static_assert(!can_be_looped<std::vector<int>, void (*)(int)>);

[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
  const auto use = [](int) {};
  const filch::options coarse{.grain = 3};
#if FILCH_MISUSE == 1  // error: there is for_each\(range, f\)
  filch::parallel_for(numbers, use);
#elif FILCH_MISUSE == 2  // error: there is for_each\(range, f\)
  filch::parallel_for(numbers, use, {.grain = 3});
#elif FILCH_MISUSE == 3  // error: there is for_each\(first, last, f\)
  filch::parallel_for(numbers.begin(), numbers.end(), use);
#elif FILCH_MISUSE == 4  // error: par_indices\(first, last\).step_by\(step\).for_each\(f\)
  filch::parallel_for(0, 10, 2, use);
#elif FILCH_MISUSE == 5  // error: par_indices\(first, last\).step_by\(step\).for_each\(f\)
  filch::parallel_for(0, 10, 2, use, {.grain = 3});
#elif FILCH_MISUSE == 6  // error: options come last
  filch::parallel_for(0, 10, {.grain = 3}, use);
#elif FILCH_MISUSE == 7  // error: options come last
  filch::parallel_for(0, 10, coarse, use);
#elif FILCH_MISUSE == 8  // error: must be callable with one of their common type
  filch::parallel_for(0, 10, [](const std::string&) {});
#elif FILCH_MISUSE == 9  // error: must be integers
  filch::parallel_for(0.0, 1.0, use);
#endif
  filch::parallel_for(0, 10, use, coarse);
  filch::parallel_for(0, 10, 0, 10, [](int, int) {}, {.grain = 3});
  filch::par_indices(0, 10).step_by(2).for_each(use);
}
