// A child of this process, made by fork(), and how it ended.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>

namespace filch::test {

/// Prints what is wrong in a child, and ends it.
[[noreturn]] inline void child_failed(const char* what) {
  std::fprintf(stderr, "in the child: %s\n", what);
  std::fflush(stderr);
  _exit(1);
}

/// For children: GoogleTest counts failures only in the parent.
inline void require(bool is_so, const char* what) {
  if (!is_so) child_failed(what);
}

/// Ends the calling process with a signal if it still runs after a minute. Otherwise a child that
/// hangs would not be noticed. Workers block that signal, and so do their children.
inline void end_if_it_hangs() {
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
  alarm(60);
}

/// Waits for a child. Returns "" if it ended with `code`, otherwise what happened instead.
inline std::string end_of(pid_t child, int code = 0) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return "there is no child";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "it hangs";
  if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) != code) return "ended with " + std::to_string(WEXITSTATUS(status));
  return "";
}

/// Calls `f` in a child, which ends when `f` returns. Returns "" if all went well there.
template <class F>
std::string in_child(F f) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return "fork failed";
  if (child > 0) return end_of(child);
  end_if_it_hangs();
  try {
    f();
  } catch (const std::exception& e) {
    child_failed(e.what());
  } catch (...) {
    child_failed("an exception that is not a std::exception");
  }
  _exit(0);
}

}  // namespace filch::test
