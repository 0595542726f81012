// Numbers in readable form, and a few statistics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace filch::cli {

/// "12.3 ns", "4.56 ms", "1.20 s": three significant digits.
std::string duration_text(double seconds);

/// "98.5 %". A share of 1 is 100 %.
std::string percent_text(double share);

/// "1 234 567", with narrow spaces between groups.
std::string count_text(std::uint64_t number);

/// Statistics of some samples. All are 0 if there are no samples.
struct statistics {
  double minimum = 0;
  double median = 0;
  double maximum = 0;
  /// The width of the middle half of the samples, relative to the median: 0.02 is 2 %.
  double spread = 0;
};

statistics statistics_of(std::vector<double> samples);

}  // namespace filch::cli
