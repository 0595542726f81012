// Only programs that are promised to finish (docs/design/blocking.md) are generated:
//
// - A node waits only for its own children, so tasks never wait for each other in a circle.
// - A wait in a region for work outside of it (another pool, another priority, install(), a task
//   that was submitted before) needs a thread that is in no region. So does a task that blocks
//   until another one has run. Both are promised only while a spare can be started. A pool here has
//   few spares (0 to 3), or more than a program has nodes (`many_spares`). Regions of a pool with
//   few spares, tasks of an isolated scope, and everything that runs with a mutex held are `bound`:
//   there a node waits only for what it has spawned in the same pool and region.
//   An isolated scope with a priority puts tasks that come from another pool outside of its region.
//   So a future of such a task is waited for in the region only if there are many spares.
//   No node waits for anything else while an isolated scope of its own has tasks: those may lie
//   above the awaited job in the deque, where a wait in the surrounding region finds it only if it
//   is the oldest.
// - A task of a call with max_workers needs a place in the call. So nothing in such a call waits in
//   a region for a task of a scope around it: all places may be taken by threads that wait so. A
//   task that was submitted needs no place.
// - A node waits for a mutex in blocking(). Otherwise thieves would leave the last job of the
//   waiting worker's deque alone (steal_threshold), and the owner of the mutex may need that job.
// - No node waits for a broadcast, nor for a pool to be idle: a task would wait for itself.
// - Tasks of a nested pool use that pool and pools that live as long as the program. Other tasks
//   do not use it: they may still exist when it is gone.
#include "stress/random_programs/generator.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "filch/detail/base/rng.hpp"

namespace filch::test {

namespace {

using rng = filch::detail::rng;

constexpr std::size_t many_spares = 256;
constexpr unsigned most_nodes = 120;  // executions, in all; each may wait twice (a join of four)

/// Where a node runs.
struct setting {
  std::size_t at = 0;     ///< the pool; if `anywhere`, any pool
  bool outside = false;   ///< directly on an outside thread: no worker is missing while it waits
  bool anywhere = false;  ///< any pool may run it, so it uses none by name
  bool bound = false;     ///< see above
  bool limited = false;   ///< in a call with max_workers
  bool region = false;    ///< on an outside thread: in a region, to which its calls belong
  bool certain = true;    ///< it certainly runs
  std::size_t mutex = 0;  ///< mutexes from this number on may be locked
  unsigned depth = 0;     ///< the number of levels that may come below
  unsigned budget = 0;    ///< how often nodes may run, this one included
};

template <class T, std::size_t N>
T one_of(rng& random, const std::array<T, N>& choices) {
  return choices[random.bounded(N)];
}
bool one_in(rng& random, unsigned n) { return random.bounded(n) == 0; }

class generator {
 public:
  generator(std::uint64_t seed, unsigned depth) : depth_(depth) { program_.seed = seed; }

  program make() {
    rng random(program_.seed);
    program_.outer_pools = 1 + random.bounded(3);
    for (std::size_t i = 0; i < program_.outer_pools; ++i) {
      constexpr std::array<std::size_t, 8> sizes{1, 1, 2, 2, 3, 4, 5, 8};
      program_.pools.push_back(
          pool(random, one_in(random, 6) ? 1 + random.bounded(64) : one_of(random, sizes)));
      visible_.push_back({});
      for (std::size_t j = 0; j < program_.outer_pools; ++j) visible_[i].push_back(j);
    }
    const unsigned roots = 1 + random.bounded(4);
    constexpr std::array<unsigned, 4> sizes{6, 20, 60, most_nodes};
    const unsigned budget = std::max(3u, one_of(random, sizes) / roots);
    for (unsigned i = 0; i < roots; ++i)
      program_.roots.push_back(
          make(seed_of_child(random), {.outside = true, .depth = depth_, .budget = budget}));
    return std::move(program_);
  }

 private:
  static std::uint64_t seed_of_child(rng& random) {
    const std::uint64_t high = random();
    return high << 32 | random();
  }

  static pool_options pool(rng& random, std::size_t threads) {
    constexpr std::array<std::size_t, 6> thresholds{1, 1, 1, 2, 3, 10};
    constexpr std::array<std::size_t, 8> spares{many_spares, many_spares, many_spares, many_spares,
                                                0,           1,           2,           3};
    constexpr std::array<std::size_t, 8> depths{32, 32, 32, 0, 1, 2, 3, 8},
        limits{0, 0, 0, 0, 1, 2, 5, 40};
    constexpr std::array<int, 6> spins{-1, -1, -1, 0, 20, 500};
    pool_options o;
    o.threads = threads;
    o.idle = static_cast<filch::idle>(random.bounded(3));
    o.spin = std::chrono::microseconds(one_of(random, spins));
    o.steal_threshold = one_of(random, thresholds);
    o.stack_size = one_in(random, 4) ? std::size_t{4} << 20 : 0;
    o.pin = one_in(random, 8);
    o.max_spares = one_of(random, spares);
    o.max_help_depth = one_of(random, depths);
    o.queue_limit = one_of(random, limits);
    return o;
  }

  bool many_spares_at(std::size_t pool) const {
    return program_.pools[pool].max_spares >= many_spares;
  }
  /// May it wait for a thread that is in no region and not blocked?
  bool may_need_another_thread(const setting& s) const {
    return !s.anywhere && !s.bound && (s.outside || many_spares_at(s.at));
  }

  bool allowed(kind k, const setting& s) const {
    switch (k) {
      case kind::leaf:
      case kind::fail:
      case kind::guard:
      case kind::join:
      case kind::scope:
      case kind::loop:
        return true;
      case kind::outside:
      case kind::gate:
        return may_need_another_thread(s);
      case kind::install:
        return !s.anywhere && !s.bound;
      case kind::locked:
        return !s.anywhere && !s.outside && s.mutex < mutexes;
      default:
        return !s.anywhere;
    }
  }

  kind some_kind(rng& random, const setting& s) const {
    if (s.depth == 0 || s.budget < 3) return one_in(random, 12) ? kind::fail : kind::leaf;
    constexpr std::array<unsigned, kinds> weights{3, 1, 1, 8, 6, 5, 8, 5, 4, 3, 6,
                                                  8, 3, 3, 3, 4, 3, 4, 2, 4, 6, 2};
    unsigned total = 0;
    for (std::size_t k = 0; k < kinds; ++k)
      if (allowed(static_cast<kind>(k), s)) total += weights[k];
    unsigned drawn = random.bounded(total);
    for (std::size_t k = 0;; ++k) {
      if (!allowed(static_cast<kind>(k), s)) continue;
      if (drawn < weights[k]) return static_cast<kind>(k);
      drawn -= weights[k];
    }
  }

  /// Each node draws from a generator of its own, so that a cut changes nothing beside it.
  node make(std::uint64_t seed, setting s) {
    rng random(seed);
    node n;
    n.id = ++last_id_;
    n.value = random();
    n.certain = s.certain;
    n.variant = random.bounded(8);
    n.what = some_kind(random, s);
    n.target = s.at;
    if (has_target(n.what) && !s.anywhere) {
      const auto& near = visible_[s.at];
      if (!s.bound && one_in(random, 2))
        n.target = near[random.bounded(static_cast<std::uint32_t>(near.size()))];
      const bool has_options = n.what != kind::install && n.what != kind::broadcast;
      if (has_options && !s.bound && one_in(random, 3))
        n.rank = static_cast<priority>(random.bounded(3));
      n.isolated = has_options && one_in(random, 4);
      // The worker that calls an isolated loop of another pool waits for it in a region.
      if (n.what == kind::loop && n.target != s.at && !s.outside && !many_spares_at(s.at))
        n.isolated = false;
      // A task cannot have a limit, nor can an isolated scope.
      const bool may_be_limited = n.what == kind::loop || (n.what == kind::scope && !n.isolated) ||
                                  (n.what == kind::async && !n.isolated);
      if (may_be_limited && one_in(random, 3)) n.most = 1 + random.bounded(3);
      n.late = has_options && one_in(random, 6);
    }
    fill(n, random, s);
    return n;
  }

  void fill(node& n, rng& random, const setting& s) {
    switch (n.what) {
      case kind::leaf:
      case kind::fail:
        return;
      case kind::guard:
      case kind::block:
      case kind::gate:
        return add(n, random, s, 1);
      case kind::isolate:
        return add(n, random, in_region(s), 1);
      case kind::locked: {
        setting inside = s;
        n.count = s.mutex + random.bounded(static_cast<std::uint32_t>(mutexes - s.mutex));
        inside.mutex = n.count + 1;
        inside.bound = true;
        return add(n, random, inside, 1);
      }
      case kind::join: {
        setting branch = part_of_call(s);
        return add(n, random, branch, 2 + random.bounded(3));
      }
      case kind::async:
        if (n.isolated && !many_spares_at(n.target)) n.rank = priority::normal;
        return add(n, random, task_of(n, s), 1 + random.bounded(4));
      case kind::scope:
      case kind::submit:
      case kind::all:
      case kind::any:
      case kind::detach:
        return add(n, random, task_of(n, s), 1 + random.bounded(4));
      case kind::chain:
        return add_chain(n, random, s);
      case kind::outside:
        if (s.limited && n.variant % 4 == 0) ++n.variant;  // no scope
        add(n, random, task_of(n, s), 1, 2);
        return add(n, random, in_region(s), 1, 2);
      case kind::cancel:
      case kind::stop: {
        setting open = task_of(n, s);
        open.certain = false;
        const unsigned tasks = 1 + random.bounded(4);
        n.count = random.bounded(2 * tasks);
        return add(n, random, open, tasks);
      }
      case kind::install:
        n.count = random.bounded(static_cast<std::uint32_t>(program_.pools[n.target].threads + 1));
        return add(n, random, task_of(n, s), 1);
      case kind::broadcast: {
        setting everywhere = task_of(n, s);
        everywhere.anywhere = true;
        everywhere.budget = 1 + s.budget / static_cast<unsigned>(program_.pools[n.target].threads);
        return add(n, random, everywhere, 1);
      }
      case kind::loop:
        return add_loop(n, random, s);
      case kind::nested:
        return add_nested(n, random, s);
    }
  }

  static unsigned split(unsigned budget, unsigned parts) { return (budget - 1) / parts; }

  /// Adds `children` children to `n`. Each gets its share of the budget if there are `parts`
  /// shares.
  void add(node& n, rng& random, setting s, unsigned children, unsigned parts = 0) {
    children = std::min(children, std::max(1u, s.budget - 1));
    s.budget = std::max(1u, split(s.budget, std::max(children, parts)));
    s.depth = s.depth == 0 ? 0 : s.depth - 1;
    for (unsigned i = 0; i < children; ++i) n.children.push_back(make(seed_of_child(random), s));
  }

  setting in_region(setting s) const {
    s.region = s.outside;
    if (!s.outside && !many_spares_at(s.at)) s.bound = true;
    return s;
  }
  /// Where the parts of a call run that a node makes.
  setting part_of_call(setting s) const {
    if (std::exchange(s.region, false) && !many_spares_at(s.at)) s.bound = true;
    s.outside = false;
    return s;
  }

  /// Where a task that `n` makes runs.
  setting task_of(const node& n, const setting& s) const {
    setting task = s;
    if (n.target != s.at) {
      task.at = n.target;
      task.bound = false;
      task.limited = false;
    }
    if (n.most != 0) task.limited = true;
    task = part_of_call(task);
    const bool of_scope = n.what == kind::scope || n.what == kind::async || n.what == kind::cancel;
    if (n.isolated && (of_scope || !many_spares_at(task.at))) task.bound = true;
    return task;
  }

  /// Where a continuation runs depends on whether and where the task before it has ended.
  void add_chain(node& n, rng& random, const setting& s) {
    const unsigned links = 1 + random.bounded(4);
    add(n, random, task_of(n, s), 1, links);
    setting link = part_of_call(s);
    link.anywhere = n.target != s.at;
    if (links > 1) add(n, random, link, links - 1, links);
  }

  void add_loop(node& n, rng& random, const setting& s) {
    setting body = task_of(n, s);
    if (one_in(random, 2)) {  // over numbers
      n.count = random.bounded(3000);
      return;
    }
    n.count = 1 + random.bounded(std::min(16u, s.budget - 1));
    body.budget = std::max(1u, split(s.budget, static_cast<unsigned>(n.count)));
    add(n, random, body, 1);
  }

  void add_nested(node& n, rng& random, const setting& s) {
    const bool closed_in = s.bound || visible_[s.at].back() >= program_.outer_pools;
    n.target = program_.pools.size();
    program_.pools.push_back(pool(random, 1 + random.bounded(4)));
    visible_.push_back({n.target});
    if (!closed_in)
      for (std::size_t i = 0; i < program_.outer_pools; ++i) visible_.back().push_back(i);
    setting inside = task_of(n, s);
    inside.bound = n.isolated && !many_spares_at(n.target);
    add(n, random, inside, 1);
  }

  program program_;
  unsigned depth_;
  std::uint32_t last_id_ = 0;
  std::vector<std::vector<std::size_t>> visible_;  // by pool: the pools that its tasks may use
};

}  // namespace

program generated(std::uint64_t seed, unsigned depth) { return generator(seed, depth).make(); }

}  // namespace filch::test
