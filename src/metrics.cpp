#include "filch/metrics.hpp"

#include <array>
#include <cstdio>
#include <ostream>
#include <string>

namespace filch::detail {

void print_metrics_heading(std::ostream& out) {
  out << "worker             jobs      spawned     stolen       lost      empty success   injected "
         "  sleeps    wakes      busy ms     busy\n";
}

void print_metrics_line(std::ostream& out, const std::string& name, const worker_metrics& m,
                        double utilisation) {
  const auto wide = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::array<char, 256> line;
  std::snprintf(line.data(), line.size(),
                "%-10s %12llu %12llu %10llu %10llu %10llu %7.1f%% %10llu %8llu %8llu %12.3f ",
                name.c_str(), wide(m.jobs), wide(m.spawned), wide(m.steals_taken),
                wide(m.steals_lost), wide(m.steals_empty), 100 * m.steal_success(),
                wide(m.injector_takes), wide(m.sleeps), wide(m.wakes),
                static_cast<double>(m.busy_ns) / 1e6);
  out << line.data();
  if (utilisation < 0)
    out << "       -\n";
  else {
    std::snprintf(line.data(), line.size(), "%7.1f%%\n", 100 * utilisation);
    out << line.data();
  }
}

}  // namespace filch::detail
