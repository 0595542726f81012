// Options are not the first argument, with a type or in braces.
#include <vector>

#include "filch/algorithm.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/ranges.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"

[[maybe_unused]] static void misuse([[maybe_unused]] filch::pool& pool, filch::scope& s) {
  std::vector<int> numbers;
  const auto use = [](int) {};
  const auto f = [] {};
  const auto spawn = [&](filch::scope& each) { each.spawn(f); };
  filch::options coarse{.grain = 3};
#if FILCH_MISUSE == 1  // error: for_each\(\): options come last, after the function
  filch::for_each(coarse, numbers, use);
#elif FILCH_MISUSE == 2   // error: for_each\(\): options come last, after the function
  filch::for_each({.grain = 3}, numbers.begin(), numbers.end(), use);
#elif FILCH_MISUSE == 3   // error: sort\(\): options come last, after the comparator
  filch::sort(filch::options{}, numbers);
#elif FILCH_MISUSE == 4   // error: parallel_for\(\): options come last
  filch::parallel_for(filch::options{}, 0, 10, use);
#elif FILCH_MISUSE == 5   // error: parallel_for\(\): options come last
  filch::parallel_for({.grain = 3}, 0, 10, use);
#elif FILCH_MISUSE == 6   // error: parallel_for\(\): options come last
  filch::parallel_for(coarse, 10, use);
#elif FILCH_MISUSE == 7   // error: fill\(\): options come last
  filch::fill(coarse, numbers, 1);
#elif FILCH_MISUSE == 8   // error: copy\(\): options come last
  filch::copy({.grain = 3}, numbers, numbers.begin());
#elif FILCH_MISUSE == 9   // error: scoped\(\): options come last.*scoped\(f, options\)
  filch::scoped(filch::options{}, spawn);
#elif FILCH_MISUSE == 10  // error: scoped\(\): options come last.*scoped\(f, options\)
  filch::scoped({.on = &pool}, spawn);
#elif FILCH_MISUSE == 11  // error: spawn\(\): options go to the scope
  s.spawn(filch::options{}, f);
#elif FILCH_MISUSE == 12  // error: async\(\): options go to the scope
  (void)s.async(f, {.priority = filch::priority::high});
#elif FILCH_MISUSE == 13  // error: join\(\) takes no options
  filch::join(filch::options{}, f, f);
#elif FILCH_MISUSE == 14  // error: join\(\) takes no options
  filch::join(f, f, {.on = &pool});
#elif FILCH_MISUSE == 15  // error: submit\(\): options come last
  (void)filch::submit(filch::options{}, f);
#elif FILCH_MISUSE == 16  // error: par\(\): options come last
  (void)filch::par({.grain = 3}, numbers).count();
#elif FILCH_MISUSE == 17  // error: par_indices\(\): options come last
  (void)filch::par_indices(filch::options{}, 0, 10).count();
#elif FILCH_MISUSE == 18  // error: par_bridge\(\): options come last
  (void)filch::par_bridge(coarse, numbers).count();
#endif
  filch::for_each(numbers, use, coarse);
  filch::parallel_for(0, 10, use, coarse);
  filch::fill(numbers, 1, coarse);
  filch::scoped(spawn, {.on = &pool});
  filch::join(f, f, f);
  s.spawn(f);
  std::vector<filch::options> many;
  filch::fill(many, coarse, coarse);
  (void)filch::par_repeat(coarse, 3).count();
}
