// secure_getenv(3).
#include <stdlib.h>

#include "filch/detail/base/environment_variable.hpp"

namespace filch::detail {

const char* environment_variable(const char* name) noexcept { return ::secure_getenv(name); }

}  // namespace filch::detail
