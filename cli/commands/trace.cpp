// filch trace: traces any program that uses filch, without changing it.
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
#include "base/printable.hpp"
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

/// Removes the ending .json or .html.
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

/// Makes the folder into which the program first writes its traces. It lies beside `json`, on the
/// same file system: what fits into it needs only be renamed afterwards. It lies elsewhere if the
/// folder of `json` accepts no new files, but `json` exists already.
std::unique_ptr<temporary_folder> make_folder_for(const fs::path& json) {
  std::error_code error;
  fs::path place = fs::weakly_canonical(fs::absolute(json), error);  // follows links
  if (error) place = fs::absolute(json);
  try {
    return std::make_unique<temporary_folder>(place.parent_path());
  } catch (const failure& why) {
    if (!fs::exists(json, error))
      throw bad_argument(fmt::format("cannot write '{}': {}", json.string(), why.what()));
  }
  return std::make_unique<temporary_folder>();
}

/// The value of FILCH_TRACE with which each process writes its own file in `folder`.
std::string pattern_for(const fs::path& folder) {
  std::string pattern;
  for (const char c : folder.string()) pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern + "/%p.json";
}

/// The paths of a trace and of its page, as the user wants them.
struct placed_trace {
  fs::path json, html;
  fs::path readable;  // json, unless that is not a regular file
};

/// Moves the traces to the paths that the user wants. A trace that cannot be moved stays where it
/// is, and the temporary folder is kept.
std::vector<placed_trace> place_all(const std::vector<fs::path>& traces, const fs::path& base,
                                    temporary_folder& folder) {
  std::vector<placed_trace> placed;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const fs::path own = i == 0 ? base : with_ending(base, "." + traces[i].stem().string());
    placed_trace one{with_ending(own, ".json"), with_ending(own, ".html"), {}};
    try {
      one.readable = move_file(traces[i], one.json);
      placed.push_back(std::move(one));
    } catch (const failure& error) {
      folder.keep();
      complain(
          fmt::format("trace: {}; the trace is kept as '{}'", error.what(), traces[i].string()));
    }
  }
  return placed;
}

/// The exit code and the traces of the program.
struct traced_run {
  int code = 0;
  std::size_t traces = 0;
  std::vector<placed_trace> placed;
};

traced_run run_traced(const trace_settings& o, const std::vector<std::string>& words,
                      const fs::path& base, temporary_folder& folder) {
  // The program may start other programs that use filch. Each writes a file of its own.
  child::start_options how{
      .environment = {{"FILCH_TRACE", pattern_for(folder.path())}, {"FILCH_TRACE_ON_SIGNAL", "1"}}};
  if (o.events != 0) how.environment.emplace_back("FILCH_TRACE_EVENTS", std::to_string(o.events));
  leave_interrupts_to_child guard;
  child program(words, how);
  traced_run run;
  run.code = guard.wait_for(program);
  const std::vector<fs::path> traces = traces_in(folder.path(), program.pid());
  run.traces = traces.size();
  run.placed = place_all(traces, base, folder);
  return run;
}

int run_trace(const trace_settings& o, const std::vector<std::string>& words) {
  if (words.empty())
    throw bad_argument(
        "trace: no program was given; write it after --, as in: filch trace -- ./program");
  const fs::path base = base_of(o.output);
  require_place_beside(o.output, with_ending(base, ".json"));
  require_writable(with_ending(base, ".json"));
  require_writable(with_ending(base, ".html"));
  std::unique_ptr<temporary_folder> folder = make_folder_for(with_ending(base, ".json"));
  const traced_run run = run_traced(o, words, base, *folder);
  if (run.traces == 0) {
    complain(fmt::format(
        "trace: '{}' has ended with exit code {} and left no trace: it made no pool of filch, is "
        "linked with a version of filch that cannot trace, or did not end by exit(), SIGINT, "
        "SIGTERM or SIGHUP, which is when filch writes a trace",
        words[0], run.code));
  }
  // Before the pages are made, because a signal may end that.
  if (std::all_of(run.placed.begin(), run.placed.end(),
                  [](const placed_trace& t) { return t.readable == t.json; }))
    folder.reset();
  nlohmann::json list = nlohmann::json::array();
  bool all_shown = run.traces != 0 && run.placed.size() == run.traces;
  for (const placed_trace& trace : run.placed) {
    try {
      const made_report made = make_report(trace.readable, trace.html);
      if (o.json)
        list.push_back(json_of(made, trace.json, trace.html));
      else
        print("{}Trace:  {}\nReport: {}\n", text_of(made),
              printable(fs::absolute(trace.json).string()),
              printable(fs::absolute(trace.html).string()));
    } catch (const failure& error) {  // one trace failed; the program's exit code stays
      complain(fmt::format("trace: {}", error.what()));
      all_shown = false;
    }
  }
  if (o.json) print_json({{"exit_code", run.code}, {"traces", list}});
  return run.code != 0 || all_shown ? run.code : failed;
}

}  // namespace

command add_trace(CLI::App& program, const std::vector<std::string>& rest) {
  CLI::App& app = add_command(
      program, "trace", "Run a program that uses filch, and show what each worker did, and when",
      "  filch trace -- ./program --its-own-options\n"
      "  filch trace -o slow -- make test         slow.json and slow.html\n"
      "The exit code is that of the program, or 1 if that is 0 but a trace is missing or "
      "damaged.\n",
      "-- PROGRAM...");
  auto o = std::make_shared<trace_settings>();
  add_output(app, o->output,
             "Name of the trace (.json) and of the page (.html) (default: filch-trace)", "NAME");
  add_count(app, "--events", o->events, 16, std::uint64_t{1} << 28U,
            "Number of events to keep for each thread, the newest ones (default: 262144)");
  add_json(app, o->json, "Print the figures as JSON, after the output of the program");
  return {&app, [o, &rest] { return run_trace(*o, rest); }};
}

}  // namespace filch::cli
