// A part of the work that must not be left half done.
#pragma once

namespace filch::detail {

/// Calls `body` as a branch of a fork. A thread outside of every pool may fail to fork, for lack of
/// memory; not so a branch. So what must not be left half done begins with this.
template <class Fork, class Body>
void as_branch(const Fork& fork, const Body& body) {
  fork([&] { body(); }, [] {});
}

}  // namespace filch::detail
