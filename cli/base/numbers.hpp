// Numbers as people read them, and a few statistics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace filch::cli {

/// "12.3 ns", "4.56 ms", "1.20 s": three digits that count.
std::string duration_text(double seconds);

/// "98.5 %"; a share of 1 is 100 %.
std::string percent_text(double share);

/// "1 234 567", with narrow groups.
std::string count_text(std::uint64_t number);

/// What some samples say. All 0 if there are none.
struct statistics {
  double minimum = 0;
  double median = 0;
  double maximum = 0;
  /// How far the middle half of the samples is spread, relative to the median: 0.02 is 2 %.
  double spread = 0;
};

statistics statistics_of(std::vector<double> samples);

}  // namespace filch::cli
