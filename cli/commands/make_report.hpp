// Makes a page from a trace, for every command that does so.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/summary.hpp"
#include "report/trace_data.hpp"

namespace filch::cli {

/// A trace that was read, and its figures.
struct made_report {
  report::trace_data trace;
  report::summary figures;
};

/// Reads the trace at `json` and writes the page to `html`, as write_file() does.
/// Throws  `failure` with the reason if either fails.
made_report make_report(const std::filesystem::path& json, const std::filesystem::path& html);

/// The figures in a few lines.
std::string text_of(const made_report& made);

/// The same for programs, with the paths of the files.
nlohmann::json json_of(const made_report& made, const std::filesystem::path& json,
                       const std::filesystem::path& html);

}  // namespace filch::cli
