#include "base/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include "base/errors.hpp"

namespace filch::cli {
namespace {

namespace fs = std::filesystem;

int code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

volatile std::sig_atomic_t receiver = 0;    // a process, or 0
volatile std::sig_atomic_t to_pass_on = 0;  // a signal that came before there was one

extern "C" void pass_on(int number) {
  const int before = errno;
  if (receiver != 0)
    (void)kill(receiver, number);
  else
    to_pass_on = number;
  errno = before;
}

/// Runs between fork and exec, so it does only what a signal handler may do. The exception is the
/// environment, which no other thread of this program touches.
[[noreturn]] void become(char* const* words, const child::start_options& how, int error_pipe) {
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ})
    (void)std::signal(number, SIG_DFL);
  for (const auto& [name, value] : how.environment) setenv(name.c_str(), value.c_str(), 1);
  if (how.output >= 0) {
    dup2(how.output, STDOUT_FILENO);
    dup2(how.output, STDERR_FILENO);
    if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0)
      dup2(nothing, STDIN_FILENO);
  }
  execvp(words[0], words);
  const int error = errno;
  (void)!::write(error_pipe, &error, sizeof error);
  _exit(127);
}

}  // namespace

child::child(const std::vector<std::string>& words, const start_options& how) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw failure(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  pid_ = fork();
  if (pid_ == 0) become(pointers.data(), how, ends[1]);
  const int fork_error = errno;
  close(ends[1]);
  int error = 0;
  const ssize_t length = pid_ < 0 ? 0 : read(ends[0], &error, sizeof error);
  close(ends[0]);
  if (pid_ < 0) throw failure(fmt::format("cannot start a process: {}", std::strerror(fork_error)));
  if (length == sizeof error) {
    (void)wait();
    throw bad_argument(fmt::format("cannot run '{}': {}", words[0], std::strerror(error)));
  }
}

child::~child() {
  if (pid_ >= 0) (void)end(std::chrono::seconds(1));
}

bool child::end(std::chrono::milliseconds patience) noexcept {
  if (poll()) return true;
  signal(SIGTERM);
  for (const auto limit = std::chrono::steady_clock::now() + patience;
       !poll() && std::chrono::steady_clock::now() < limit;)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (poll()) return true;
  signal(SIGKILL);
  (void)wait();
  return false;
}

std::optional<int> child::poll() {
  if (code_) return code_;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) code_ = code_of(status);
  return code_;
}

int child::wait() {
  int status = 0;
  while (!code_) {
    const pid_t ended = waitpid(pid_, &status, 0);
    if (ended == pid_)
      code_ = code_of(status);
    else if (errno != EINTR)
      code_ = failed;
  }
  return *code_;
}

void child::signal(int number) noexcept {
  if (!code_) (void)kill(pid_, number);
}

leave_interrupts_to_child::leave_interrupts_to_child() {
  to_pass_on = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    struct sigaction action = {};
    sigemptyset(&action.sa_mask);
    action.sa_handler = taken[i] == SIGINT || taken[i] == SIGQUIT ? SIG_IGN : pass_on;
    (void)sigaction(taken[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) (void)sigaction(taken[i], &action, nullptr);
  }
}

leave_interrupts_to_child::~leave_interrupts_to_child() {
  for (std::size_t i = 0; i < taken.size(); ++i) (void)sigaction(taken[i], &before_[i], nullptr);
}

int leave_interrupts_to_child::wait_for(child& program) {
  receiver = program.pid();
  if (to_pass_on != 0) program.signal(to_pass_on);
  const int code = program.wait();
  receiver = 0;
  return code;
}

temporary_folder::temporary_folder(const fs::path& place) {
  std::string name = (place / "filch-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw failure(
        fmt::format("cannot make a folder in '{}': {}", place.string(), std::strerror(errno)));
  path_ = name;
}

temporary_folder::temporary_folder()
    : temporary_folder([] {
        std::error_code error;
        const fs::path place = fs::temp_directory_path(error);
        return error ? fs::path("/tmp") : place;
      }()) {}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(path_, ignored);
}

}  // namespace filch::cli
