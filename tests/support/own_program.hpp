// Starts this program again, for tests that need a new process.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace filch::test {

struct ended {
  int code;          ///< -1 if a signal has ended it
  std::string said;  ///< on stderr
};

/// The path of the executable of this process.
inline std::string own_path() {
  std::string self(4096, '\0');
  self.resize(static_cast<std::size_t>(
      std::max<ssize_t>(0, ::readlink("/proc/self/exe", self.data(), self.size()))));
  return self;
}

/// Runs test `<suite>.DISABLED_<name>` of this program, or of its copy at `path`. `before` precedes
/// the command in a shell: environment variables, or a command that starts another.
inline ended run_own(const std::string& before, const std::string& suite, const std::string& name,
                     const std::string& path = own_path()) {
  const std::string command = before + " '" + path +
                              "' --gtest_also_run_disabled_tests --gtest_filter=" + suite +
                              ".DISABLED_" + name + " 2>&1 >/dev/null";
  FILE* const pipe = ::popen(command.c_str(), "r");
  ended e{-1, ""};
  std::array<char, 256> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe))
    e.said.append(part.data(), n);
  const int status = ::pclose(pipe);
  e.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return e;
}

}  // namespace filch::test
