// What else the machine did during a measurement.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace filch::cli {

/// The time of all CPUs, the part of it in which they were busy, and the part that was ours, in
/// seconds.
struct cpu_times {
  double busy = 0;
  double all = 0;
  double own = 0;
};

/// Parses the first line of /proc/stat, "cpu ...": its busy time and its total. Nothing if it is
/// another line.
std::optional<cpu_times> cpu_times_in(const std::string& line, double ticks_per_second);

/// The times since the start of the machine. Nothing if the system does not tell.
std::optional<cpu_times> cpu_times_now();

/// The share of all CPUs that other programs used between two moments, from 0 to 1. Time stolen
/// from a virtual machine counts.
double share_of_others(const cpu_times& earlier, const cpu_times& later);

/// Waits until other programs use less than a twentieth of the CPUs: after a build, something often
/// still runs. Waits for `most` at most, and while `go_on` returns true.
void wait_for_quiet(std::chrono::milliseconds most, const std::function<bool()>& go_on);

}  // namespace filch::cli
