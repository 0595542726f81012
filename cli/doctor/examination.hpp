// What filch finds on a machine, and what that means for it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace filch::cli {

/// One thing that was looked at.
struct finding {
  std::string key;   ///< for programs: "cpus.allowed"
  std::string what;  ///< for people: "CPUs to use"
  std::string text;
};

struct examination {
  std::vector<finding> findings;
  std::vector<std::string> warnings;
};

/// Looks at this machine; files of the system are read below `root`, so that tests bring their own.
examination examine(const std::filesystem::path& root);

/// What reading a clock costs.
struct clock_cost {
  std::chrono::nanoseconds reading;     ///< one reading
  std::chrono::nanoseconds resolution;  ///< the shortest time between two that differ
};

/// Of several measurements the one that was disturbed least: a thread that loses its CPU meanwhile
/// says nothing of the clock.
clock_cost cost_of(const std::function<std::chrono::nanoseconds()>& clock);

nlohmann::json json_of(const examination& found);

}  // namespace filch::cli
