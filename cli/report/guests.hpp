// When guests worked: during their visits, except where they had nothing to do.
#pragma once

#include <vector>

#include "report/trace_data.hpp"

namespace filch::report {

/// Replaces intervals of kind `idle` by intervals of kind `part`: a guest's visits without its idle
/// time and its sleep. `intervals` is sorted as in `trace_data`, and stays so.
void work_out_parts(std::vector<trace_interval>& intervals);

}  // namespace filch::report
