// Loops, reductions, searches, sorts: one line each, on whoever is idle.
#pragma once

#include "filch/algorithm/copy.hpp"
#include "filch/algorithm/fill.hpp"
#include "filch/algorithm/for_each.hpp"
#include "filch/algorithm/parallel_for.hpp"
#include "filch/algorithm/transform.hpp"
