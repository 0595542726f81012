#include "filch/detail/kernel/optional_arguments.hpp"

namespace filch::detail {

#if FILCH_SHARED_CODE
FILCH_ALSO_IN_PROGRAMS constinit left_out_place left_out_at;
#endif

}  // namespace filch::detail
