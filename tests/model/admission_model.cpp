// Every schedule of small games with a limited queue: no thread waits for ever, each admission goes
// to exactly one thread, and the limit is never exceeded.
//
// The class `admission` is the shipped one. The mutex is one of the explorer's.
#include <array>
#include <cstdint>

#include "filch/detail/base/futex.hpp"
#include "filch/detail/sched/admission.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::atomic;
using filch::detail::parker;

class mutex {
 public:
  void lock() {
    while (held_.exchange(1, std::memory_order_acquire) != 0) filch::detail::futex_wait(held_, 1);
  }
  void unlock() {
    held_.store(0, std::memory_order_release);
    (void)filch::detail::futex_wake_all(held_);
  }

 private:
  atomic<std::uint32_t> held_{0};
};

using admission = filch::detail::basic_admission<mutex>;

/// Admission for one. Each thread has its own parker.
class world : public model::game {
 public:
  void enter(int me, std::size_t count = 1) {
    admission::waiter mine(count);
    if (!admission_.enter(mine))
      model::wait_outside(mine.entered, parkers_.at(static_cast<size_t>(me)));
    inside_.fetch_add(1, std::memory_order_relaxed);
  }
  /// A thread that does other things meanwhile, and tries again.
  void enter_late(int me) {
    for (;;) {
      admission::waiter mine(1, true);
      if (admission_.enter(mine)) break;
      model::wait_outside(mine.entered, parkers_.at(static_cast<size_t>(me)));
    }
    inside_.fetch_add(1, std::memory_order_relaxed);
  }
  void leave(std::size_t count = 1) {
    inside_.fetch_sub(1, std::memory_order_relaxed);
    admission_.leave(count);
  }
  /// Enters and leaves. If no thread enters anyway, only one is inside at a time.
  void visit(int me) {
    enter(me);
    model::check(inside_.load(std::memory_order_relaxed) == 1, "more are inside than may be");
    leave();
  }
  void visit_if_free() {
    if (!admission_.try_enter(1)) return;
    model::check(inside_.fetch_add(1, std::memory_order_relaxed) == 0,
                 "more are inside than may be");
    leave();
  }
  /// A task that need not wait, because it was accepted before and comes back.
  void come_back() {
    admission_.enter_anyway(1);
    admission_.leave(1);
  }
  void close() { admission_.close(); }
  void finish() override {
    model::check(admission_.size_hint() == 0, "the count is wrong");
    model::check(admission_.try_enter(1), "it is empty, but says that a thread waits");
  }

 private:
  admission admission_{1};
  std::array<parker, 3> parkers_;
  atomic<std::uint32_t> inside_{0};
};

class taken : public world {
 public:
  taken() { enter(0); }
};

model::scenario_list scenarios() {
  using model::play;
  using in_taken = model::script<taken>;
  return model::all_of({
      play("free_slot", 3, in_taken{[](auto& w) { w.leave(); }, [](auto& w) { w.visit(1); }}),
      play("two_in_line", 2,
           in_taken{[](auto& w) { w.leave(); }, [](auto& w) { w.visit(1); },
                    [](auto& w) { w.visit(2); }}),
      play("no_thread_pushes_in", 2,
           in_taken{[](auto& w) { w.leave(); }, [](auto& w) { w.visit(1); },
                    [](auto& w) { w.visit_if_free(); }}),
      play("again", 3,
           model::script<world>{[](auto& w) { w.visit(0), w.visit(0); },
                                [](auto& w) { w.visit(1), w.visit(1); }}),
      play("larger_than_the_room", 2,
           in_taken{[](auto& w) { w.leave(); }, [](auto& w) { w.enter(1, 3), w.leave(3); },
                    [](auto& w) { w.visit(2); }}),
      play("comes_back", 2,
           in_taken{[](auto& w) { w.leave(); }, [](auto& w) { w.enter(1), w.leave(); },
                    [](auto& w) { w.come_back(); }}),
      play("tries_again", 2,
           in_taken{[](auto& w) { w.leave(); }, [](auto& w) { w.enter_late(1), w.leave(); },
                    [](auto& w) { w.visit(2); }}),
      play("closed", 2,
           in_taken{[](auto& w) { w.close(); }, [](auto& w) { w.enter(1), w.leave(); },
                    [](auto& w) { w.enter(2), w.leave(), w.leave(); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }
