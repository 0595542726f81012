// A status line, shown only on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace filch::cli {

class progress {
 public:
  /// Writes to stderr if that is a terminal and `wanted` is true, otherwise nothing.
  explicit progress(bool wanted);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  /// Clears the line.
  ~progress() { clear(); }

  /// Shows how much is done, from 0 to 1, and the current activity.
  void show(double share, std::string_view what);
  void clear();

 private:
  bool on_;
  bool shown_ = false;
};

/// The bar alone: "[#####.....]", `width` characters wide.
std::string progress_bar(double share, std::size_t width);

}  // namespace filch::cli
