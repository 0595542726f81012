// Loops, reductions, searches, sorts: one line each, on whoever is idle.
#pragma once

#include "filch/algorithm/copy.hpp"
#include "filch/algorithm/fill.hpp"
#include "filch/algorithm/for_each.hpp"
#include "filch/algorithm/merge.hpp"
#include "filch/algorithm/nth_element.hpp"
#include "filch/algorithm/parallel_for.hpp"
#include "filch/algorithm/partial_sort.hpp"
#include "filch/algorithm/sort.hpp"
#include "filch/algorithm/stable_sort.hpp"
#include "filch/algorithm/transform.hpp"
