#include "filch/detail/base/tracing.hpp"

namespace filch::detail {

#if FILCH_SHARED_CODE
constinit padded<std::atomic<std::uint32_t>> current_trace;
#endif

}  // namespace filch::detail
