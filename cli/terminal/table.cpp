#include "terminal/table.hpp"

#include <algorithm>
#include <utility>

#include "terminal/style.hpp"

namespace filch::cli {

void table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string table::text() const {
  std::vector<std::string> titles;
  for (const column& c : columns_) titles.push_back(c.title);
  std::vector<std::size_t> widths(columns_.size());
  const auto fit = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  };
  fit(titles);
  for (const auto& row : rows_) fit(row);

  std::string all;
  const auto put = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - width_of(row[i]), ' ');
      line += i == 0 ? "" : "  ";
      line += columns_[i].side == align::left ? row[i] + gap : gap + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
  };
  put(titles);
  for (const auto& row : rows_) put(row);
  return all;
}

}  // namespace filch::cli
