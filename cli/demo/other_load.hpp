// What else the machine did while something was measured.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace filch::cli {

/// The time that CPUs were busy, and the part of it that was ours, both in seconds.
struct cpu_times {
  double busy = 0;
  double all = 0;
  double own = 0;
};

/// The first line of /proc/stat, "cpu ...": its busy time and all of it. Nothing if it is not that.
std::optional<cpu_times> cpu_times_in(const std::string& line, double ticks_per_second);

/// From the start of the machine to now. Nothing if the system does not tell.
std::optional<cpu_times> cpu_times_now();

/// The part of all CPUs that others kept busy between two moments, from 0 to 1. What was stolen
/// from a virtual machine counts.
double share_of_others(const cpu_times& earlier, const cpu_times& later);

/// Waits until others keep less than a twentieth of the CPUs busy: after a build there is often
/// something that has not ended yet. At most for `most`, and while `go_on` says so.
void wait_for_quiet(std::chrono::milliseconds most, const std::function<bool()>& go_on);

}  // namespace filch::cli
