// filch report: makes a page from a saved trace.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/arguments.hpp"
#include "base/errors.hpp"
#include "base/output.hpp"
#include "base/printable.hpp"
#include "commands/command.hpp"
#include "commands/make_report.hpp"

namespace filch::cli {
namespace {

namespace fs = std::filesystem;

struct report_options {
  std::string trace;
  std::string output;
  bool json = false;
};

int run_report(const report_options& o) {
  const fs::path trace = o.trace;
  const fs::path html =
      o.output.empty() ? fs::path(trace).replace_extension(".html") : fs::path(o.output);
  require_readable(trace);
  if (o.output.empty()) require_place_beside(trace, html);
  require_writable(html);
  if (std::error_code ignored; fs::equivalent(trace, html, ignored))
    throw bad_argument("report: the page '" + html.string() +
                       "' would overwrite the trace; choose another name with -o");
  const made_report made = make_report(trace, html);
  if (o.json)
    print_json(json_of(made, trace, html));
  else
    print("{}Report: {}\n", text_of(made), printable(fs::absolute(html).string()));
  return done;
}

}  // namespace

command add_report(CLI::App& program) {
  CLI::App& app = add_command(program, "report", "Make an HTML page from a saved trace",
                              "  filch report trace.json\n"
                              "  filch report trace.json -o picture.html\n");
  auto o = std::make_shared<report_options>();
  app.add_option("trace", o->trace,
                 "Trace that filch trace, or a program with FILCH_TRACE, has written")
      ->required()
      ->type_name("FILE");
  add_output(app, o->output, "File for the page (default: the name of the trace, with .html)");
  add_json(app, o->json, "Print the figures as JSON");
  return {&app, [o] { return run_report(*o); }};
}

}  // namespace filch::cli
