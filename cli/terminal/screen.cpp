#include "terminal/screen.hpp"

#include <poll.h>
#include <sys/ioctl.h>
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

/// Past stdio: what is drawn must not wait in a buffer, nor come twice.
void put(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

extern "C" void resized(int /*signal*/) {}  // its point is that poll() returns

}  // namespace

terminal_size size_of_terminal(int descriptor) noexcept {
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_row, size.ws_col};
}

screen::screen() {
  if (tcgetattr(STDIN_FILENO, &before_) != 0)
    throw failure(std::string("cannot ask the terminal for its settings: ") + std::strerror(errno));
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0)
    throw failure(std::string("cannot change the terminal's settings: ") + std::strerror(errno));
  struct sigaction action = {};
  action.sa_handler = resized;
  sigemptyset(&action.sa_mask);
  sigaction(SIGWINCH, &action, nullptr);
  put(enter);
}

screen::~screen() {
  // First, so that whoever sees the old screen again can rely on the old settings.
  (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  put(leave);
  (void)std::signal(SIGWINCH, SIG_DFL);
}

void screen::draw(const std::vector<std::string>& lines) {
  const terminal_size size = size_of_terminal(STDOUT_FILENO);
  std::string all = "\x1b[H";
  const std::size_t shown = std::min(lines.size(), size.rows);
  for (std::size_t i = 0; i < shown; ++i)
    all += cut_to(lines[i], size.columns) + "\x1b[K" + (i + 1 < shown ? "\r\n" : "");
  put(all + "\x1b[J");
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
