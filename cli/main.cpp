// The command filch: parses the command line, runs one command, and turns errors into exit codes.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/output.hpp"
#include "commands/command.hpp"
#include "filch/version.hpp"

namespace {

using namespace filch::cli;

/// Prints CLI11's messages in our style: one line that names the value, and where to read on.
int refuse(const CLI::App& program, const CLI::ParseError& error) {
  std::string where = "filch";
  for (const CLI::App* app : program.get_subcommands()) where += " " + app->get_name();
  std::string said = error.what();
  if (const auto end = said.find(" was given a disallowed flag override"); end != said.npos)
    said = fmt::format("--{} takes no value", said.substr(0, end));
  complain(fmt::format("{}\nSee {} --help", said, where));
  return bad_usage;
}

int run(int argc, char** argv) {
  CLI::App program("Shows what the workers of a program do, and what filch costs on this machine");
  program.name("filch");
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.set_version_flag("--version", std::string("filch ") + filch::library_version(),
                           "Print the version and exit");
  program.footer(
      "filch COMMAND --help lists the options of a command, with examples. The manual is "
      "filch(1).\n"
      "Exit codes: 0 done, 1 failed or wrong, 2 bad arguments, 130 interrupted.");
  program.require_subcommand(0, 1);  // none is refused below, so that an unknown one is named
  // The words after -- are another program's command line.
  char** const dashes = std::find(argv, argv + argc, std::string_view("--"));
  const std::vector<std::string> rest(std::min(dashes + 1, argv + argc), argv + argc);
  const std::vector<command> commands = {
      add_demo(program),   add_trace(program, rest), add_report(program), add_top(program, rest),
      add_stress(program), add_bench(program),       add_doctor(program), add_completion(program)};
  try {
    program.parse(static_cast<int>(dashes - argv), argv);
  } catch (const CLI::CallForHelp&) {
    write(program.help());  // of the command, if there is one
    return done;
  } catch (const CLI::CallForVersion& version) {
    print("{}\n", version.what());
    return done;
  } catch (const CLI::ParseError& error) {
    return refuse(program, error);
  }
  for (const command& c : commands) {
    if (!c.app->parsed()) continue;
    const std::string& name = c.app->get_name();
    if (dashes != argv + argc && name != "trace" && name != "top")
      throw bad_argument(name + " takes nothing after --, but got '" +
                         (rest.empty() ? "" : rest.front()) + "'");
    return c.run();
  }
  throw bad_argument("no command was given; filch --help lists the commands");
}

/// The parent process may have closed these descriptors. The next file to be opened, perhaps a
/// report, would then become stdout. So /dev/null is opened instead, in the wrong direction: then
/// reading from stdin and writing to stdout still fail.
void occupy_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0)
      (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // takes the lowest
}

}  // namespace

int main(int argc, char** argv) {
  int code = failed;
  occupy_standard_files();
  // Then exceeding a file size limit is an error of that file, with a message.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  try {
    code = run(argc, argv);
  } catch (const bad_argument& error) {
    complain(error.what());
    code = bad_usage;
  } catch (const std::bad_alloc&) {
    complain("there is not enough memory to finish the command");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  if (!finish_output() && code == done) code = failed;
  return code;
}
