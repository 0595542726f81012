// Runs every row on one worker, and checks that chain and loop give the same. bench/chains.py
// counts their instructions meanwhile.
#include <cstdint>

#include "filch/pool.hpp"
#include "rows.hpp"

namespace chains {

numbers make_numbers(std::size_t n) {
  numbers made;
  std::uint32_t random = 1;
  const auto below = [&](std::uint32_t end) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % end;
  };
  for (std::size_t i = 0; i != n; ++i) {
    made.ints.push_back(static_cast<int>(below(1000)));
    made.others.push_back(static_cast<int>(below(1000)));
    made.longs.push_back(below(1000));
    made.doubles.push_back(below(1000));
    made.factors.push_back(below(1000));
    made.bytes.push_back(static_cast<unsigned char>(below(256)));
  }
  for (std::size_t i = 0; i < n; i += 12) {
    made.lengths.push_back(static_cast<int>(below(24)));
    made.lists.emplace_back(static_cast<std::size_t>(made.lengths.back()), 7 * made.lengths.back());
    made.links.emplace_back(made.lists.back().begin(), made.lists.back().end());
  }
  return made;
}

}  // namespace chains

int main() {
  filch::pool one({.threads = 1});
  const chains::numbers in = chains::make_numbers(60'000);
  one.install([&] {
    chains::run_elements(in);
    chains::run_positions(in);
    chains::run_ranges(in);
    chains::run_containers(in);
  });
}
