#include "terminal/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include "terminal/screen.hpp"
#include "terminal/style.hpp"

namespace filch::cli {

progress::progress(bool wanted) : on_(wanted && is_terminal(STDERR_FILENO)) {}

void progress::show(double share, std::string_view what) {
  if (!on_) return;
  const std::string line =
      fmt::format("{} {:3.0f} %  {}", progress_bar(share, 24), share * 100, what);
  // One column stays free, because a full line would wrap on some terminals.
  const std::size_t columns = size_of_terminal(STDERR_FILENO).columns - 1;
  (void)std::fputs(("\r\x1b[K" + cut_to(line, columns)).c_str(), stderr);
  (void)std::fflush(stderr);
  shown_ = true;
}

void progress::clear() {
  if (!shown_) return;
  (void)std::fputs("\r\x1b[K", stderr);
  (void)std::fflush(stderr);
  shown_ = false;
}

std::string progress_bar(double share, std::size_t width) {
  const double whole = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(std::lround(whole * static_cast<double>(width)));
  return "[" + std::string(full, '#') + std::string(width - full, '.') + "]";
}

}  // namespace filch::cli
