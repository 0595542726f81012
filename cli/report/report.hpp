// One HTML file that shows a trace: no other files, no network.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "report/summary.hpp"
#include "report/trace_data.hpp"

namespace filch::report {

/// Writes the page.
/// How: the template (template/, embedded by cmake/embed.cmake) with the data in two script
/// elements that are not code: figures and names as JSON in which no `<` is left, so that no name
/// ends the element; events as base64. The page sets names as text, never as HTML, and a content
/// security policy forbids it to load anything. Returns: nothing; look at the stream's state. Of
/// more than two million intervals the shortest are left out of the picture, and the page says so;
/// the figures are those of all.
void write_report(std::ostream& out, const trace_data& trace, const summary& figures);

/// The figures and the lists of threads and pools as an object: what the page shows, without
/// events.
nlohmann::json figures_json(const trace_data& trace, const summary& figures);

}  // namespace filch::report
