#include "terminal/screen.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "base/errors.hpp"
#include "terminal/style.hpp"

namespace filch::cli {
namespace {

constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view leave = "\x1b[?25h\x1b[?1049l";

/// Bypasses stdio: drawn text must not wait in a buffer, nor be written twice.
void put(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// The data of the handlers.
volatile std::sig_atomic_t disturbed = 0;
termios own_settings = {}, other_settings = {};

extern "C" void resized(int /*signal*/) { disturbed = 1; }

void handle(int number, void (*handler)(int)) noexcept {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  (void)sigaction(number, &action, nullptr);
}

/// Gives the terminal back to the shell, and stops the program. After the program is continued, it
/// goes on here.
extern "C" void stopped(int number) {
  const int error = errno;
  (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &other_settings);
  put(leave);
  handle(number, SIG_DFL);
  sigset_t only, before;
  sigemptyset(&only);
  sigaddset(&only, number);
  (void)raise(number);
  (void)sigprocmask(SIG_UNBLOCK, &only, &before);  // raised and pending until here
  (void)sigprocmask(SIG_SETMASK, &before, nullptr);
  handle(number, stopped);
  (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &own_settings);
  put(enter);
  disturbed = 1;
  errno = error;
}

}  // namespace

terminal_size size_of_terminal(int descriptor) noexcept {
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_row, size.ws_col};
}

screen::screen() {
  if (tcgetattr(STDIN_FILENO, &other_settings) != 0)
    throw failure(std::string("cannot ask the terminal for its settings: ") + std::strerror(errno));
  termios raw = other_settings;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0)
    throw failure(std::string("cannot change the terminal's settings: ") + std::strerror(errno));
  own_settings = raw;
  put(enter);
  handle(SIGWINCH, resized);
  handle(SIGTSTP, stopped);
}

screen::~screen() {
  handle(SIGTSTP, SIG_DFL);
  // First, so that a program that sees the old screen again can rely on the old settings.
  (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &other_settings);
  put(leave);
  handle(SIGWINCH, SIG_DFL);
}

void screen::draw(const std::vector<std::string>& lines) {
  const terminal_size size = size_of_terminal(STDOUT_FILENO);
  std::string all = "\x1b[H";
  const std::size_t shown = std::min(lines.size(), size.rows);
  for (std::size_t i = 0; i < shown; ++i)
    all += cut_to(lines[i], size.columns) + "\x1b[K" + (i + 1 < shown ? "\r\n" : "");
  put(all + "\x1b[J");
}

bool screen::was_disturbed() noexcept {
  const bool was = disturbed != 0;
  disturbed = 0;
  return was;
}

std::optional<char> screen::key(std::chrono::milliseconds time) {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (poll(&input, 1, static_cast<int>(time.count())) <= 0) return std::nullopt;
  char c = 0;
  const ssize_t length = read(STDIN_FILENO, &c, 1);
  if (length == 1) return c;
  if (length == 0 || (input.revents & (POLLHUP | POLLERR)) != 0) return 'q';  // it has gone away
  return std::nullopt;
}

}  // namespace filch::cli
