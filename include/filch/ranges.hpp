// Parallel ranges: chains of adaptors that run in one pass on all idle workers.
#pragma once

#include "filch/plumbing.hpp"
#include "filch/ranges/par_range.hpp"
#include "filch/ranges/sources.hpp"
#include "filch/ranges/views.hpp"
