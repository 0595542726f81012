// The whole terminal, for a view that is drawn repeatedly. In any case the terminal is restored
// afterwards.
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

/// The size of the terminal behind `descriptor`, or 24 rows of 80 if it is not known.
terminal_size size_of_terminal(int descriptor) noexcept;

/// Takes over the terminal: another screen, no cursor, keys delivered at once and not echoed. stdin
/// and stdout must be terminals. The destructor restores the terminal. A signal that would end the
/// program does not bypass that, as long as an interrupt_guard turns it into a flag. A signal that
/// stops the program (Ctrl-Z) restores the terminal until the program goes on. There may be one
/// object at a time.
class screen {
 public:
  screen();
  screen(const screen&) = delete;
  screen& operator=(const screen&) = delete;
  ~screen();

  /// Shows these lines, cut to the width of the terminal. Lines beyond its height are left out.
  void draw(const std::vector<std::string>& lines);

  /// Has the size changed, or was the program stopped (Ctrl-Z), since the last call? Then draw
  /// again.
  bool was_disturbed() noexcept;

  /// Waits for a key for at most `time`. Nothing if there was none, or a signal came.
  std::optional<char> key(std::chrono::milliseconds time);
};

}  // namespace filch::cli
