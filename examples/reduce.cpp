// Reductions, scans and searches on a day of measurements.
#include "filch/algorithm/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <vector>

#include "filch/algorithm/all_of.hpp"
#include "filch/algorithm/find.hpp"
#include "filch/algorithm/min.hpp"
#include "filch/algorithm/position.hpp"
#include "filch/algorithm/scan.hpp"
#include "filch/algorithm/segmented_scan.hpp"

int main() {
  // A measurement each second. Rain comes in showers, and is counted in thousandths of a
  // millimetre.
  constexpr std::size_t day = std::size_t{24} * 60 * 60;
  std::vector<int> rain(day);
  std::vector<std::size_t> hour(day);
  for (std::size_t second = 0; second < day; ++second) {
    hour[second] = second / 3600;
    rain[second] = second % 7000 < 900 ? static_cast<int>(second % 5) : 0;
  }

  // The total, the average deviation (the same bits on every machine), and the heaviest second.
  const long total = filch::reduce(rain, 0L);
  const double mean = static_cast<double>(total) / day;
  const double deviation =
      std::sqrt(filch::transform_reduce(rain, 0.0, std::plus{},
                                        [mean](int r) { return (r - mean) * (r - mean); },
                                        {.deterministic = true}) /
                day);
  const int heaviest = filch::max(rain);

  // How much has fallen since midnight, and when the first 10 millimetres had fallen.
  std::vector<long> since_midnight(day);
  filch::inclusive_scan(rain, since_midnight.begin(), std::plus{}, 0L);
  const std::optional<std::size_t> crossed =
      filch::position(since_midnight, [](long sum) { return sum >= 10'000; });

  // The same within each hour: the sums start again at zero.
  std::vector<int> this_hour(day);
  filch::inclusive_scan_by_key(hour, rain, this_hour.begin());
  const int wettest_hour = filch::max(this_hour);

  const bool plausible = filch::all_of(rain, [](int r) { return r >= 0 && r < 1000; });
  const auto dry = filch::find(rain, 0);

  std::printf("total %ld, deviation %.3f, heaviest %d, 10000 after %zu s, wettest hour %d\n", total,
              deviation, heaviest, crossed.value_or(day), wettest_hour);

  // A serial loop, to compare.
  long sum = 0;
  std::size_t first_above = day;
  for (std::size_t second = 0; second < day; ++second) {
    sum += rain[second];
    if (sum >= 10'000) first_above = std::min(first_above, second);
  }
  return total == sum && since_midnight.back() == sum && crossed == first_above && plausible &&
                 heaviest == 4 && dry == rain.begin() && wettest_hour >= 1800
             ? 0
             : 1;
}
