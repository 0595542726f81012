// A function that is called at intervals.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/timer.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// What submit_every() makes: a task that waits, runs, and waits again, in the same memory. It is
/// never in two of these states at once, so calls do not overlap. Its holders are the handle, and,
/// until it has ended, itself.
///
/// Edge
///   [let-go]  holders let go -> the last of them destroys   all uses happen before that
class repetition : public timer, public listed_job {
 public:
  /// The caller holds a share. Throws what timer::wait_until() throws; then the caller holds both
  /// shares.
  void begin(const std::stop_token& stop);

  /// No further call begins. Any thread.
  void stop() noexcept {
    if (cancel()) end();
  }
  /// Waits until it has ended; not inside a call, which would wait for itself. One thread.
  void wait() noexcept;
  /// Also true in a child of fork(), where it never comes back. Any thread.
  bool has_ended() const noexcept;

  void let_go() noexcept {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;  // [let-go]
  }

 protected:
  repetition(std::shared_ptr<registry> home, std::chrono::nanoseconds period, const options& o)
      : timer(std::move(home), times::many),
        listed_job(&repetition::entry),
        period_(period),
        level_(o.priority) {}
  virtual ~repetition();  // in the library, which has written some of the members

 private:
  struct stop_it {
    repetition* what;
    void operator()() const noexcept { what->stop(); }
  };

  /// Calls the function.
  virtual void call() = 0;
  /// Destroys the function.
  virtual void drop() noexcept = 0;

  bool begins() noexcept override;
  void abandoned() noexcept override { end(); }
  static void entry(job& self) noexcept;
  void run() noexcept;
  void call_once() noexcept;
  void end() noexcept;

  const std::chrono::nanoseconds period_;
  const priority level_;
  clock::time_point due_ = {};       // of the next call, or of the one that runs
  atomic<std::uint64_t> caller_{0};  // the thread that is inside a call; 0: none
  latch ended_;
  atomic<std::size_t> holders_{2};  // [let-go] orders their uses
  std::optional<std::stop_callback<stop_it>> stopped_by_;
};

template <class F>
class repeated_task final : public repetition {
 public:
  repeated_task(F&& f, std::shared_ptr<registry> home, std::chrono::nanoseconds period,
                const options& o)
      : repetition(std::move(home), period, o), f_(std::move(f)) {}

 private:
  void call() override { (void)(*f_)(); }
  void drop() noexcept override { f_.reset(); }

  std::optional<F> f_;
};

}  // namespace filch::detail
