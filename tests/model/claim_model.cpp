// Every schedule of small games about a task that waits in a queue: one thread takes it out,
// another waits for it and may run it first, and a third asks it to stop.
//
// The headers are the shipped ones. What a task does is submitted_task's code, repeated here:
// `task`. Mutants change these lines too.
#include <memory>

#include "filch/detail/base/memory.hpp"
#include "filch/detail/base/var.hpp"
#include "filch/detail/sched/account.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "library_stubs.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::account;
using filch::detail::atomic;
using filch::detail::awaited_task;
using filch::detail::claim;
using filch::detail::parker;
using filch::detail::var;

/// What the tasks of a game have done, and which thread has counted them.
struct ledger {
  var<int> runs{0};
  var<int> spawned{0};  // by the task, before it ends
  atomic<std::uint32_t> stop{0};
  account finder;
  account claimer;
};

constexpr int skipped = 3;
constexpr int ran = 7;

class task final : public filch::detail::future_state<int> {
 public:
  task(ledger& book, claim::wait_key where) : book_(book), claim_(where) {}

  bool run_unless_begun(claim::wait_key here) noexcept override {
    if (!claim_.take(here)) return false;
    finish();
    if (claim_.ran()) end(book_.claimer);
    return true;
  }
  /// It was taken out of its queue.
  void run() noexcept {
    model::check(next_.get() == 0, "the entry is gone");
    const claim::remainder mine = claim_.found();
    if (mine == claim::remainder::nothing) return;
    if (mine == claim::remainder::run_and_end) finish();
    end(book_.finder);
  }

  static void* operator new(std::size_t bytes) {
    return filch::detail::allocate(bytes, alignof(task));
  }
  static void operator delete(void* memory, std::size_t bytes) {
    filch::detail::deallocate(memory, bytes, alignof(task));
  }

 private:
  void finish() noexcept {
    const bool stops = book_.stop.load(std::memory_order_acquire) != 0;
    const auto f = [&] {
      if (stops) return skipped;
      book_.runs.set(book_.runs.get() + 1);
      book_.spawned.set(1);
      return ran;
    };
    result.run(f);
    deliver();
  }
  void end(account& by) noexcept {
    ledger& book = book_;
    book.spawned.set(book.spawned.get() +
                     1);  // what it did is over, and seen by the thread that counts it
    let_go();
    by.close();
  }

  ledger& book_;
  claim claim_;
  var<int> next_{0};  // of the entry, for the queue
};

class world : public model::game {
 public:
  /// A worker takes the entry out of the queue.
  void find() { task_->run(); }
  /// A waiter with a full stack. `here` says whether it waits where the task waits.
  void get(bool here) {
    const bool mine = task_->run_unless_begun(here ? key : key + 8);
    model::check(here || !mine, "it was run where it does not belong");
    if (!mine) model::wait_outside(task_->done, parker_);
    check_result();
    task_->let_go();
  }
  /// Requests a stop first. So if this thread runs the task itself, the task must not start.
  void stop_and_get() {
    stop();
    if (task_->run_unless_begun(key))
      model::check(task_->result.take() == skipped, "it started after the stop was seen");
    task_->let_go();
  }
  /// A waiter that only tries, and drops the future.
  void try_and_drop() {
    (void)task_->run_unless_begun(key);
    task_->let_go();
  }
  void drop() { task_->let_go(); }
  void stop() { book_.stop.store(1, std::memory_order_release); }
  /// If the pool is idle, everything that the task did is seen.
  void look_at() {
    if (book_.finder.closed() + book_.claimer.closed() == 0) return;
    model::check(book_.spawned.get() > 0, "it was counted as ended before it had");
  }

  void finish() override {
    model::check(book_.finder.closed() + book_.claimer.closed() == 1,
                 "it was not counted as ended, or twice");
    const int runs = book_.runs.get();
    model::check(runs == 1 || (runs == 0 && book_.stop.load(std::memory_order_relaxed) != 0),
                 "it has not been run, or twice");
  }

 private:
  void check_result() {
    const int result = task_->result.take();
    model::check(result == ran || result == skipped, "there is no result");
  }

  static constexpr claim::wait_key key = 64;
  ledger book_;
  task* const task_ = new task(book_, key);  // what is under test deletes it
  parker parker_;
};

model::scenario_list scenarios() {
  using model::play;
  using script = model::script<world>;
  return model::all_of({
      play("found", 3, script{[](auto& w) { w.find(); }, [](auto& w) { w.get(true); }}),
      play("found_elsewhere", 3, script{[](auto& w) { w.find(); }, [](auto& w) { w.get(false); }}),
      play("tried", 3, script{[](auto& w) { w.find(); }, [](auto& w) { w.try_and_drop(); }}),
      play("dropped", 3, script{[](auto& w) { w.find(); }, [](auto& w) { w.drop(); }}),
      play("stopped", 2,
           script{[](auto& w) { w.find(); }, [](auto& w) { w.get(true); },
                  [](auto& w) { w.stop(); }}),
      play("stopped_by_the_waiter", 3,
           script{[](auto& w) { w.find(); }, [](auto& w) { w.stop_and_get(); }}),
      play("looked_at", 2,
           script{[](auto& w) { w.find(); }, [](auto& w) { w.get(true); },
                  [](auto& w) { w.look_at(); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }
