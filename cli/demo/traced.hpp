// The demo's loads once more, by filch and traced: what the report shows. Not measured, since a
// trace is not free.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "demo/load.hpp"
#include "demo/variant.hpp"

namespace filch::cli {

/// Runs every load by `by`, one after the other, and writes the trace to `file`.
/// Throws  `failure` if there is a trace already (FILCH_TRACE), or the file cannot be written.
void trace_loads(const std::vector<std::unique_ptr<load>>& loads, variant& by,
                 const std::filesystem::path& file);

/// Adds the comparison to a trace, as otherData.filch.comparison.
/// Throws  `failure` if the file cannot be read or written, or is no trace.
void add_comparison(const std::filesystem::path& file, const nlohmann::json& comparison);

}  // namespace filch::cli
