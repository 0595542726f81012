// Parallel ranges: chains of adaptors, in one pass, on whoever is idle.
#pragma once

#include "filch/plumbing.hpp"
#include "filch/ranges/par_range.hpp"
#include "filch/ranges/sources.hpp"
#include "filch/ranges/views.hpp"
