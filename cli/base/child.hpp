// Another program, started and waited for.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace filch::cli {

/// A program that was started, with some more variables in its environment.
class child {
 public:
  struct start_options {
    std::vector<std::pair<std::string, std::string>> environment = {};
    /// Where stdout and stderr go, if they are not to go where ours go; stdin is empty then.
    int output = -1;
  };

  /// Starts `words`, of which the first is looked for on the PATH.
  /// Throws  `bad_argument` if there is no such program, or it cannot be run.
  child(const std::vector<std::string>& words, const start_options& how);
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  /// Ends it, if it has not ended.
  ~child();

  pid_t pid() const noexcept { return pid_; }

  /// Its exit code if it has ended: 128 + n if signal n has killed it, as shells have it.
  std::optional<int> poll();

  /// Waits for its end. Signals that reach us meanwhile do not stop that.
  int wait();

  void signal(int number) noexcept;

  /// Asks it to end, waits for as long as that, and insists: it is killed. False if it had to be.
  bool end(std::chrono::milliseconds patience) noexcept;

 private:
  pid_t pid_ = -1;
  std::optional<int> code_;
};

/// While it lives, signals are for the child: Ctrl-C, which it gets itself, as it sits in front of
/// the same terminal, and SIGTERM and SIGHUP, which are passed on. One at a time.
class leave_interrupts_to_child {
 public:
  leave_interrupts_to_child();
  leave_interrupts_to_child(const leave_interrupts_to_child&) = delete;
  leave_interrupts_to_child& operator=(const leave_interrupts_to_child&) = delete;
  ~leave_interrupts_to_child();

  /// child::wait(), with whatever was sent since this was made.
  int wait_for(child& program);

 private:
  static constexpr std::array<int, 4> taken = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, taken.size()> before_ = {};
};

/// A folder for files of this process alone, gone with everything in it when this is destroyed.
class temporary_folder {
 public:
  /// Throws  `failure` that names the place, if it cannot be made.
  explicit temporary_folder(const std::filesystem::path& place);
  /// Where temporary files go.
  temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder();
  const std::filesystem::path& path() const noexcept { return path_; }
  /// It stays, with what is in it.
  void keep() noexcept { kept_ = true; }

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

}  // namespace filch::cli
