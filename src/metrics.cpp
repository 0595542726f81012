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
        &worker_metrics::busy_ns, &worker_metrics::sleep_ns, &worker_metrics::cpu_ns})
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

const char* name_of(worker_state state) noexcept {
  switch (state) {
    case worker_state::absent:
      return "absent";
    case worker_state::running:
      return "running";
    case worker_state::idle:
      return "idle";
    case worker_state::sleeping:
      return "sleeping";
    case worker_state::blocked:
      return "blocked";
    case worker_state::waiting:
      return "waiting";
    case worker_state::helping:
      return "helping";
    case worker_state::awaiting_seat:
      return "no seat";
  }
  return "unknown";
}

void print_metrics_heading(std::ostream& out) {
  out << "worker             jobs      spawned     stolen       lost      empty success   injected "
         "  sleeps    wakes       cpu ms      busy ms     busy  state\n";
}

void print_metrics_line(std::ostream& out, const std::string& name, const worker_metrics& m,
                        double utilisation, const char* state) {
  const auto wide = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::array<char, 256> line;
  std::snprintf(
      line.data(), line.size(),
      "%-10s %12llu %12llu %10llu %10llu %10llu %7.1f%% %10llu %8llu %8llu %12.3f %12.3f ",
      name.c_str(), wide(m.jobs), wide(m.spawned), wide(m.steals_taken), wide(m.steals_lost),
      wide(m.steals_empty), 100 * m.steal_success(), wide(m.injector_takes), wide(m.sleeps),
      wide(m.wakes), static_cast<double>(m.cpu_ns) / 1e6, static_cast<double>(m.busy_ns) / 1e6);
  out << line.data();
  if (utilisation < 0)
    out << "       -";
  else {
    std::snprintf(line.data(), line.size(), "%7.1f%%", 100 * utilisation);
    out << line.data();
  }
  if (*state != '\0') out << "  " << state;
  out << '\n';
}

}  // namespace detail

}  // namespace filch
