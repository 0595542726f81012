// Random programs that filch promises to finish.
#pragma once

#include <cstdint>

#include "stress/random_programs/program.hpp"

namespace filch::test {

/// The program of `seed`. Nodes at `depth` are leaves: a smaller depth cuts the trees of the same
/// program, and changes nothing above the cut.
program generated(std::uint64_t seed, unsigned depth);

}  // namespace filch::test
