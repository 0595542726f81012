// What filch finds on a machine, and what that means for it.
#pragma once

#include <filesystem>
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

nlohmann::json json_of(const examination& found);

}  // namespace filch::cli
