#include "demo/other_load.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <thread>

namespace filch::cli {

std::optional<cpu_times> cpu_times_in(const std::string& line, double ticks_per_second) {
  std::istringstream in(line);
  std::string name;
  // user, nice, system, idle, iowait, irq, softirq, steal. The later fields are included in the
  // first two.
  std::array<double, 8> ticks{};
  if (!(in >> name) || name != "cpu" || !(ticks_per_second > 0)) return std::nullopt;
  for (double& t : ticks)
    if (!(in >> t)) return std::nullopt;
  cpu_times times;
  for (const double t : ticks) times.all += t / ticks_per_second;
  times.busy = times.all - (ticks[3] + ticks[4]) / ticks_per_second;
  return times;
}

std::optional<cpu_times> cpu_times_now() {
  std::ifstream file("/proc/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  std::optional<cpu_times> times = cpu_times_in(line, static_cast<double>(sysconf(_SC_CLK_TCK)));
  rusage own = {};
  if (!times || getrusage(RUSAGE_SELF, &own) != 0) return std::nullopt;
  for (const timeval& t : {own.ru_utime, own.ru_stime})
    times->own += static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  return times;
}

double share_of_others(const cpu_times& earlier, const cpu_times& later) {
  const double all = later.all - earlier.all;
  const double others = (later.busy - earlier.busy) - (later.own - earlier.own);
  return all > 0 ? std::clamp(others / all, 0.0, 1.0) : 0;
}

void wait_for_quiet(std::chrono::milliseconds most, const std::function<bool()>& go_on) {
  constexpr std::chrono::milliseconds look(250);
  const auto end = std::chrono::steady_clock::now() + most;
  while (go_on() && std::chrono::steady_clock::now() < end) {
    const std::optional<cpu_times> before = cpu_times_now();
    std::this_thread::sleep_for(look);
    const std::optional<cpu_times> after = cpu_times_now();
    if (!before || !after || share_of_others(*before, *after) < 0.05) return;
  }
}

}  // namespace filch::cli
