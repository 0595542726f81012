// Every schedule of small games with one stack of branches: an owner that forks and joins, thieves
// that take, ask and expose, and sleepers. Each branch is run exactly once and as it was pushed,
// and no thread sleeps while there is a branch to take.
//
// The header is the shipped one. Its use by the scheduler (answer_thieves() and the rest of
// branches.cpp, idle_sleep::sleep, thief::ask_and_steal, and visit(), open() and close() of
// branch_share) is repeated here in a few lines. Mutants change these lines too.
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filch/detail/queue/split_stack_slow_path.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "scenario.hpp"

namespace {

using filch::steal_status;
using filch::detail::asymmetric_fences_available;
using filch::detail::atomic;
using filch::detail::latch;
using filch::detail::parker;
using filch::detail::sleepers;
using filch::detail::var;
using filch::detail::yield;

constexpr auto seq_cst = std::memory_order_seq_cst;
constexpr auto release = std::memory_order_release;
constexpr auto relaxed = std::memory_order_relaxed;

/// The header makes slots and hands them out. Their contents are kept beside them, in variables
/// that the explorer watches.
struct alignas(64) slot {
  slot() noexcept;
};
using stack = filch::detail::split_stack<slot>;

constexpr std::size_t slots = 8;
alignas(slots * sizeof(slot)) std::array<slot, slots> memory;  // aligned: within 4 GiB

// ---- branches -----------------------------------------------------------------------------------

/// Branches 1, 2, ... and the threads that ran them. The explorer runs one thread at a time, so the
/// bookkeeping is plain.
class branches : public model::game {
 public:
  branches() { current = this; }
  ~branches() override { current = nullptr; }
  void finish() override {
    for (int i = 1; i <= pushed_; ++i)
      model::check(runs_.at(index(i)) == 1, "branch " + std::to_string(i) + " was not run");
  }

  static void constructed(const slot* h) {
    if (current != nullptr) current->constructed_.at(place_of(h)).set(true);
  }

 protected:
  void fill(slot* h) { content(h).set(++pushed_); }
  int newest() const { return pushed_; }
  bool is_constructed(const slot* h) { return constructed_.at(place_of(h)).get(); }
  static std::size_t place_of(const slot* h) { return static_cast<std::size_t>(h - memory.data()); }

  /// Run by the owner, which has slot `h` back.
  void run_here(slot* h, int expected) {
    model::check(content(h).get() == expected, "a slot changed under its owner");
    content(h).set(0);
    count(expected);
  }
  /// Run by a thief. The result goes into the slot of the branch; then the owner may use the slot
  /// again.
  int run_taken(slot* h) {
    const int n = content(h).get();
    model::check(n >= 1 && n <= pushed_, "took what was never pushed");
    count(n);
    content(h).set(-n);
    latch::set(done(h));
    return n;
  }
  void wait_for(slot* h, int expected) {
    while (!done(h).probe()) yield();
    model::check(content(h).get() == -expected, "the result is not there");
    done(h).reset();
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  var<int>& content(const slot* h) { return content_.at(place_of(h)); }
  latch& done(const slot* h) { return done_.at(place_of(h)); }
  void count(int n) {
    model::check(++runs_.at(index(n)) == 1, "branch " + std::to_string(n) + " was run twice");
  }

  static inline branches* current = nullptr;  // the game that is played
  std::array<var<bool>, slots> constructed_;
  std::array<var<int>, slots> content_;
  std::array<latch, slots> done_;
  std::array<int, 16> runs_{};
  int pushed_ = 0;
};

slot::slot() noexcept { branches::constructed(this); }

/// A stack with an owner that stays, and thieves. The owner's functions come first.
class one_stack : public branches {
 public:
  /// The first push is always heard, later ones only if a thief has asked. So one push is made
  /// beforehand.
  explicit one_stack(std::ptrdiff_t shared = 4) {
    open(shared, false);
    push(), pop();
  }

  void push() {
    slot* const h = s_.next();
    fill(h);
    forked_.push_back({h, newest()});
    if (s_.push(h)) return;
    answer(h);
    if (!s_.shares(h)) s_.go_on_at(h + 1);  // the slots behind the end are the owner's alone
  }
  /// In an isolation region: the slot is tagged while it is free.
  void push_tagged(int tag) {
    tags_.at(place_of(s_.next())).store(tag, relaxed);
    push();
  }
  /// region_stack::enter and leave: in a region every push is heard.
  void begin_region() { s_.hear_from(s_.next()); }
  void end_region() { s_.hear_from(nullptr); }
  /// worker::has_work_for_thief
  const slot* look() {
    const slot* const oldest = s_.oldest_hint();
    model::check(oldest == nullptr || is_constructed(oldest),
                 "a thief looks at a slot that is not constructed");
    return oldest;
  }
  /// thief::steal_of_region
  void take_if(int wanted) {
    if (look() == nullptr) return;
    const auto tag = [&](const slot& s) { return tags_.at(place_of(&s)).load(relaxed); };
    slot* h = nullptr;
    if (s_.steal_if(h, [&](const slot& s) { return tag(s) == wanted; }) != steal_status::taken)
      return;
    model::check(tag(*h) == wanted, "took a branch of another region");
    (void)run_taken(h);
  }
  /// join_many: all at once if they fit and no thief asks, otherwise one by one.
  void push_two() {
    slot* const h = s_.next();
    if (!s_.has_capacity(h, 2)) return push(), push();
    for (slot* const each : {h, h + 1}) {
      fill(each);
      forked_.push_back({each, newest()});
    }
    if (!s_.push(h, 2)) answer(h + 1);
  }
  void pop() {
    const auto [h, n] = forked_.back();
    forked_.pop_back();
    if (s_.pop(h) || !s_.shares(h) || s_.take_back(h)) return run_here(h, n);
    if (joins_while_waiting_) push(), pop();
    wait_for(h, n);
    s_.release(h);
  }
  /// A thread that waits for a stolen branch runs other jobs, and those fork.
  void pop_busily() {
    joins_while_waiting_ = true;
    pop();
    joins_while_waiting_ = false;
  }
  /// job_finder::find_in_own_branches
  void run_own() {
    if (!s_.has_work()) return;
    s_.expose_all();
    steal();
  }

  void steal() {
    slot* h = nullptr;
    if (s_.steal(h) == steal_status::taken) (void)run_taken(h);
  }
  void ask() { s_.ask(); }
  void expose() { (void)s_.expose_for_owner(); }
  void take() {
    if (slot* const h = find(s_)) (void)run_taken(h);
  }

  void finish() override {
    while (!forked_.empty()) pop();
    model::check(s_.size_hint() == 0 && !s_.has_work() && !s_.has_public(), "there is more");
    branches::finish();
  }

 protected:
  struct closed {};
  explicit one_stack(closed) {}
  void open(std::ptrdiff_t shared, bool for_one_join) {
    s_.open(memory.data(), memory.data() + shared, !asymmetric_fences_available(), for_one_join);
  }
  virtual void answer(slot* h) { (void)s_.answer(h); }
  /// thief::ask_and_steal, without patience.
  static slot* find(stack& s) {
    if (!s.has_work()) return nullptr;
    s.ask();
    slot* h = nullptr;
    if (s.steal(h) == steal_status::empty && s.expose_for_owner()) (void)s.steal(h);
    return h;
  }

  stack s_;

 private:
  struct fork {
    slot* where;
    int what;
  };
  std::vector<fork> forked_;
  std::array<atomic<int>, slots> tags_{};
  bool joins_while_waiting_ = false;
};

/// A stack with some branches: private, or public as far as possible.
template <int Count, bool Public = false, std::ptrdiff_t Shared = 4>
class stack_of : public one_stack {
 public:
  stack_of() : one_stack(Shared) {
    for (int i = 0; i < Count; ++i) push();
    if (Public) s_.expose_all();
  }
};

/// Only the first slot is constructed. The first push constructs the others.
template <std::ptrdiff_t Shared>
class fresh_stack : public one_stack {
 public:
  fresh_stack() : one_stack(closed{}) { open(Shared, false); }
};

// ---- guests -------------------------------------------------------------------------------------

/// Outside threads that take the same slot one after the other, each for one join, and thieves. A
/// guest's stack belongs to its thread, and is gone after the guest has left.
class guests : public branches {
 public:
  void join_with_join() { join(inside::first_branch); }
  void join_with_last_join() { join(inside::last_branch); }
  void join_and_leave() {
    join(inside::neither);
    latch::set(left_);
  }
  void join_later() {
    model::wait_outside(left_, parker_);
    join(inside::neither);
  }
  /// The pool is gone: the branches are in the thread's own slots, and the stack stays closed.
  void join_alone() {
    stack mine;
    model::check(mine.next() == nullptr, "a stack that is not open has a slot");
    slot* const first = memory.data() + 4;
    join_in_own_slot(mine, first, [&] { join_in_own_slot(mine, mine.next(), [] {}); });
    mine.go_nowhere();
    model::check(mine.next() == nullptr, "a closed stack has a slot");
  }
  void visit() {
    slot* h = nullptr;
    visitors_.fetch_add(1, seq_cst);
    if (stack* const s = branches_.load(seq_cst)) {
      s->ask();
      if (s->steal(h) == steal_status::empty && s->expose_for_owner()) (void)s->steal(h);
    }
    visitors_.fetch_sub(1, release);
    if (h != nullptr) (void)run_taken(h);
  }

 private:
  enum class inside { neither, first_branch, last_branch };
  /// Makes a join inside one of its branches.
  void join(inside nested_in) {
    std::optional<stack> mine(std::in_place);
    mine->open(memory.data(), memory.data() + 4, !asymmetric_fences_available(), true);
    branches_.store(&*mine, seq_cst);
    slot* const first = push(*mine);
    const int number = newest();
    if (nested_in == inside::first_branch) nested(*mine);
    model::check(!mine->pop(first), "a guest's first branch went the short way");
    if (mine->take_back(first)) {
      run_here(first, number);
      if (nested_in == inside::last_branch) nested(*mine);  // in the same slot
    } else {
      wait_for(first, number);
      mine->release(first);
    }
    branches_.store(nullptr, seq_cst);
    while (visitors_.load(seq_cst) != 0) yield();
    mine->close();
    mine.reset();
  }
  template <class F>
  void join_in_own_slot(stack& s, slot* h, F first_branch) {
    fill(h);
    const int number = newest();
    model::check(!s.push(h), "a closed stack took a branch silently");
    s.go_on_at(h + 1);
    first_branch();
    (void)s.pop(h);
    run_here(h, number);
  }
  slot* push(stack& s) {
    slot* const h = s.next();
    fill(h);
    if (!s.push(h)) (void)s.answer(h);
    return h;
  }
  void nested(stack& s) {
    slot* const h = push(s);
    const int number = newest();
    if (s.pop(h) || s.take_back(h)) return run_here(h, number);
    wait_for(h, number);
    s.release(h);
  }

  atomic<stack*> branches_{nullptr};
  atomic<std::uint32_t> visitors_{0};
  latch left_;  // the first guest has
  parker parker_;
};

// ---- sleepers -----------------------------------------------------------------------------------

/// Thieves that have found nothing sleep. They have to run the owner's last branches, because the
/// owner is busy.
class sleepy_thieves : public one_stack {
 public:
  void work(int me) { (void)run_taken(next(me)); }
  /// It is enough that the thief is awake while there is work.
  void nap(int me) { sleep(me); }
  /// The thief takes the branch that it was woken for, and passes the wake-up on.
  void nap_and_steal(int me) {
    sleep(me);
    slot* h = nullptr;
    if (s_.steal(h) != steal_status::empty) pass_on();
    if (h != nullptr) (void)run_taken(h);
  }
  void finish() override {
    one_stack::finish();
    model::check(sleeping_.count_hint() == 0, "the count of sleepers is wrong");
  }

 protected:
  sleepy_thieves() = default;
  explicit sleepy_thieves(closed c) : one_stack(c) {}
  virtual stack* visited() { return &s_; }

 private:
  /// answer_thieves()
  void answer(slot* h) override {
    const bool some = s_.answer(h);
    if (!sleeping_.any()) return;               // P2, P3
    if (some) wake_one();                       // P4
    if (sleeping_.count_hint() != 0) s_.ask();  // for those who still sleep
  }
  /// run_loop::next_job, after it has found nothing.
  slot* next(int me) {
    for (;;) {
      sleep(me);
      stack* const s = visited();
      if (s == nullptr || !s->has_work()) continue;
      slot* h = nullptr;
      if (s->steal(h) == steal_status::empty && s->expose_for_owner()) (void)s->steal(h);
      if (h == nullptr) continue;
      pass_on();
      return h;
    }
  }
  /// idle_sleep::sleep: S1 to S5
  void sleep(int me) {
    parker& sleeper = parkers_.at(static_cast<std::size_t>(me));
    sleeping_.announce(sleeper, [&] { ask_all(); });  // S1, S2
    const bool sleeps = !has_work();                  // S3
    if (sleeps) sleeper.park();                       // S4
    sleeping_.retract(sleeper);                       // S5
    if (!sleeps) yield();
  }
  bool has_work() {
    stack* const s = visited();
    return s != nullptr && s->size_hint() != 0;
  }
  void ask_all() {
    if (stack* const s = visited()) s->ask();
  }
  void wake_one() {
    for (parker& sleeper : parkers_)
      if (sleeping_.wake(sleeper)) return;
  }
  void pass_on() {
    if (sleeping_.any() && has_work()) wake_one();
  }

  sleepers sleeping_{8};
  std::array<parker, 2> parkers_;
};

/// A thief has asked before.
class asked_before : public sleepy_thieves {
 public:
  asked_before() { ask(); }
};

/// The owner arrives during the game.
class late_owner : public sleepy_thieves {
 public:
  late_owner() : sleepy_thieves(closed{}) {}
  void arrive() {
    open(4, true);
    branches_.store(&s_, seq_cst);
  }

 private:
  stack* visited() override { return branches_.load(seq_cst); }

  atomic<stack*> branches_{nullptr};
};

model::scenario_list scenarios() {
  using model::both_fences;
  using model::play;
  using forks = model::script<one_stack>;
  using fresh = model::script<fresh_stack<4>>;
  using fresh_2 = model::script<fresh_stack<2>>;
  using forks_1 = model::script<stack_of<1>>;
  using forks_2 = model::script<stack_of<2>>;
  using public_1 = model::script<stack_of<1, true>>;
  using public_2 = model::script<stack_of<2, true>>;
  using short_1 = model::script<stack_of<1, false, 1>>;
  using joins = model::script<guests>;
  using thieves = model::script<sleepy_thieves>;
  using asked = model::script<asked_before>;
  using late = model::script<late_owner>;
  return model::all_of({
      both_fences("asked", 3,
                  forks{[](auto& w) { w.push(), w.push(), w.pop(), w.pop(); },
                        [](auto& w) { w.ask(), w.steal(), w.steal(); }}),
      both_fences("fresh_twice", 0,
                  fresh{[](auto& w) {
                          w.push(), w.push(), yield(), w.pop();
                          w.push(), w.push(), yield(), w.pop();
                        },
                        [](auto& w) { w.steal(), w.steal(), yield(), w.steal(), w.steal(); },
                        [](auto& w) { (void)w.look(); }}),
      both_fences("fresh_to_the_end", 1,
                  fresh_2{[](auto& w) {
                            w.push(), w.push(), yield(), w.pop();
                            w.push(), w.push();
                          },
                          [](auto& w) { w.steal(), w.steal(); }, [](auto& w) { (void)w.look(); }}),
      play("pop_one", 3, forks_1{[](auto& w) { w.pop(); }, [](auto& w) { w.take(); }}),
      play("pop_two", 3,
           forks_2{[](auto& w) { w.pop(), w.pop(); }, [](auto& w) { w.take(), w.steal(); }}),
      play("pop_push_pop", 3,
           forks_1{[](auto& w) { w.pop(), w.push(), w.pop(); }, [](auto& w) { w.take(); }}),
      both_fences("two_at_once", 2,
                  forks{[](auto& w) { w.push_two(), w.push(), w.pop(), w.pop(), w.pop(); },
                        [](auto& w) { w.ask(), w.take(), w.steal(); }}),
      play("many_at_once", 2,
           forks_1{[](auto& w) { w.push_two(), w.push_two(), w.pop(); },
                   [](auto& w) { w.take(), w.take(); }}),
      play("exposed_for_another", 2,
           forks{[](auto& w) { w.push(), w.push(), w.push(), w.pop(); },
                 [](auto& w) { w.expose(); }, [](auto& w) { w.steal(), w.steal(); }}),
      play("pushed_while_exposing", 2,
           forks_1{[](auto& w) { w.push(), w.push(); }, [](auto& w) { w.expose(); },
                   [](auto& w) { w.steal(), w.steal(); }}),
      play("popped_while_exposing", 3,
           forks_1{[](auto& w) { w.push(), w.push(), w.pop(); },
                   [](auto& w) { w.expose(), w.steal(), w.steal(); }}),
      play("two_exposers", 2,
           forks_2{[](auto& w) { w.pop(); }, [](auto& w) { w.expose(), w.steal(), w.steal(); },
                   [](auto& w) { w.expose(); }}),
      play("answer_and_expose", 3,
           forks_1{[](auto& w) { w.push(), w.pop(), w.pop(); },
                   [](auto& w) { w.ask(), w.expose(), w.steal(); }}),
      both_fences(
          "take_back", 3,
          public_2{[](auto& w) { w.pop(), w.pop(); }, [](auto& w) { w.steal(), w.steal(); }}),
      both_fences("used_again", 2,
                  public_1{[](auto& w) { w.pop(), w.push(), w.pop(); }, [](auto& w) { w.steal(); },
                           [](auto& w) { w.ask(), w.steal(); }}),
      both_fences("busy_owner", 3,
                  public_1{[](auto& w) { w.pop_busily(); }, [](auto& w) { w.steal(), w.take(); }}),
      both_fences("own_branches", 3,
                  forks_2{[](auto& w) { w.run_own(), w.push(), w.pop(), w.pop(); },
                          [](auto& w) { w.take(); }}),
      both_fences("beyond_the_end", 3,
                  short_1{[](auto& w) { w.push(), w.push(), w.pop(), w.pop(); },
                          [](auto& w) { w.expose(), w.steal(), w.expose(), w.steal(); }}),
      both_fences("chosen", 3,
                  forks{[](auto& w) { w.push_tagged(1), w.pop(), w.push_tagged(2), w.pop(); },
                        [](auto& w) { w.take_if(1), w.take_if(2); }}),
      both_fences("region", 2,
                  forks{[](auto& w) {
                          w.begin_region(), w.push_tagged(1), w.pop(), w.end_region();
                          w.push_tagged(0), w.pop();
                        },
                        [](auto& w) { w.take_if(1), w.take_if(0); }}),
      both_fences(
          "chosen_of_two", 2,
          public_1{[](auto& w) { w.push_tagged(1), w.pop(), w.pop(); },
                   [](auto& w) { w.take_if(0), w.take_if(1); }, [](auto& w) { w.steal(); }}),
      play("chosen_while_exposing", 2,
           forks_1{[](auto& w) { w.push_tagged(1), w.pop(); },
                   [](auto& w) { w.expose(), w.steal(); }, [](auto& w) { w.take_if(0); }}),
      play("no_slot", 3, joins{[](auto& w) { w.join_alone(); }, [](auto& w) { w.visit(); }}),
      both_fences("guest", 3,
                  joins{[](auto& w) { w.join_with_join(); }, [](auto& w) { w.visit(); }}),
      both_fences("last_branch", 3,
                  joins{[](auto& w) { w.join_with_last_join(); }, [](auto& w) { w.visit(); }}),
      play("next_guest", 2,
           joins{[](auto& w) { w.join_and_leave(); }, [](auto& w) { w.join_later(); },
                 [](auto& w) { w.visit(); }}),
      both_fences("sleeper", 3, thieves{[](auto& w) { w.push(); }, [](auto& w) { w.work(0); }}),
      play("sleeper_works", 3,
           thieves{[](auto& w) { w.push(), w.push(); }, [](auto& w) { w.work(0), w.work(0); }}),
      both_fences("push_pop_push", 3,
                  thieves{[](auto& w) { w.push(), w.pop(), w.push(); }, [](auto& w) { w.nap(0); }}),
      play("two_sleepers", 2,
           thieves{[](auto& w) { w.push(), w.push(); }, [](auto& w) { w.nap_and_steal(0); },
                   [](auto& w) { w.nap(1); }}),
      both_fences("late_owner", 3,
                  late{[](auto& w) { w.arrive(), w.push(), w.push(); }, [](auto& w) { w.nap(0); }}),
      both_fences("asked_by_another", 2,
                  asked{[](auto& w) { w.push(), w.pop(), w.push(); }, [](auto& w) { w.nap(0); },
                        [](auto& w) { w.ask(); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }
