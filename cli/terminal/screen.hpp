// The whole terminal, for a view that is drawn again and again. Whatever happens, the terminal is
// afterwards what it was before.
#pragma once

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
/// that as long as an interrupt_guard turns it into a question; one that stops it (Ctrl-Z) gives
/// the terminal back until it goes on. One at a time.
class screen {
 public:
  screen();
  screen(const screen&) = delete;
  screen& operator=(const screen&) = delete;
  ~screen();

  /// Shows these lines, cut to the width of the terminal; those beyond its height are left out.
  void draw(const std::vector<std::string>& lines);

  /// Has its size changed, or was it away (Ctrl-Z), since the last time? Draw again, then.
  bool was_disturbed() noexcept;

  /// Waits for a key for at most `time`. Nothing if there was none, or a signal came.
  std::optional<char> key(std::chrono::milliseconds time);
};

}  // namespace filch::cli
