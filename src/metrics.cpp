#include "filch/metrics.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>

namespace filch {

namespace {

template <class F>
worker_metrics& combine(worker_metrics& all, const worker_metrics& other, F f) noexcept {
  for (auto member :
       {&worker_metrics::jobs, &worker_metrics::spawned, &worker_metrics::steals_taken,
        &worker_metrics::steal_hits, &worker_metrics::steals_lost, &worker_metrics::steals_empty,
        &worker_metrics::injector_takes, &worker_metrics::sleeps, &worker_metrics::wakes,
        &worker_metrics::busy_ns, &worker_metrics::sleep_ns})
    all.*member = f(all.*member, other.*member);
  return all;
}

}  // namespace

worker_metrics& worker_metrics::operator+=(const worker_metrics& other) noexcept {
  return combine(*this, other, [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

worker_metrics& worker_metrics::operator-=(const worker_metrics& earlier) noexcept {
  return combine(*this, earlier,
                 [](std::uint64_t a, std::uint64_t b) { return a - std::min(a, b); });
}

namespace detail {

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

}  // namespace detail

}  // namespace filch
