#include "base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace filch::cli {

std::string duration_text(double seconds) {
  struct unit {
    double seconds;
    const char* name;
  };
  constexpr std::array<unit, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  if (!std::isfinite(seconds)) return "-";
  // 0.9995 ms is shown as 1.00 ms, not as 1000 us.
  const auto* const fits = std::find_if(units.begin(), units.end() - 1, [&](const unit& u) {
    return std::abs(seconds) >= u.seconds * 0.9995;
  });
  const double value = seconds / fits->seconds;
  const double size = std::abs(value);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", value, decimals, fits->name);
}

std::string percent_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", share * 100) : "-";
}

std::string count_text(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

statistics statistics_of(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto quantile = [&](double q) {
    const double place = q * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    return std::lerp(samples[below], samples[above], place - static_cast<double>(below));
  };
  statistics s{.minimum = samples.front(), .median = quantile(0.5), .maximum = samples.back()};
  if (s.median > 0) s.spread = (quantile(0.75) - quantile(0.25)) / s.median;
  return s;
}

}  // namespace filch::cli
