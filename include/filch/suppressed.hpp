// The exceptions that another one outran.
#pragma once

#include <exception>
#include <vector>

namespace filch {

/// In the handler of an exception that a join, a scope or an algorithm threw: the exceptions that
/// its other branches or tasks threw, in their order. Until the next wait on this thread that
/// throws.
std::vector<std::exception_ptr> suppressed();

}  // namespace filch
