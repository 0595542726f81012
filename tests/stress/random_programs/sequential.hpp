// The expected result of a program, by plain recursion.
#pragma once

#include <ostream>

#include "stress/random_programs/program.hpp"

namespace filch::test {

/// The outcome of a call: a value, or an exception with those that it suppressed.
struct outcome {
  bool failed = false;
  number value = 0;   ///< or the id that was thrown
  number thrown = 0;  ///< the sum of mixed(id) over the exception and those it suppressed

  bool operator==(const outcome&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const outcome& o) {
    if (!o.failed) return out << "value " << o.value;
    return out << "exception of node " << o.value << ", all of them " << o.thrown;
  }
};

/// What a node adds for a child whose exception it has caught.
inline number caught(const outcome& o) { return o.failed ? mixed(o.value) + o.thrown : o.value; }

/// Counters beside the answers, only for nodes that certainly run.
struct counts {
  number visits = 0;    ///< of nodes
  number used = 0;      ///< closures that ran
  number dropped = 0;   ///< closures that were skipped
  number loose = 0;     ///< sum over detached tasks
  number reported = 0;  ///< exceptions that on_exception gets
};

/// What the leaf `n` computes.
number work_of(const node& n);
/// What a loop over numbers, which has no child, adds for the number `i`.
inline number item(const node& n, std::size_t i) { return mixed(n.value + i); }

/// The outcome of `n` if it runs completely. Adds its counters to `all`.
outcome expected(const program& p, const node& n, counts& all);

}  // namespace filch::test
