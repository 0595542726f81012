#include "filch/detail/base/tracing.hpp"

namespace filch::detail {

#if FILCH_SHARED_CODE
FILCH_ALSO_IN_PROGRAMS constinit padded<std::atomic<std::uint32_t>> current_trace;
#endif

}  // namespace filch::detail
