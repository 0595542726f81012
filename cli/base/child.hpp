// Starts another program and waits for it.
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

/// A program that was started, with additional variables in its environment.
class child {
 public:
  struct start_options {
    std::vector<std::pair<std::string, std::string>> environment = {};
    /// The file for stdout and stderr, or -1 for our own. If it is set, stdin is empty.
    int output = -1;
  };

  /// Starts `words`. The first word is looked up on the PATH.
  /// Throws  `bad_argument` if there is no such program, or it cannot be run.
  child(const std::vector<std::string>& words, const start_options& how);
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  /// Ends it, if it has not ended.
  ~child();

  pid_t pid() const noexcept { return pid_; }

  /// Its exit code if it has ended. Like shells, it returns 128 + n if signal n has killed it.
  std::optional<int> poll();

  /// Waits for its end. Signals to us do not end the wait.
  int wait();

  void signal(int number) noexcept;

  /// Asks it to end, waits for up to `patience`, and then kills it. Returns false if it had to be
  /// killed.
  bool end(std::chrono::milliseconds patience) noexcept;

 private:
  pid_t pid_ = -1;
  std::optional<int> code_;
};

/// While it lives, signals are left to the child. The child gets Ctrl-C itself, because it has the
/// same terminal. SIGTERM and SIGHUP are passed on. There may be one object at a time.
class leave_interrupts_to_child {
 public:
  leave_interrupts_to_child();
  leave_interrupts_to_child(const leave_interrupts_to_child&) = delete;
  leave_interrupts_to_child& operator=(const leave_interrupts_to_child&) = delete;
  ~leave_interrupts_to_child();

  /// child::wait(). First passes on the signals that arrived since this was made.
  int wait_for(child& program);

 private:
  static constexpr std::array<int, 4> taken = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, taken.size()> before_ = {};
};

/// A folder for files of this process. The destructor removes it with all its contents.
class temporary_folder {
 public:
  /// Throws  `failure` that names the parent folder, if the folder cannot be made.
  explicit temporary_folder(const std::filesystem::path& place);
  /// Makes it in the system's folder for temporary files.
  temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder();
  const std::filesystem::path& path() const noexcept { return path_; }
  /// Keeps the folder and its contents.
  void keep() noexcept { kept_ = true; }

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

}  // namespace filch::cli
