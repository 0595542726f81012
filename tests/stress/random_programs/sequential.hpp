// What a program must come to, by plain recursion.
#pragma once

#include <ostream>

#include "stress/random_programs/program.hpp"

namespace filch::test {

/// What a call came to: a value, or an exception with those it outran.
struct outcome {
  bool failed = false;
  number value = 0;   ///< or the id that was thrown
  number thrown = 0;  ///< the sum of mixed(id) over the exception and those it outran

  bool operator==(const outcome&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const outcome& o) {
    if (!o.failed) return out << "value " << o.value;
    return out << "exception of node " << o.value << ", all of them " << o.thrown;
  }
};

/// What a node adds for a child whose exception it has caught.
inline number caught(const outcome& o) { return o.failed ? mixed(o.value) + o.thrown : o.value; }

/// What is counted beside the answers. Only of nodes that certainly run.
struct counts {
  number visits = 0;    ///< of nodes
  number used = 0;      ///< closures that ran
  number dropped = 0;   ///< closures that were skipped
  number loose = 0;     ///< sum of what is detached
  number reported = 0;  ///< exceptions that on_exception gets
};

/// What the leaf `n` computes.
number work_of(const node& n);
/// What a loop over numbers, which has no child, adds for the number `i`.
inline number item(const node& n, std::size_t i) { return mixed(n.value + i); }

/// What `n` comes to if it runs as a whole. Adds to `all` what is counted.
outcome expected(const program& p, const node& n, counts& all);

}  // namespace filch::test
