// Every schedule of small games about continuations: then() against the end of its task, when_all()
// and when_any() of two tasks that end at the same time.
//
// The headers are the shipped ones. Where a continuation goes is decided here: it runs at once, or
// it is handed to the thread that waits for it, as a queue would.
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/gathering.hpp"
#include "library_stubs.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::all_of_many;
using filch::detail::any_of;
using filch::detail::atomic;
using filch::detail::continuation;
using filch::detail::future_state;
using filch::detail::parker;
using filch::detail::then_task;
using filch::detail::var;
using filch::detail::yield;

/// A result whose content the explorer watches.
using number = std::unique_ptr<var<int>>;

/// `State`, in memory that the explorer watches.
template <class State>
class watched final : public State {
 public:
  using State::State;
  static void* operator new(std::size_t bytes) {
    return filch::detail::allocate(bytes, alignof(watched));
  }
  static void operator delete(void* memory, std::size_t bytes) {
    filch::detail::deallocate(memory, bytes, alignof(watched));
  }
};

/// Tasks and their continuations.
class world : public model::game {
 public:
  world() { now = this; }

  /// Where continuations go.
  void start(continuation& c) {
    if (!queued_) return c.run_here();
    queue_.store(&c, std::memory_order_release);
  }
  static inline world* now = nullptr;

  void run(int i) {
    const auto f = [i] { return std::make_unique<var<int>>(7 + i); };
    task(i).result.run(f);
    task(i).deliver();
    task(i).let_go();
  }

 protected:
  void use_queue() { queued_ = true; }
  future_state<number>& task(int i) { return *tasks_.at(static_cast<std::size_t>(i)); }
  void run_queued() {
    continuation* c = nullptr;
    while ((c = queue_.load(std::memory_order_acquire)) == nullptr) yield();
    c->run_here();
  }
  template <class T>
  void wait_for(future_state<T>& state) {
    model::wait_outside(state.done, parker_);
  }
  static void expect(const number& n, int wanted) {
    model::check(n->get() == wanted, "the result is wrong");
  }

 private:
  std::array<future_state<number>*, 2> tasks_{new watched<future_state<number>>,
                                              new watched<future_state<number>>};
  bool queued_ = false;
  atomic<continuation*> queue_{nullptr};
  parker parker_;
};

// ---- then ---------------------------------------------------------------------------------------

class then_world : public world {
 public:
  then_world() { task(1).let_go(), task(1).let_go(); }  // there is only one

  void then() { last_ = follow(task(0)); }
  void then_again() { last_ = follow(*last_); }
  void get(int wanted) {
    wait_for(*last_);
    expect(last_->result.take(), wanted);
    drop();
  }
  void drop() { last_->let_go(); }

 private:
  struct add_one {
    number operator()(number n) const {
      n->set(n->get() + 1);
      return n;
    }
  };
  using step = watched<then_task<add_one, future_state<number>>>;

  static step* follow(future_state<number>& from) {
    auto* const next = new step(add_one{});
    next->follow(from);
    return next;
  }
  step* last_ = nullptr;
};

// ---- when_all and when_any ----------------------------------------------------------------------

class all_world : public world {
 public:
  void when_all() {
    all_->add(task(0)), all_->add(task(1));
    all_->begin();
  }
  void get() {
    wait_for(*all_);
    const auto both = all_->result.take();
    expect(both.at(0), 7), expect(both.at(1), 8);
    drop();
  }
  void drop() { all_->let_go(); }

 private:
  watched<all_of_many<number>>* all_ = new watched<all_of_many<number>>(2);
};

class any_world : public world {
 public:
  void when_any() {
    any_->add(0, task(0)), any_->add(1, task(1));
    any_->begin();
  }
  void get() {
    wait_for(*any_);
    const auto first = any_->result.take();
    expect(first.second, 7 + static_cast<int>(first.first));
    drop();
  }
  void drop() { any_->let_go(); }
  void run_first() { run_queued(); }

 private:
  watched<any_of<number>>* any_ = new watched<any_of<number>>(2);
};

/// when_any() was called before. The thread that waits for it also runs it.
class queued_any_world : public any_world {
 public:
  queued_any_world() {
    use_queue();
    when_any();
  }
};

model::scenario_list scenarios() {
  using model::play;
  using then = model::script<then_world>;
  using all = model::script<all_world>;
  using any = model::script<any_world>;
  using queued = model::script<queued_any_world>;
  return model::all_of({
      play("then", 3, then{[](auto& w) { w.run(0); }, [](auto& w) { w.then(), w.get(8); }}),
      play("then_dropped", 3, then{[](auto& w) { w.run(0); }, [](auto& w) { w.then(), w.drop(); }}),
      play("then_of_then", 3,
           then{[](auto& w) { w.run(0); }, [](auto& w) { w.then(), w.then_again(), w.get(9); }}),
      play("when_all", 2,
           all{[](auto& w) { w.when_all(), w.get(); }, [](auto& w) { w.run(0); },
               [](auto& w) { w.run(1); }}),
      play("when_all_dropped", 2,
           all{[](auto& w) { w.when_all(), w.drop(); }, [](auto& w) { w.run(0); },
               [](auto& w) { w.run(1); }}),
      play("when_any", 2,
           any{[](auto& w) { w.when_any(), w.get(); }, [](auto& w) { w.run(0); },
               [](auto& w) { w.run(1); }}),
      play("when_any_dropped", 2,
           any{[](auto& w) { w.when_any(), w.drop(); }, [](auto& w) { w.run(0); },
               [](auto& w) { w.run(1); }}),
      play("when_any_run_elsewhere", 2,
           queued{[](auto& w) { w.run_first(), w.get(); }, [](auto& w) { w.run(0); },
                  [](auto& w) { w.run(1); }}),
  });
}

}  // namespace

void filch::detail::continuation::start_late_given(std::uint32_t) noexcept { start_given(nullptr); }

void filch::detail::continuation::start_given(const chosen_pool*) noexcept {
  world::now->start(*this);
}
void filch::detail::task_ended() noexcept {}

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }
