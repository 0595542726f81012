// filch trace: any program that uses filch, traced without a change to it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/arguments.hpp"
#include "base/child.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/output.hpp"
#include "commands/command.hpp"
#include "commands/make_report.hpp"

namespace filch::cli {
namespace {

namespace fs = std::filesystem;

struct trace_settings {
  std::string output = "filch-trace";
  std::uint64_t events = 0;
  bool json = false;
};

/// A name without the ending that it may have been given.
fs::path base_of(const std::string& output) {
  fs::path base = output;
  if (base.extension() == ".json" || base.extension() == ".html") base.replace_extension();
  return base;
}

fs::path with_ending(fs::path base, const std::string& ending) { return base += ending; }

/// The traces of all processes of the program, that of `pid` first.
std::vector<fs::path> traces_in(const fs::path& folder, pid_t pid) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json" && entry.file_size() != 0)
      found.push_back(entry.path());
  const std::string first = std::to_string(pid);
  std::sort(found.begin(), found.end(), [&](const fs::path& a, const fs::path& b) {
    return std::pair(a.stem() != first, a) < std::pair(b.stem() != first, b);
  });
  return found;
}

int run_trace(const trace_settings& o, const std::vector<std::string>& words) {
  if (words.empty())
    throw bad_argument("trace: which program? Write it after --, as in: filch trace -- ./program");
  const fs::path base = base_of(o.output);
  require_place_beside(o.output, with_ending(base, ".json"));
  require_writable(with_ending(base, ".json"));
  require_writable(with_ending(base, ".html"));

  // A program may start others that use filch, too: each gets a file.
  const temporary_folder folder;
  child::start_options how{.environment = {{"FILCH_TRACE", (folder.path() / "%p.json").string()},
                                           {"FILCH_TRACE_ON_SIGNAL", "1"}}};
  if (o.events != 0) how.environment.emplace_back("FILCH_TRACE_EVENTS", std::to_string(o.events));
  leave_interrupts_to_child guard;
  child program(words, how);
  const int code = guard.wait_for(program);
  const std::vector<fs::path> traces = traces_in(folder.path(), program.pid());
  if (traces.empty()) {
    complain(fmt::format(
        "trace: '{}' has ended with exit code {} and left no trace: it made no pool of filch, is "
        "linked with a version that cannot trace, or was ended by something that leaves no time "
        "for "
        "one: a trace is written at exit, or when SIGINT or SIGTERM ends the program",
        words[0], code));
  }
  nlohmann::json list = nlohmann::json::array();
  bool all_shown = !traces.empty();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const fs::path own = i == 0 ? base : with_ending(base, "." + traces[i].stem().string());
    const fs::path json = with_ending(own, ".json"), html = with_ending(own, ".html");
    try {
      const made_report made = make_report(move_file(traces[i], json), html);
      if (o.json)
        list.push_back(json_of(made, json, html));
      else
        print("{}Trace:  {}\nReport: {}\n", text_of(made), fs::absolute(json).string(),
              fs::absolute(html).string());
    } catch (const failure& error) {  // of one trace; the program's exit code is still its own
      complain(fmt::format("trace: {}", error.what()));
      all_shown = false;
    }
  }
  if (o.json) print_json({{"exit_code", code}, {"traces", list}});
  return code != 0 || all_shown ? code : failed;
}

}  // namespace

command add_trace(CLI::App& program, const std::vector<std::string>& rest) {
  CLI::App& app = add_command(
      program, "trace",
      "Run a program that uses filch (after --), and show what its workers did when",
      "  filch trace -- ./program --its-own-options\n"
      "  filch trace -o slow -- make test         slow.json and slow.html\n"
      "The exit code is the program's, and 1 if that is 0 but a trace is missing or damaged.\n",
      "-- PROGRAM...");
  auto o = std::make_shared<trace_settings>();
  add_output(app, o->output,
             "What the trace (.json) and the page (.html) are called (default: filch-trace)",
             "NAME");
  add_count(app, "--events", o->events, 16, std::uint64_t{1} << 28U,
            "How many events to keep for each thread, the newest (default: 262144)");
  add_json(app, o->json, "Print the figures as JSON, after what the program prints");
  return {&app, [o, &rest] { return run_trace(*o, rest); }};
}

}  // namespace filch::cli
