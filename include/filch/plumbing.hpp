// For authors of sources, adaptors and consumers of parallel ranges.
#pragma once

// Namespace filch::plumbing. The header has the whole protocol between the parts of a chain: what
// each must have, what it may have, and the defaults.
#include "filch/detail/chain/protocol.hpp"
