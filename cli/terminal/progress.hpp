// A line that says what is going on, for those who sit in front of a terminal. Nobody else sees it.
#pragma once

#include <string>
#include <string_view>

namespace filch::cli {

class progress {
 public:
  /// Writes to stderr if that is a terminal and `wanted`, else nothing.
  explicit progress(bool wanted);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  /// Clears the line.
  ~progress() { clear(); }

  /// Shows how much is done, from 0 to 1, and what is going on.
  void show(double share, std::string_view what);
  void clear();

 private:
  bool on_;
  bool shown_ = false;
};

/// The bar alone: "[#####.....]", of `width` places.
std::string progress_bar(double share, std::size_t width);

}  // namespace filch::cli
