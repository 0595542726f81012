// The whole terminal, for a view that is drawn again and again. Whatever happens, the terminal is
// afterwards what it was before.
#pragma once

#include <termios.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace filch::cli {

struct terminal_size {
  std::size_t rows = 24;
  std::size_t columns = 80;
};

/// The size of the terminal behind `descriptor`; 24 rows of 80 if it does not tell.
terminal_size size_of_terminal(int descriptor) noexcept;

/// Takes the terminal: another screen, no cursor, keys at once and unseen. stdin and stdout must be
/// terminals. Gives it back when it is destroyed. A signal that ends the program is no way around
/// that as long as an interrupt_guard turns it into a question.
class screen {
 public:
  screen();
  screen(const screen&) = delete;
  screen& operator=(const screen&) = delete;
  ~screen();

  /// Shows these lines, cut to the width of the terminal; those beyond its height are left out.
  void draw(const std::vector<std::string>& lines);

  /// Waits for a key for at most `time`. Nothing if there was none, a signal came, or the size of
  /// the terminal has changed: draw again, then.
  std::optional<char> key(std::chrono::milliseconds time);

 private:
  termios before_;
};

}  // namespace filch::cli
