// Runs the demo's loads once more with filch, traced, for the report. This run is not measured,
// because a trace is not free.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "demo/load.hpp"
#include "demo/variant.hpp"

namespace filch::cli {

/// Runs every load with `by`, one after the other, and writes the trace to `file`.
/// Throws  `failure` if a trace runs already (FILCH_TRACE), or the file cannot be written.
void trace_loads(const std::vector<std::unique_ptr<load>>& loads, variant& by,
                 const std::filesystem::path& file);

/// Adds the comparison to a trace, as otherData.filch.comparison.
/// Throws  `failure` if the file cannot be read or written, or is not a trace.
void add_comparison(const std::filesystem::path& file, const nlohmann::json& comparison);

}  // namespace filch::cli
