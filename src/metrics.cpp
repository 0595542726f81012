#include "filch/metrics.hpp"

#include <array>
#include <cstdio>
#include <ostream>
#include <string>

namespace filch {

namespace {

void print_line(std::ostream& out, const std::string& name, const worker_metrics& m, double part) {
  const auto wide = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::array<char, 256> line;
  std::snprintf(line.data(), line.size(),
                "%-10s %12llu %12llu %10llu %10llu %10llu %7.1f%% %10llu %8llu %8llu %12.3f ",
                name.c_str(), wide(m.jobs), wide(m.spawned), wide(m.steals_taken),
                wide(m.steals_lost), wide(m.steals_empty), 100 * m.steal_success(),
                wide(m.injector_takes), wide(m.sleeps), wide(m.wakes),
                static_cast<double>(m.busy_ns) / 1e6);
  out << line.data();
  if (part < 0)
    out << "       -\n";
  else {
    std::snprintf(line.data(), line.size(), "%7.1f%%\n", 100 * part);
    out << line.data();
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const metrics& m) {
  out << "worker             jobs      spawned     stolen       lost      empty success   injected "
         "  sleeps    wakes      busy ms     busy\n";
  for (std::size_t i = 0; i < m.workers.size(); ++i)
    print_line(out, std::to_string(i), m.workers[i], m.utilisation(i));
  if (m.guests != worker_metrics{}) print_line(out, "guests", m.guests, -1);
  if (m.spares != worker_metrics{}) print_line(out, "spares", m.spares, -1);
  print_line(out, "total", m.total(), m.utilisation());
  return out;
}

}  // namespace filch
