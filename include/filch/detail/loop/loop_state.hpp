// Whether a loop goes on: errors, stop requests, cuts, and progress reports.
#pragma once

#include <atomic>
#include <limits>

#include "filch/detail/base/early_end.hpp"
#include "filch/detail/base/expect.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// The state that all threads of one loop share. A part asks may_start() before it runs, and calls
/// failed() or finished() afterwards.
///
/// It orders nothing. The joins of the loop order its end for the waiting thread, and a part that
/// starts although it need not does no harm.
class loop_state {
 public:
  /// The loop has `total` items. `o` outlives this.
  [[gnu::always_inline]] loop_state(const options& o, std::size_t total) noexcept
      : options_(o), total_(total), stoppable_(can_end_early(o)), silent_(!o.progress) {}
  loop_state(const loop_state&) = delete;
  loop_state& operator=(const loop_state&) = delete;

  // ---- any thread -------------------------------------------------------------------------------

  /// May a part that begins with item `first` start?
  [[gnu::always_inline]] bool may_start(std::size_t first) noexcept {
    if (rarely(first >= end_.load(std::memory_order_relaxed))) return false;  // orders nothing
    return usually(!stoppable_) || !stop_seen();
  }

  /// A part has thrown, so no other part may start.
  void failed() noexcept { end_.store(0, std::memory_order_relaxed); }  // orders nothing: see class
  /// Calls the user's code. If it throws, no other part starts.
  template <class F>
  decltype(auto) guarded(F f) {
    try {
      return f();
    } catch (...) {
      failed();
      throw;
    }
  }

  /// Parts that begin at `end` or later need not start.
  void cut(std::size_t end) noexcept {
    std::size_t old = end_.load(std::memory_order_relaxed);  // orders nothing: retried below
    while (end < old && !end_.compare_exchange_weak(old, end,
                                                    std::memory_order_relaxed)) {  // orders nothing
    }
  }
  /// Where the loop has been cut, or the largest number if it has not.
  std::size_t end() const noexcept {
    return end_.load(std::memory_order_relaxed);  // orders nothing: a hint to those behind it
  }

  /// `items` more items are done. Throws what the user's `progress` throws.
  void finished(std::size_t items) {
    if (rarely(!silent_)) report(items);
  }

  // ---- caller of the loop -----------------------------------------------------------------------

  /// All parts have ended and none has thrown. Throws `cancelled` if a stop request made parts skip
  /// their items.
  [[gnu::always_inline]] void end_of_loop() {
    if (rarely(stopped_.load(std::memory_order_relaxed))) throw_cancelled();  // orders nothing
    if (rarely(!silent_ && total_ != 0 && reported_items_ != total_))
      options_.progress(total_, total_);
  }

 private:
  [[noreturn, gnu::cold]] void throw_cancelled() const;
  bool stop_seen() noexcept;
  void report(std::size_t items);

  /// `progress` is called about so many times at most.
  static constexpr std::size_t most_reports = 1000;

  const options& options_;
  const std::size_t total_;
  const bool stoppable_;
  const bool silent_;  // no `progress` function to call
  std::atomic<std::size_t> end_{std::numeric_limits<std::size_t>::max()};
  std::atomic<bool> stopped_{false};
  // [report]  a thread that takes the flag sees the reported_items_ of the previous one
  std::atomic<bool> reporting_{false};
  std::atomic<std::size_t> done_{0};
  std::size_t reported_items_ = 0;
};

/// One thread at a time reports. The others add to `done_` and leave the report to it or to a later
/// call. It is in the header so that ThreadSanitizer sees [report], which the user's function may
/// rely on.
[[gnu::cold, gnu::noinline]] inline void loop_state::report(std::size_t items) {
  done_.fetch_add(items, std::memory_order_relaxed);                 // orders nothing: a counter
  if (reporting_.exchange(true, std::memory_order_acquire)) return;  // [report]
  // Lets the next thread report, also if the user's function throws.
  struct leaving_report {
    std::atomic<bool>& flag;
    ~leaving_report() { flag.store(false, std::memory_order_release); }  // [report]
  } const leave{reporting_};
  const std::size_t done = done_.load(std::memory_order_relaxed);  // orders nothing: a counter
  if (done - reported_items_ <= total_ / most_reports && done != total_) return;
  if (done == reported_items_) return;
  reported_items_ = done;
  options_.progress(done, total_);
}

}  // namespace filch::detail
