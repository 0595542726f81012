// Prints a random program.
#include "stress/random_programs/program.hpp"

#include <array>
#include <ostream>
#include <string>

namespace filch::test {

const char* name_of(kind k) {
  static constexpr std::array<const char*, kinds> names{
      "leaf", "fail",    "guard",     "join",    "scope",  "async", "submit", "chain",
      "all",  "any",     "isolate",   "outside", "locked", "block", "gate",   "cancel",
      "stop", "install", "broadcast", "detach",  "loop",   "nested"};
  return names[static_cast<std::size_t>(k)];
}

void print(std::ostream& out, const pool_options& o) {
  constexpr std::array<const char*, 3> idles{"latency", "balanced", "power"};
  out << "threads " << o.threads << ", idle " << idles[static_cast<std::size_t>(o.idle)]
      << ", spin " << o.spin.count() << ", steal_threshold " << o.steal_threshold << ", stack_size "
      << o.stack_size << ", pin " << o.pin << ", max_spares " << o.max_spares << ", max_help_depth "
      << o.max_help_depth << ", queue_limit " << o.queue_limit << '\n';
}

namespace {

void print(std::ostream& out, const node& n, std::size_t depth) {
  constexpr std::array<const char*, 3> ranks{"high", "normal", "low"};
  out << std::string(2 * depth, ' ') << n.id << ' ' << name_of(n.what);
  if (has_target(n.what)) out << " on " << n.target;
  out << ", variant " << n.variant << ", count " << n.count;
  if (n.rank != priority::normal) out << ", " << ranks[static_cast<std::size_t>(n.rank)];
  if (n.isolated) out << ", isolated";
  if (n.most != 0) out << ", max_workers " << n.most;
  if (n.late) out << ", deadline";
  out << '\n';
  for (const node& child : n.children) print(out, child, depth + 1);
}

}  // namespace

void print(std::ostream& out, const program& p) {
  out << "program " << p.seed << '\n';
  for (std::size_t i = 0; i < p.pools.size(); ++i) {
    out << (i == 0 ? "default pool " : i < p.outer_pools ? "pool " : "nested pool ") << i << ": ";
    print(out, p.pools[i]);
  }
  for (std::size_t i = 0; i < p.roots.size(); ++i) {
    out << (i == 0 ? "main thread" : "outside thread") << '\n';
    print(out, p.roots[i], 1);
  }
}

}  // namespace filch::test
