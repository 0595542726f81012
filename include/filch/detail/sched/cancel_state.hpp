// Whether the tasks of a scope may still start, and who is notified when they may not.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "filch/detail/base/atomic.hpp"

namespace filch::detail {

/// Whether the tasks of a scope start: they do; they do unless a closer look says no; or they do
/// not start any more, and why.
enum class phase : unsigned char {
  runs,
  needs_a_look,  // there is a deadline, or a token of the user's
  cancelled,
  stopped,
  too_late,
  unwinding,
};

/// What cancels a scope: a call, a token, a deadline, an exception. The first reason stays.
///
///     runs --> needs_a_look --> cancelled, stopped, too_late, unwinding      (final)
///       +-----------------------^
///
/// A scope that uses none of it pays one load per task. The first call of token() makes the stop
/// source, and ties it to the user's token.
///
/// "No task starts after a thread has seen the cancel" needs no order here: a thread that has seen
/// it, by the source or in any other way that orders, cannot read an older phase afterwards. For
/// that, end() changes the phase before it asks the source to stop.
///
/// Edges
///   [signal]  the thread that makes the source publishes it and then looks at the phase; end()
///             changes the phase and then looks for the source. These four are seq_cst, so one
///             thread sees the other. A thread that finds the source may use it
///
/// `Source` is std::stop_source, but under the model checker.
template <class Source>
class basic_cancel_state {
 public:
  using clock = std::chrono::steady_clock;

  explicit basic_cancel_state(std::stop_token outer = {}) noexcept
      : outer_(std::move(outer)),
        phase_(outer_.stop_possible() ? phase::needs_a_look : phase::runs) {}
  basic_cancel_state(const basic_cancel_state&) = delete;
  basic_cancel_state& operator=(const basic_cancel_state&) = delete;
  /// If the stop of the outer token is being passed on, waits until that is done.
  ~basic_cancel_state() {
    delete signal_.load(std::memory_order_relaxed);  // no other thread
  }

  /// Shall a task that is about to start be skipped? Any thread.
  bool skips() noexcept {
    return !simply_runs() &&
           look(phase_.load(std::memory_order_relaxed));  // orders nothing: see above
  }

  /// Do tasks start, without a closer look? Any thread.
  bool simply_runs() const noexcept {
    return phase_.load(std::memory_order_relaxed) == phase::runs;  // orders nothing: see above
  }

  /// No task starts from now on. Any thread. `why` is one of the final phases.
  void end(phase why) noexcept {
    phase now = phase_.load(std::memory_order_relaxed);  // orders nothing: retried below
    while (now <= phase::needs_a_look &&
           !phase_.compare_exchange_weak(now, why, std::memory_order_seq_cst,  // [signal]
                                         std::memory_order_relaxed)) {  // orders nothing: retried
    }
    signal* const s = signal_.load(std::memory_order_seq_cst);  // [signal]
    if (s != nullptr) s->source.request_stop();
  }

  /// No task starts from `when` on; an earlier time from another call stays. Any thread.
  void end_at(clock::time_point when) noexcept {
    clock::rep before = deadline_.load(std::memory_order_relaxed);  // orders nothing: retried
    const clock::rep mine = when.time_since_epoch().count();
    while (mine < before &&
           !deadline_.compare_exchange_weak(before, mine,
                                            std::memory_order_relaxed,  // orders nothing: as above
                                            std::memory_order_relaxed)) {  // value unused
    }
    phase now = phase::runs;
    (void)phase_.compare_exchange_strong(now, phase::needs_a_look,
                                         std::memory_order_relaxed,   // orders nothing: as above
                                         std::memory_order_relaxed);  // value unused
    (void)skips();                                                    // it may be over already
  }

  /// A token that is asked to stop as soon as no task starts any more. Any thread. A deadline that
  /// has passed is noticed here. Throws `std::bad_alloc`.
  auto token() {
    signal* s = signal_.load(std::memory_order_acquire);  // [signal]
    if (s == nullptr) s = make_signal();
    const phase now = phase_.load(std::memory_order_seq_cst);  // [signal]
    if (now != phase::runs && look(now)) s->source.request_stop();
    return s->source.get_token();
  }

  /// Why tasks are skipped, if they are. Any thread.
  phase why() const noexcept {
    return phase_.load(std::memory_order_relaxed);  // orders nothing: it is final
  }

 private:
  struct forward {
    basic_cancel_state* to;
    void operator()() const noexcept { to->end(phase::stopped); }
  };
  struct signal {
    Source source;
    std::optional<std::stop_callback<forward>> link;  // to the outer token, if there is one
  };

  [[gnu::cold]] bool look(phase now) noexcept {
    if (now != phase::needs_a_look) return true;
    if (outer_.stop_requested()) {
      end(phase::stopped);
      return true;
    }
    const clock::rep deadline = deadline_.load(std::memory_order_relaxed);        // orders nothing:
    if (deadline == never || clock::now().time_since_epoch().count() < deadline)  // as above
      return false;
    end(phase::too_late);
    return true;
  }

  signal* make_signal() {
    auto fresh = std::make_unique<signal>();
    signal* first = nullptr;
    if (!signal_.compare_exchange_strong(first, fresh.get(), std::memory_order_seq_cst,  // [signal]
                                         std::memory_order_acquire))                     // [signal]
      return first;
    signal* const mine = fresh.release();
    if (outer_.stop_possible()) mine->link.emplace(outer_, forward{this});
    return mine;
  }

  static constexpr clock::rep never = clock::time_point::max().time_since_epoch().count();

  std::stop_token outer_;
  atomic<phase> phase_;
  atomic<clock::rep> deadline_{never};
  atomic<signal*> signal_{nullptr};
};

using cancel_state = basic_cancel_state<std::stop_source>;

}  // namespace filch::detail
