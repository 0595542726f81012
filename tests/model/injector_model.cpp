// Every schedule of small games with one injector: each node is taken exactly once, those of one
// producer in their order, no thread touches a node of another one, and a thread that sleeps
// because the injector is empty is woken when it is not.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filch/detail/queue/injector.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::atomic;
using filch::detail::injector;
using filch::detail::parker;
using filch::detail::sleepers;
using filch::detail::var;

/// A node whose link and content the explorer watches for races.
struct node {
  class link {
   public:
    link(std::nullptr_t = nullptr) {}  // NOLINT(google-explicit-constructor): like a pointer
    link(const link& other) : to_(other.to_.get()) {}
    operator node*() const { return to_.get(); }
    link& operator=(node* to) {
      to_.set(to);
      return *this;
    }
    link& operator=(const link& other) { return *this = static_cast<node*>(other); }
    node* operator->() const { return to_.get(); }

   private:
    var<node*> to_{nullptr};
  };

  link next;
  var<int> content{0};
};

/// Producers put in their own nodes; consumers record what they get.
class world : public model::game {
 public:
  void push(int producer) { queue.push(&fresh(producer)); }
  void push_chain(int producer, int count) {
    node* const first = &fresh(producer);
    node* last = first;
    for (int i = 1; i < count; ++i) {
      node* const n = &fresh(producer);
      last->next = n;
      last = n;
    }
    queue.push_chain(first, last);
  }
  /// Takes up to `most` nodes, once.
  void take(int consumer, std::size_t most) {
    std::size_t count = 0;
    for (node* n = queue.take(most); n != nullptr;) {
      node* const next = n->next;
      model::check(++count <= most, "the batch is larger than what was asked for");
      const int content = open(*n);
      int& before = newest_.at(static_cast<std::size_t>(consumer))
                        .at(static_cast<std::size_t>(content / 100 - 1));
      model::check(content > before, "the nodes of one producer change places");
      before = content;
      n = next;
    }
  }
  void finish() override {
    constexpr int last = 2;
    for (std::size_t p = 0; p < 2; ++p) newest_[last][p] = std::max(newest_[0][p], newest_[1][p]);
    for (int i = 0; i < 8; ++i) take(last, 5);
    for (const auto& of : made_)
      for (const node& n : of)
        model::check(n.content.get() <= 0, "node " + std::to_string(n.content.get()) + " is lost");
  }

 protected:
  int open(node& n) {
    const int content = n.content.get();
    model::check(content > 0, "a node was taken twice, or before it was put in");
    n.content.set(-content);
    return content;
  }
  injector<node> queue;

 private:
  node& fresh(int producer) {
    int& next = pushed_.at(static_cast<std::size_t>(producer));
    node& n = made_.at(static_cast<std::size_t>(producer)).at(static_cast<std::size_t>(next++));
    n.content.set(100 * (producer + 1) + next);
    return n;
  }

  std::array<std::array<node, 4>, 2> made_;
  std::array<int, 2> pushed_{};
  std::array<std::array<int, 2>, 3> newest_{};  // per consumer and producer
};

/// Workers that take batches of two from the injector, put the second node where others see it, and
/// sleep when there is nothing; or that take one at a time. As in job_finder.cpp, in a few lines.
class sleepy_world : public world {
 public:
  explicit sleepy_world(std::size_t at_once = 2) : at_once_(at_once) {}
  /// P1 to P4, with one wake-up for all nodes.
  void inject_chain(int count) {
    push_chain(0, count);
    if (sleeping_.any()) wake_one();
  }
  /// Works until it has run `wanted` jobs.
  void work(int me, std::uint32_t wanted) {
    for (bool was_idle = false; wanted != 0;) {
      if (node* const n = find(me)) {
        if (was_idle) pass_on();
        was_idle = false;
        (void)open(*n);
        run_.fetch_add(1, std::memory_order_relaxed);
        --wanted;
      } else {
        was_idle = true;
        sleep(me);
      }
    }
  }
  /// Runs one job, which lasts until others have run `others` jobs. So those must not be left where
  /// no sleeper is woken for them (S7).
  void work_for_long(int me, std::uint32_t others) {
    node* n = nullptr;
    while ((n = find(me)) == nullptr) filch::detail::yield();
    (void)open(*n);
    while (run_.load(std::memory_order_relaxed) != others) filch::detail::yield();
  }
  void finish() override {
    world::finish();
    model::check(sleeping_.count_hint() == 0, "the count is wrong");
  }

 private:
  node* find(int me) {
    for (participant& p : participants_)
      if (p.spare.load(std::memory_order_relaxed) != nullptr)
        if (node* const n = p.spare.exchange(nullptr, std::memory_order_acquire)) return n;
    node* const n = queue.take(at_once_);
    if (n == nullptr) return nullptr;
    if (n->next == nullptr && !queue.empty_hint() && sleeping_.any()) wake_one();
    if (node* const second = n->next) {
      at(me).spare.store(second, std::memory_order_release);
      if (sleeping_.any()) wake_one();
    }
    return n;
  }
  bool has_work() const {
    return !queue.empty_hint() ||
           participants_[0].spare.load(std::memory_order_relaxed) != nullptr ||
           participants_[1].spare.load(std::memory_order_relaxed) != nullptr;
  }
  void sleep(int me) {
    sleeping_.announce(at(me).sleeper, [] {});
    const bool awake = has_work();
    if (!awake) at(me).sleeper.park();
    sleeping_.retract(at(me).sleeper);
    if (awake) filch::detail::yield();  // it may be another's turn
  }
  void pass_on() {
    if (sleeping_.any() && has_work()) wake_one();
  }
  void wake_one() {
    for (participant& p : participants_)
      if (sleeping_.wake(p.sleeper)) return;
  }

  struct participant {
    atomic<node*> spare{nullptr};  // its deque
    parker sleeper;
  };
  participant& at(int i) { return participants_.at(static_cast<std::size_t>(i)); }

  std::size_t at_once_;
  std::array<participant, 2> participants_;
  sleepers sleeping_{8};
  atomic<std::uint32_t> run_{0};
};

class left_over : public sleepy_world {
 public:
  left_over() { push_chain(0, 3); }
};

class one_left_over : public sleepy_world {
 public:
  one_left_over() : sleepy_world(1) { push_chain(0, 2); }
};

model::scenario_list scenarios() {
  using model::play;
  using queue = model::script<world>;
  return model::all_of({
      play("one_each", 3,
           queue{[](auto& w) { w.push(0), w.push(0); },
                 [](auto& w) { w.take(0, 1), w.take(0, 1); }}),
      play("batch", 3,
           queue{[](auto& w) { w.push(0), w.push_chain(0, 3); },
                 [](auto& w) { w.take(0, 2), w.take(0, 2); }}),
      play("two_producers", 2,
           queue{[](auto& w) { w.push(0), w.push(0); }, [](auto& w) { w.push_chain(1, 2); },
                 [](auto& w) { w.take(0, 2), w.take(0, 2); }}),
      play("two_consumers", 2,
           queue{[](auto& w) { w.push_chain(0, 2), w.push(0); },
                 [](auto& w) { w.take(0, 1), w.take(0, 2); },
                 [](auto& w) { w.take(1, 1), w.take(1, 2); }}),
      play("left_over", 3,
           model::script<left_over>{[](auto& w) { w.work_for_long(0, 2); },
                                    [](auto& w) { w.work(1, 2); }}),
      play("one_left_over", 3,
           model::script<one_left_over>{[](auto& w) { w.work_for_long(0, 1); },
                                        [](auto& w) { w.work(1, 1); }}),
      play("sleepy_consumer", 3,
           model::script<sleepy_world>{[](auto& w) { w.inject_chain(2); },
                                       [](auto& w) { w.work(0, 2); }}),
      play("sleepy_consumers", 2,
           model::script<sleepy_world>{[](auto& w) { w.inject_chain(2); },
                                       [](auto& w) { w.work(0, 1); },
                                       [](auto& w) { w.work(1, 1); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }
