// How a command ends: its exit code, and the errors that lead to it.
#pragma once

#include <stdexcept>

namespace filch::cli {

/// The exit codes of the program. Documented in filch.1 and in every --help.
enum exit_code : int {
  done = 0,
  failed = 1,         ///< A wrong answer, a file that cannot be read or written, nothing to show.
  bad_usage = 2,      ///< The command line was wrong.
  interrupted = 130,  ///< Ctrl-C; the measurements up to then are kept.
};

/// The command line was wrong: exit code 2. The message names the value and says what to do.
struct bad_argument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A command did not work: exit code 1.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace filch::cli
