// Every schedule of small games about cancelling a scope: no task starts on a thread that has seen
// the cancel, every future gets a result or the reason why not, and no token misses the cancel.
//
// The header is the shipped one, with a stop source made of the explorer's atomics. What a task
// does when it starts is scope_core's code, repeated here: `run`.
#include <array>
#include <memory>
#include <utility>

#include "filch/detail/base/var.hpp"
#include "filch/detail/sched/cancel_state.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::atomic;
using filch::detail::latch;
using filch::detail::parker;
using filch::detail::phase;
using filch::detail::var;

/// As much of std::stop_source as a scope needs. The explorer notices a use before its
/// construction.
class stop_source {
 public:
  class token {
   public:
    explicit token(const stop_source& of) : of_(&of) {}
    bool stop_requested() const { return of_->requested_.load(std::memory_order_acquire) != 0; }

   private:
    const stop_source* of_;
  };

  void request_stop() {
    model::check(content_.get() == 7, "the source is not there yet");
    requested_.store(1, std::memory_order_release);
  }
  token get_token() const { return token(*this); }

 private:
  var<int> content_{7};
  atomic<std::uint32_t> requested_{0};
};

/// A scope with up to two tasks that have futures.
class world : public model::game {
 public:
  void cancel() {
    state_.end(phase::cancelled);
    ended_ = true;
  }
  void unwind() { state_.end(phase::unwinding); }
  void deadline_passes() {
    state_.end_at(std::chrono::steady_clock::time_point::min()), ended_ = true;
  }
  /// A task starts, or is skipped. Its future is notified either way.
  void run(int task) {
    future& f = futures_.at(static_cast<std::size_t>(task));
    f.result.set(state_.skips() ? reason() : ran);
    latch::set(f.done);
  }
  void get(int task) {
    future& f = futures_.at(static_cast<std::size_t>(task));
    model::wait_outside(f.done, parker_);
    model::check(f.result.get() != nothing, "a future has neither a result nor a reason");
  }
  /// A task that reads the token. If a stop was requested, the next task must not start.
  void poll_and_run(int task) {
    const bool seen = state_.token().stop_requested();
    run(task);
    if (seen)
      model::check(futures_.at(static_cast<std::size_t>(task)).result.get() == skipped,
                   "a task started after the cancel was seen");
  }
  void ask_for_token() { (void)state_.token(); }
  /// All threads have returned from cancel(), token() and run(). So the token must know of the
  /// stop.
  void finish() override {
    if (polled_) model::check(polled_->stop_requested(), "a token missed the cancel");
    model::check(ended_ && state_.skips(), "the cancel is forgotten");
    model::check(state_.token().stop_requested(), "a late token missed the cancel");
  }
  /// The token that its owner keeps reading.
  void keep_token() { polled_ = std::make_unique<stop_source::token>(state_.token()); }

 private:
  enum outcome { nothing, ran, skipped };
  struct future {
    var<outcome> result{nothing};
    latch done;
  };
  outcome reason() const {
    model::check(state_.why() > phase::needs_a_look, "skipped for no reason");
    return skipped;
  }

  filch::detail::basic_cancel_state<stop_source> state_;
  std::array<future, 2> futures_;
  std::unique_ptr<stop_source::token> polled_;
  bool ended_ = false;
  parker parker_;
};

model::scenario_list scenarios() {
  using model::play;
  using script = model::script<world>;
  return model::all_of({
      play("start", 2,
           script{[](auto& w) { w.cancel(); }, [](auto& w) { w.run(0); },
                  [](auto& w) { w.get(0); }}),
      play("first_look", 3, script{[](auto& w) { w.cancel(); }, [](auto& w) { w.keep_token(); }}),
      play("two_first_looks", 2,
           script{[](auto& w) { w.cancel(); }, [](auto& w) { w.keep_token(); },
                  [](auto& w) { w.ask_for_token(); }}),
      play(
          "seen", 3,
          script{[](auto& w) { w.cancel(); }, [](auto& w) { w.poll_and_run(0), w.poll_and_run(1); },
                 [](auto& w) { w.keep_token(); }}),
      play("two_reasons", 2,
           script{[](auto& w) { w.cancel(); }, [](auto& w) { w.unwind(), w.run(0); },
                  [](auto& w) { w.keep_token(), w.get(0); }}),
      play("deadline", 2,
           script{[](auto& w) { w.deadline_passes(); }, [](auto& w) { w.poll_and_run(0); },
                  [](auto& w) { w.keep_token(); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }
