// The one way in which filch reads its environment.
//
// The implementation is src/base/environment_variable_<system>.cpp.
#pragma once

namespace filch::detail {

/// The value of `name`. Null if it is not set. Always null in a process that has rights which the
/// user who started it has not (set-user-ID, set-group-ID, capabilities of the file): that user
/// chooses the environment, and could make the program read and write files with its rights. The
/// text stays valid until the program changes its environment. Any thread.
const char* environment_variable(const char* name) noexcept;

}  // namespace filch::detail
