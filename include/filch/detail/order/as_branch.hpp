// Work that must not be left half done.
#pragma once

namespace filch::detail {

/// Calls `body` as a branch of a fork. An outside thread may fail to fork, for lack of memory; a
/// branch does not. So work that must not be left half done begins with this.
template <class Fork, class Body>
void as_branch(const Fork& fork, const Body& body) {
  fork([&] { body(); }, [] {});
}

/// The same if `body` forks. Otherwise it is called at once.
template <class Fork, class Body>
void as_branch_if(bool forks, const Fork& fork, const Body& body) {
  if (forks)
    as_branch(fork, body);
  else
    body();
}

}  // namespace filch::detail
