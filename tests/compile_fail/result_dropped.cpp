// A result is all that the call is for; with a future goes the exception of its task.
#include <vector>

#include "filch/algorithm.hpp"
#include "filch/pool.hpp"

[[maybe_unused]] static void misuse(filch::pool& pool, std::vector<int>& numbers) {
  const auto odd = [](int x) { return x % 2 != 0; };
  pool.detach([] {});
  filch::partition(numbers, odd);
#if FILCH_MISUSE == 1  // error: ignoring return value.*nodiscard
  filch::reduce(numbers, 0);
#elif FILCH_MISUSE == 2  // error: erase what it returns
  filch::remove_if(numbers, odd);
#elif FILCH_MISUSE == 3  // error: use detach\(f\), which gives it to on_exception
  pool.submit([] {});
#elif FILCH_MISUSE == 4  // error: ignoring return value.*nodiscard
  pool.try_submit([] {});
#endif
  (void)pool.submit([] {});
}
