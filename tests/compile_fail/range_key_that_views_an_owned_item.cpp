// error: must not be a view
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

// The string moves on while its key is kept, and the view would be one of where it was.
[[maybe_unused]] static void misuse() {
  std::vector<std::string> words;
#ifdef FILCH_MISUSE
  const auto key = [](const std::string& s) -> std::string_view { return s; };
#else
  const auto key = [](const std::string& s) { return s; };
#endif
  (void)filch::par(std::move(words)).max_by_key(key);
}
