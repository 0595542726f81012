// How long a stress test runs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace filch::test {

/// Decides when a stress test may stop. Without settings that is when it has done its number of
/// operations, or its time is over. FILCH_STRESS_SECONDS stops it earlier. FILCH_SOAK_MINUTES
/// replaces both: the test runs that long.
class endurance {
 public:
  explicit endurance(std::uint64_t operations)
      : operations_(operations),
        soak_(60.0 * setting("FILCH_SOAK_MINUTES")),
        cap_(setting("FILCH_STRESS_SECONDS")) {}
  explicit endurance(std::chrono::seconds time) : endurance(UINT64_MAX) {
    const auto own = static_cast<double>(time.count());
    cap_ = cap_ > 0 ? std::min(cap_, own) : own;
  }

  bool over(std::uint64_t operations_done) const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    if (soak_ > 0) return passed.count() >= soak_;
    return operations_done >= operations_ || (cap_ > 0 && passed.count() >= cap_);
  }

 private:
  /// 0 if it is not set. Throws a `std::invalid_argument` that names it if it is not a number above
  /// 0.
  static double setting(const char* name) {
    const char* text = std::getenv(name);
    if (text == nullptr || *text == '\0') return 0;
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (*end != '\0' || !(value > 0))
      throw std::invalid_argument(std::string(name) + " must be a number above 0, not " + text);
    return value;
  }

  std::uint64_t operations_;
  double soak_;
  double cap_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace filch::test
