// The command line of a model: which scenarios to explore, how far, and with which mutation.
#pragma once

#include <vector>

#include "explorer/engine.hpp"

namespace model {

/// The body of a model's main(). 0: everything holds; 1: a scenario failed; 2: bad arguments;
/// 3: a scenario was not exhausted.
int run(int argc, char** argv, const std::vector<scenario>& scenarios);

}  // namespace model
