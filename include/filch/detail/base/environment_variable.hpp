// The one way in which filch reads its environment.
//
// The implementation is src/base/environment_variable_<system>.cpp.
#pragma once

namespace filch::detail {

/// The value of `name`. Null if it is not set, and always null in a process with rights that the
/// user who started it has not (set-user-ID, set-group-ID, capabilities of the file): that user
/// chooses the environment, and would have the program write and read files with its rights. The
/// text stays until the program changes its environment. Any thread.
const char* environment_variable(const char* name) noexcept;

}  // namespace filch::detail
