// How a steal ended.
#pragma once

namespace filch {

/// How a steal ended. There are three values, since "the victim has no work" and "another thread
/// was faster" call for different next steps: another victim, or another try.
enum class steal_status : unsigned char {
  taken,  ///< An item was taken.
  empty,  ///< There was nothing to take: try another victim.
  lost,   ///< Another thread took that item first: trying again may succeed.
};

}  // namespace filch
