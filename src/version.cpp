#include "filch/version.hpp"

namespace filch {

const char* library_version() noexcept { return header_version; }

}  // namespace filch
