// Declares filch::par_range for the parts that it is made of.
#pragma once

#include "filch/detail/loop/fork_policy.hpp"
#include "filch/plumbing.hpp"

namespace filch {

template <plumbing::source Source, detail::fork_policy Fork>
class par_range;

}  // namespace filch
