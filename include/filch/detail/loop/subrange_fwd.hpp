// Declares filch::subrange for kernels that return one. The header of their algorithm defines it.
#pragma once

#include <iterator>

namespace filch {

template <std::random_access_iterator I>
class subrange;

}  // namespace filch
