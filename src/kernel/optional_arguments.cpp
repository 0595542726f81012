#include "filch/detail/kernel/optional_arguments.hpp"

#include "filch/errors.hpp"

namespace filch::detail {

void refuse_options_twice() {
  throw usage_error(
      "filch: a call has options at two places, and could heed those at one of them only; give all "
      "settings in one pair of braces, as the last argument");
}

#if FILCH_SHARED_CODE
FILCH_ALSO_IN_PROGRAMS constinit left_out_place left_out_at;
#endif

}  // namespace filch::detail
