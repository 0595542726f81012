// Runs a program with filch.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iosfwd>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "filch/filch.hpp"
#include "stress/random_programs/program.hpp"
#include "stress/random_programs/sequential.hpp"
#include "support/tickets.hpp"

namespace filch::test {

/// The exception of fail nodes.
struct failure {
  std::uint32_t id;
};

/// The result or the exception of `f`, with the suppressed exceptions.
template <class F>
outcome outcome_of(F&& f) {
  try {
    return {.value = f()};
  } catch (const failure& first) {
    outcome o{true, first.id, mixed(first.id)};
    for (const std::exception_ptr& other : suppressed()) try {
        std::rethrow_exception(other);
      } catch (const failure& suppressed) {
        o.thrown += mixed(suppressed.id);
      }
    return o;
  }
}

/// Runs the nodes of one program, and keeps the accounts. Any thread. It outlives the pools. It has
/// a function for each kind of node.
class parallel {
 public:
  explicit parallel(const program& p) : program_(p) {}

  /// A pool of the program while it exists.
  struct world {
    std::size_t index = 0;
    filch::pool* pool = nullptr;
  };

  /// The counters while nodes run.
  struct books {
    ticket_book closures;
    std::atomic<number> visits = 0, loose = 0;
  };

  /// What a node has to know about its caller.
  struct place {
    const world* at;
    books* count;
  };

  /// The settings of pool number `n`, with hooks that count.
  pool_options settings(std::size_t n);
  /// Adds the next pool that lives as long as the program.
  void add_outer(filch::pool& p);
  /// The result of the main thread (0) or of an outside thread.
  outcome run_root(std::size_t n);
  /// Has every closure been destroyed?
  bool all_gone() const { return certain_.closures.all_gone() && uncertain_.closures.all_gone(); }
  /// Compares the counters with the expected ones, after all pools have ended.
  void check(const counts& expected) const;

  /// Grows as long as something happens.
  number progress() const { return certain_.visits + uncertain_.visits + ended_; }
  void dump(std::ostream& out) const;

 private:
  /// One call of broadcast().
  struct announcement {
    explicit announcement(std::size_t workers) : calls(workers) {}
    std::vector<std::atomic<int>> calls;
  };

  number run(const node& n, place p);
  number children_of(const node& n, place p);
  number joined(const node& n, place p);
  number scoped_tasks(const node& n, place p);
  number async_tasks(const node& n, place p);
  number submitted(const node& n, place p);
  number chained(const node& n, place p);
  number all_of(const node& n, place p);
  void any_of(const node& n, place p);
  number waited_for_in_a_region(const node& n, place p);
  number with_a_lock(const node& n, place p);
  number blocked(const node& n, place p);
  number waits_for_a_gate(const node& n, place p);
  void cancelled_tasks(const node& n, place p);
  void stopped_tasks(const node& n, place p);
  void announced(const node& n, place p);
  void detached(const node& n, place p);
  number looped(const node& n, place p);
  number on_a_nested_pool(const node& n, place p);

  /// A counted closure that runs `n`.
  auto task(const node& n, place p) {
    return [this, &n, p, t = ticket(p.count->closures)]() mutable {
      t.use();
      return run(n, p);
    };
  }
  /// The same for a closure that no caller waits for.
  auto loose_task(const node& n, place p, bool may_throw) {
    return [this, &n, p, may_throw, t = ticket(p.count->closures)]() mutable {
      t.use();
      const outcome o = outcome_of([&] { return run(n, p); });
      if (!o.failed) p.count->loose += o.value;
      if (o.failed && may_throw) throw failure{static_cast<std::uint32_t>(o.value)};
    };
  }
  future<number> submit_child(const node& n, std::size_t child, place p);
  template <class F>
  static std::vector<future<number>> futures_of(const node& n, F make);

  /// Checks that `o` is the outcome of `n`.
  void expect_outcome(const outcome& o, const node& n) const;
  place at_target(const node& n, place p) const;
  place uncertain(place p) { return {p.at, &uncertain_}; }
  static options options_of(const node& n) {
    options o{.priority = n.rank, .isolate = n.isolated, .max_workers = n.most};
    if (n.late) o.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
    return o;
  }
  /// options_of(), for the free functions.
  static options options_on(const node& n, place target) {
    options o = options_of(n);
    o.on = target.at->pool;
    return o;
  }

  const program& program_;
  std::list<world> outer_;
  books certain_, uncertain_;
  std::atomic<number> ended_ = 0;                  // visits that have ended
  std::atomic<number> reported_ = 0;               // exceptions that on_exception got
  std::atomic<number> started_ = 0, stopped_ = 0;  // threads of pools
  std::array<std::mutex, mutexes> locks_;

  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::weak_ptr<detail::registry>> cores_;
  std::list<announcement> announcements_;
};

}  // namespace filch::test
