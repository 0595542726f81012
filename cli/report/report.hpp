// One HTML file that shows a trace, without other files or network access.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "report/summary.hpp"
#include "report/trace_data.hpp"

namespace filch::report {

/// Writes the page.
///
/// How      Fills the template (template/, embedded by cmake/embed.cmake) with the data, in two
///          script elements that are not code. Figures and names are JSON without any `<`, so that
///          no name ends the element. Events are base64. The page inserts names as text, never as
///          HTML, and a content security policy forbids it to load anything. Of more than two
///          million intervals, the shortest are left out of the picture, and the page says so; the
///          figures count all of them.
/// Returns  Nothing; check the state of the stream.
void write_report(std::ostream& out, const trace_data& trace, const summary& figures);

/// The figures and the lists of threads and pools as an object: what the page shows, without
/// events.
nlohmann::json figures_json(const trace_data& trace, const summary& figures);

}  // namespace filch::report
