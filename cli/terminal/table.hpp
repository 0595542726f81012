// A table in plain text. Columns are as wide as they need to be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace filch::cli {

enum class align : unsigned char { left, right };

class table {
 public:
  struct column {
    std::string title;
    align side = align::right;
  };

  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

  /// Cells may have colours. Missing cells at the end of a row are empty.
  void add(std::vector<std::string> cells);

  /// Lines with line ends, without trailing white space.
  std::string text() const;

 private:
  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace filch::cli
