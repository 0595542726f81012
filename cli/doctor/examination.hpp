// What filch finds on a machine, and what that means for it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace filch::cli {

/// One fact that was examined.
struct finding {
  std::string key;   ///< for programs: "cpus.allowed"
  std::string what;  ///< for people: "CPUs to use"
  std::string text;
};

struct examination {
  std::vector<finding> findings;
  std::vector<std::string> warnings;
};

/// Examines this machine. It reads the system's files below `root`, so that tests can bring their
/// own.
examination examine(const std::filesystem::path& root);

/// What reading a clock costs.
struct clock_cost {
  std::chrono::nanoseconds reading;     ///< one reading
  std::chrono::nanoseconds resolution;  ///< the shortest step between two readings
};

/// Takes the least disturbed of several measurements: if the thread loses its CPU meanwhile, the
/// result says nothing about the clock.
clock_cost cost_of(const std::function<std::chrono::nanoseconds()>& clock);

nlohmann::json json_of(const examination& found);

}  // namespace filch::cli
