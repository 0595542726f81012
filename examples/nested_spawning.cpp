// Tasks that spawn tasks: the size of a tree whose shape is not known beforehand.
//
// A scope takes any number of tasks, also from its own tasks, and ends after the last of them. So
// the tasks may use what lives on the stack around the scope. per_worker counts without sharing.
#include <cstdint>
#include <cstdio>
#include <functional>

#include "filch/per_worker.hpp"
#include "filch/scope.hpp"

namespace {

/// Returns how many children node `id` has: 0 to 3, and none below the twelfth generation.
unsigned children(std::uint64_t id, int generation) {
  if (generation == 12) return 0;
  return static_cast<unsigned>((id * 0x9e3779b97f4a7c15u) >> 62);
}

long count_serially(std::uint64_t id, int generation) {
  long nodes = 1;
  for (unsigned c = 0; c < children(id, generation); ++c)
    nodes += count_serially(4 * id + c + 1, generation + 1);
  return nodes;
}

void count(filch::scope& s, filch::per_worker<long>& nodes, std::uint64_t id, int generation) {
  ++nodes.local();
  for (unsigned c = 0; c < children(id, generation); ++c)
    s.spawn([&s, &nodes, id, c, generation] { count(s, nodes, 4 * id + c + 1, generation + 1); });
}

}  // namespace

int main() {
  const std::uint64_t root = 7;
  filch::per_worker<long> nodes;
  filch::scoped([&](filch::scope& s) { count(s, nodes, root, 0); });

  const long found = nodes.combine(0L, std::plus{});
  const long expected = count_serially(root, 0);
  std::printf("%ld nodes, %ld expected\n", found, expected);
  return found == expected ? 0 : 1;
}
