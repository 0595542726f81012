// error: give a function that returns a neutral value
#include <cstddef>
#include <string>
#include <vector>

#include "filch/ranges/par_range.hpp"

// A number to begin with, but no item is one.
[[maybe_unused]] static void misuse([[maybe_unused]] const std::vector<std::string>& v) {
  struct add {
    std::size_t operator()(std::size_t a, const std::string& s) const { return a + s.size(); }
    std::size_t operator()(std::size_t a, std::size_t b) const { return a + b; }
  };
  (void)filch::par(v).reduce([] { return std::size_t{}; }, add());
#ifdef FILCH_MISUSE
  (void)filch::par(v).reduce(std::size_t{}, add());
#endif
}
