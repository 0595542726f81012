// What a command of the program is, and the list of commands. Each has its own file.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace filch::cli {

/// A command: its part of the command line, and its function. `run` returns the exit code, and may
/// throw `bad_argument` and `failure`.
struct command {
  CLI::App* app;
  std::function<int()> run;
};

/// Adds a command to the program. `examples` are lines for its --help. `rest` is the part of its
/// usage line after the options that CLI11 knows.
CLI::App& add_command(CLI::App& program, const std::string& name, const std::string& about,
                      const std::string& examples, const std::string& rest = "");

command add_demo(CLI::App& program);
/// `rest` are the words after -- on the command line. They are filled in before the command runs.
command add_trace(CLI::App& program, const std::vector<std::string>& rest);
command add_report(CLI::App& program);
command add_top(CLI::App& program, const std::vector<std::string>& rest);
command add_stress(CLI::App& program);
command add_bench(CLI::App& program);
command add_doctor(CLI::App& program);
command add_completion(CLI::App& program);

}  // namespace filch::cli
