// Who runs a task: whoever takes it out of its queue, or whoever waits for it.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

/// What a thread waits for, and may run by itself if nobody has begun to.
class awaited_task {
 public:
  /// Where a task waits, as a number: its isolation region, or, if it is in none, its pool. A
  /// region is never in two pools, so that the number says both. Neither an address nor one of the
  /// states of a claim looks like a region here.
  using place = std::uint64_t;
  static place place_of(const void* pool, region where) noexcept {
    return where == no_region ? reinterpret_cast<std::uintptr_t>(pool) : where * 8 + 4;
  }

  /// Of a task that only its queue may start: nobody waits there.
  static constexpr place nowhere = 0;

  awaited_task(const awaited_task&) = delete;
  awaited_task& operator=(const awaited_task&) = delete;

  /// Runs it on the calling thread, which waits for it in `here`. False if that is not where it
  /// waits, or somebody else has begun: then nothing was done.
  virtual bool run_unless_begun(place here) noexcept = 0;

 protected:
  awaited_task() = default;
  ~awaited_task() = default;
};

/// Decides whether a task that waits in a queue is run by whoever takes it out of there, or by the
/// thread that waits for it, which cannot take it out. Each of the two comes at most once.
///
///      its place ---- take() ----> claimed ---- ran() ----> has run
///          |                          |                        |
///          +---------- found() -------+------------------------+-------> out
///          |                          |                        |
///      the finder runs it      whoever claimed it       the finder ends it,
///      and ends it             ends it after it ran     and does not run it
///
/// To end it is to count it as ended and to let go of the queue's share in it. That is done by the
/// second of the two, so neither too early, while it runs or still lies in the queue, nor twice.
///
/// Edges
///   [has-run]  ran() stores -> found() loads     the finder ends it after everything it did
///   [out]      found() stores -> ran() loads     whoever claimed it may free it: the finder has
///                                                left it alone since
/// To claim it orders nothing: whoever waits for a task has it by its future, and has seen all that
/// came before the submission.
class claim {
 public:
  using place = awaited_task::place;
  /// What is left to do for whoever found the task in its queue.
  enum class duty : unsigned char { run_and_end, only_end, nothing };

  explicit claim(place waits_in) noexcept : state_(waits_in) {}
  claim(const claim&) = delete;
  claim& operator=(const claim&) = delete;

  /// The waiter wants to run it. If true it does, and says so by ran().
  [[nodiscard]] bool take(place here) noexcept {
    place from = here;
    return state_.compare_exchange_strong(from, claimed,
                                          std::memory_order_relaxed,   // orders nothing: see above
                                          std::memory_order_relaxed);  // value unused
  }

  /// Whoever claimed it has run it. If true, it ends it too; else somebody will who finds it.
  [[nodiscard]] bool ran() noexcept {
    return state_.exchange(has_run, std::memory_order_acq_rel) == out;  // [has-run] [out]
  }

  /// It was taken out of its queue. If nothing is left to do, it may be gone.
  [[nodiscard]] duty found() noexcept {
    const place before = state_.exchange(out, std::memory_order_acq_rel);  // [has-run] [out]
    if (before == claimed) [[unlikely]]
      return duty::nothing;
    return before == has_run ? duty::only_end : duty::run_and_end;
  }

 private:
  static constexpr place claimed = 1;  // no pool has these addresses
  static constexpr place has_run = 2;
  static constexpr place out = 3;

  atomic<place> state_;
};

}  // namespace filch::detail
