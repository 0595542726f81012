// When guests worked: between coming and going, but where they had nothing to do.
#pragma once

#include <vector>

#include "report/trace_data.hpp"

namespace filch::report {

/// Puts intervals of kind `part` in place of those of kind `idle`: what is left of a guest's visits
/// without its idle time and its sleep. `intervals` is sorted as in `trace_data`, and stays so.
void work_out_parts(std::vector<trace_interval>& intervals);

}  // namespace filch::report
