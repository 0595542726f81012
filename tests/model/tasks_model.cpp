// Every schedule of small games about the end of tasks: the countdown of a scope, the accounts that
// tell whether a pool is idle, and the state that a task and its future share.
//
// The headers are the shipped ones. settle and wait_idle of idle_detector.cpp and registry.cpp
// are repeated here in a few lines: `idle_world`. Mutants change these lines too.
#include <array>
#include <memory>
#include <optional>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/account.hpp"
#include "filch/detail/sched/countdown.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "library_stubs.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::account;
using filch::detail::atomic;
using filch::detail::countdown;
using filch::detail::latch;
using filch::detail::parker;
using filch::detail::var;
using filch::detail::yield;
using model::wait_outside;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;

/// An action of one thread that another has to see.
class deed {
 public:
  void perform() { done_.set(done_.get() + 1); }
  void expect() const { model::check(done_.get() == 1, "a task has not been run, or twice"); }

 private:
  var<int> done_{0};
};

/// A task that one thread hands to another, as a queue would.
class handover {
 public:
  void give() { there_.store(1, release); }
  void take() {
    while (there_.load(acquire) == 0) yield();
  }

 private:
  atomic<std::uint32_t> there_{0};
};

// ---- scopes -------------------------------------------------------------------------------------

/// A scope with up to two tasks. It is gone as soon as its wait is over.
class scope_world : public model::game {
 public:
  void spawn() { scope_->begin_one(); }
  /// The waiter counts it by itself.
  void spawn_apart() { ++apart_; }
  void spawn_and_fail() {
    scope_->begin_one();
    scope_->take_back_one();
  }
  void run(int task) {
    deeds_.at(static_cast<std::size_t>(task)).perform();
    countdown::end_one(*scope_);
  }
  void wait(int tasks) {
    if (!scope_->close(apart_)) wait_outside(scope_->none(), parker_);
    apart_ = 0;
    for (int i = 0; i < tasks; ++i) deeds_.at(static_cast<std::size_t>(i)).expect();
    scope_->reopen();
  }
  /// A wait whose time is over at once, and then one without a limit.
  void poll_and_wait(int tasks) {
    if (!scope_->close()) {
      if (scope_->take_share_back()) return wait(tasks);
      wait_outside(scope_->none(), parker_);
    }
    for (int i = 0; i < tasks; ++i) deeds_.at(static_cast<std::size_t>(i)).expect();
    scope_->reopen();
  }
  void leave() { scope_.reset(); }
  handover first;
  handover second;

 private:
  std::optional<countdown> scope_{std::in_place};
  std::int64_t apart_ = 0;
  std::array<deed, 2> deeds_;
  parker parker_;
};

class one_spawned : public scope_world {
 public:
  one_spawned() { spawn(); }
};

class two_spawned : public scope_world {
 public:
  two_spawned() { spawn(), spawn(); }
};

// ---- idle ---------------------------------------------------------------------------------------

class mutex {
 public:
  void lock() {
    while (held_.exchange(1, acquire) != 0) yield();
  }
  void unlock() { held_.store(0, release); }

 private:
  atomic<std::uint32_t> held_{0};
};

/// The accounts of two workers, the count of tasks from outside, and one thread that waits for
/// idle.
class idle_world : public model::game {
 public:
  /// A task from outside.
  void accept() { accepted_.fetch_add(1, acq_rel); }
  /// A task spawned by a task.
  void open(int worker) { at(worker).open(); }
  /// A task ends, and the worker finds no more.
  void end(int worker, int task) {
    deeds.at(static_cast<std::size_t>(task)).perform();
    at(worker).close();
    found_nothing();
  }
  void wait_idle(int tasks) {
    std::optional<latch> idle_now(std::in_place);
    mutex_.lock();
    waiter_.set(&*idle_now);
    mutex_.unlock();
    idle_waiters_.fetch_add(1, relaxed);
    filch::detail::heavy_fence();
    settle();
    wait_outside(*idle_now, parker_);
    idle_now.reset();
    for (int i = 0; i < tasks; ++i) deeds.at(static_cast<std::size_t>(i)).expect();
  }
  void finish() override {
    model::check(idle_waiters_.load(relaxed) == 0, "a thread waits for ever");
  }
  std::array<deed, 2> deeds;
  handover first;
  handover second;

 private:
  void found_nothing() {
    filch::detail::light_fence();
    if (idle_waiters_.load(relaxed) != 0) settle();
  }
  bool settled() const {
    return filch::detail::all_closed(accounts_, [this] { return accepted_.load(acquire); });
  }
  void settle() {
    filch::detail::full_fence();
    if (!settled()) return;
    mutex_.lock();
    if (settled() && waiter_.get() != nullptr) {
      idle_waiters_.fetch_sub(1, relaxed);
      latch::set(*waiter_.get());
      waiter_.set(nullptr);
    }
    mutex_.unlock();
  }
  account& at(int worker) { return accounts_.at(static_cast<std::size_t>(worker)); }

  std::array<account, 2> accounts_;
  atomic<std::uint64_t> accepted_{0};
  atomic<std::uint32_t> idle_waiters_{0};
  mutex mutex_;
  var<latch*> waiter_{nullptr};
  parker parker_;
};

class two_accepted : public idle_world {
 public:
  two_accepted() { accept(), accept(); }
};

class one_accepted : public idle_world {
 public:
  one_accepted() { accept(); }
};

// ---- stopping -----------------------------------------------------------------------------------

/// A pool that is closed while an outside thread opens a task in the account of its slot, and a
/// worker ends the task before. intake::open_in() and close(), begin_stop() and settle() of
/// idle_detector.
class stop_world : public model::game {
 public:
  stop_world() { accounts_[1].open(); }
  /// The outside thread. Account 0 is that of its slot.
  void spawn() {
    using filch::detail::light_fence;
    accounts_[0].open();
    light_fence();  // [open]
    if (closed_.load(relaxed) == 0) {
      spawned_.set(1);
      task_.store(1, release);
      return;
    }
    accounts_[0].close();
    found_nothing();
  }
  void close() {
    using filch::detail::heavy_fence;
    closed_.store(1, relaxed);
    waiters_.store(1, relaxed);
    heavy_fence();  // [open]
    final_.store(1, release);
    settle();
  }
  /// The worker ends a task, and works until the pool has stopped.
  void work() {
    accounts_[1].close();
    found_nothing();
    while (stopped_.load(acquire) == 0) {
      if (task_.load(relaxed) != 0 && task_.exchange(0, acquire) != 0) {
        ran_.set(1);
        accounts_[1].close();
        found_nothing();
      } else {
        yield();
      }
    }
  }
  void finish() override {
    model::check(spawned_.get() == ran_.get(), "a pool stopped before a task that it had accepted");
  }

 private:
  void found_nothing() {
    using filch::detail::light_fence;
    light_fence();
    if (waiters_.load(relaxed) != 0) settle();
  }
  void settle() {
    using filch::detail::full_fence;
    full_fence();
    const bool final = final_.load(acquire) != 0;
    if (!all_closed()) return;
    if (final) stopped_.store(1, release);
  }

  bool all_closed() const {
    return filch::detail::all_closed(accounts_, [] { return 0u; });
  }

  std::array<account, 2> accounts_;
  atomic<std::uint32_t> closed_{0};
  atomic<std::uint32_t> waiters_{0};
  atomic<std::uint32_t> final_{0};
  atomic<std::uint32_t> stopped_{0};
  atomic<std::uint32_t> task_{0};
  var<int> spawned_{0};
  var<int> ran_{0};
};

// ---- futures ------------------------------------------------------------------------------------

/// A result whose content the explorer watches.
using number = std::unique_ptr<var<int>>;

class shared_state final : public filch::detail::future_state<number> {
 public:
  static void* operator new(std::size_t bytes) {
    return filch::detail::allocate(bytes, alignof(shared_state));
  }
  static void operator delete(void* memory, std::size_t bytes) {
    filch::detail::deallocate(memory, bytes, alignof(shared_state));
  }
};

class future_world : public model::game {
 public:
  void run() {
    const auto f = [] { return std::make_unique<var<int>>(7); };
    state_->result.run(f);
    state_->deliver();
    state_->let_go();
  }
  void get() {
    wait_outside(state_->done, parker_);
    take();
    state_->let_go();
  }
  void get_if_ready() {
    if (state_->done.probe()) take();
    state_->let_go();
  }
  void drop() { state_->let_go(); }

 private:
  void take() { model::check(state_->result.take()->get() == 7, "the result is wrong"); }

  shared_state* const state_ = new shared_state;  // what is under test deletes it
  parker parker_;
};

model::scenario_list scenarios() {
  using model::both_fences;
  using model::play;
  using scope = model::script<scope_world>;
  using idle = model::script<idle_world>;
  using future = model::script<future_world>;
  return model::all_of({
      play("scope", 3,
           scope{[](auto& w) { w.spawn(), w.first.give(), w.wait(1), w.leave(); },
                 [](auto& w) { w.first.take(), w.run(0); }}),
      play("scope_of_two", 2,
           model::script<two_spawned>{[](auto& w) { w.wait(2), w.leave(); },
                                      [](auto& w) { w.run(0); }, [](auto& w) { w.run(1); }}),
      play("scope_task_spawns", 2,
           model::script<one_spawned>{[](auto& w) { w.spawn_and_fail(), w.wait(2), w.leave(); },
                                      [](auto& w) { w.spawn(), w.second.give(), w.run(0); },
                                      [](auto& w) { w.second.take(), w.run(1); }}),
      play("scope_polled", 3,
           model::script<one_spawned>{[](auto& w) { w.run(0); },
                                      [](auto& w) { w.poll_and_wait(1), w.leave(); }}),
      play("scope_again", 3,
           scope{[](auto& w) {
                   w.spawn(), w.first.give(), w.wait(1);
                   w.spawn(), w.second.give(), w.wait(2), w.leave();
                 },
                 [](auto& w) { w.first.take(), w.run(0), w.second.take(), w.run(1); }}),
      play("scope_counted_apart", 3,
           scope{[](auto& w) {
                   w.spawn_apart(), w.first.give(), w.spawn_apart(), w.second.give();
                   w.wait(2), w.leave();
                 },
                 [](auto& w) { w.first.take(), w.run(0), w.second.take(), w.run(1); }}),
      both_fences("idle_after_one", 3,
                  idle{[](auto& w) { w.accept(), w.first.give(), w.wait_idle(1); },
                       [](auto& w) { w.first.take(), w.end(0, 0); }}),
      both_fences("idle_again", 3,
                  idle{[](auto& w) {
                         w.accept(), w.first.give(), w.wait_idle(1);
                         w.accept(), w.second.give(), w.wait_idle(2);
                       },
                       [](auto& w) { w.first.take(), w.end(0, 0), w.second.take(), w.end(0, 1); }}),
      both_fences(
          "idle_after_two", 2,
          model::script<two_accepted>{[](auto& w) { w.wait_idle(2); }, [](auto& w) { w.end(0, 0); },
                                      [](auto& w) { w.end(1, 1); }}),
      both_fences(
          "idle_task_spawns", 2,
          model::script<one_accepted>{[](auto& w) { w.wait_idle(2); },
                                      [](auto& w) { w.open(0), w.second.give(), w.end(0, 0); },
                                      [](auto& w) { w.second.take(), w.end(1, 1); }}),
      both_fences("stop", 2,
                  model::script<stop_world>{[](auto& w) { w.spawn(); }, [](auto& w) { w.close(); },
                                            [](auto& w) { w.work(); }}),
      play("future", 3, future{[](auto& w) { w.run(); }, [](auto& w) { w.get(); }}),
      play("future_polled", 3, future{[](auto& w) { w.run(); }, [](auto& w) { w.get_if_ready(); }}),
      play("future_dropped", 3, future{[](auto& w) { w.run(); }, [](auto& w) { w.drop(); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }
