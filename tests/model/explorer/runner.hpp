// The command line of a model: which scenarios to explore, how far, and with which mutation.
#pragma once

#include <vector>

#include "explorer/engine.hpp"

namespace model {

/// The body of a model's main(). Returns 0 if everything holds, 1 if a scenario failed, 2 for bad
/// arguments, 3 if a scenario was not exhausted.
int run(int argc, char** argv, const std::vector<scenario>& scenarios);

}  // namespace model
