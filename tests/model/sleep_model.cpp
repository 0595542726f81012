// Every schedule of small games about sleep: parker, latch and sleepers, against publishers,
// setters and those who stop. A lost wake-up is a thread that sleeps for ever, which the explorer
// reports.
//
// The headers are the shipped ones. How they are put together (idle_sleep::sleep,
// run_loop::next_job, waker::wake_one, has_work and the end of registry::settle, wait_for) is said
// again here in a few lines, since the real ones know clocks and tallies: `pool`, and wait_outside
// in scenario.hpp. Mutants change these lines too.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::atomic;
using filch::detail::heavy_fence;
using filch::detail::latch;
using filch::detail::parker;
using filch::detail::sleepers;
using filch::detail::var;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// ---- latch and parker --------------------------------------------------------------------------

/// A stack frame with a latch in it: gone as soon as its waiter has seen the latch.
struct frame {
  latch done;
  var<int> result{0};
};

class latch_world : public model::game {
 public:
  latch_world() {
    for (auto& f : frames_) f.emplace();
  }
  /// Waits, looks at the result, and returns from the function whose frame it is.
  void wait_and_return(int i, parker& in) {
    model::wait_outside(at(i)->done, in);
    model::check(at(i)->result.get() == 1, "the result is not there");
    at(i).reset();
  }
  /// Waits, and uses the latch again.
  void wait_and_reset(int i, parker& in) {
    model::wait_outside(at(i)->done, in);
    at(i)->result.set(0);
    at(i)->done.reset();
    latch_is_reset.store(1, release);
  }
  void set(int i) {
    at(i)->result.set(1);
    latch::set(at(i)->done);
  }
  /// A claim for another reason. Now the waiter can leave before the setter calls it.
  void wake_for_nothing() {
    if (sleeper.claim()) sleeper.unpark_claimed();
  }
  void finish() override {
    model::check(!sleeper.is_asleep(), "a thread stayed announced as a sleeper");
  }

  parker sleeper;
  atomic<std::uint32_t> parker_is_free{0};
  atomic<std::uint32_t> latch_is_reset{0};

 private:
  std::optional<frame>& at(int i) { return frames_.at(static_cast<std::size_t>(i)); }
  std::array<std::optional<frame>, 2> frames_;
};

// ---- a pool -------------------------------------------------------------------------------------

/// What matters of a pool for sleep: jobs that were published, parkers, and who sleeps.
class pool : public model::game {
 public:
  /// P1 to P4.
  void publish(int job) {
    jobs_.at(static_cast<std::size_t>(job)).store(1, release);  // P1
    if (sleeping_.any()) wake_one();                            // P2, P3, P4
  }
  /// Several jobs, but only one wake-up: the woken has to wake the next.
  void publish_together() {
    for (auto& j : jobs_) j.store(1, release);
    if (sleeping_.any()) wake_one();
  }

  /// Runs `wanted` jobs, and sleeps while there are none.
  void work(int me, int wanted = 1) {
    for (int done = 0; done < wanted;)
      if (next_job(me, nullptr)) ++done;
  }
  /// Works for ever, but the job is one that stops the pool.
  void work_until_stopped(int me) {
    while (next_job(me, nullptr)) stop();
  }
  /// Runs other jobs until the latch is set.
  void wait(int me) {
    while (next_job(me, &*done_)) stop();
    done_.reset();  // its frame is gone
  }
  void set() { latch::set(*done_); }
  void stop() {
    stopped_.store(1, release);
    heavy_fence();
    for (parker& sleeper : parkers_) (void)sleeping_.wake(sleeper);
  }
  void finish() override {
    model::check(sleeping_.count_hint() == 0, "the count of sleepers is " +
                                                  std::to_string(sleeping_.count_hint()) +
                                                  " and no thread sleeps");
    for (const parker& sleeper : parkers_)
      model::check(!sleeper.is_asleep(), "a thread stayed announced as a sleeper");
  }

 protected:
  bool stopped() const { return stopped_.load(acquire) != 0; }

  /// run_loop::next_job without spinning: false when the goal is reached.
  bool next_job(int me, latch* goal) {
    bool was_woken = false;
    for (bool was_idle = false;; was_idle = true) {
      if (goal != nullptr ? goal->probe() : stopped()) {
        if (was_woken) pass_on();
        return false;
      }
      if (find()) {
        if (was_idle) pass_on();
        return true;
      }
      if (sleep(me, goal)) was_woken = true;
    }
  }

 private:
  bool find() {
    for (auto& j : jobs_)
      if (j.load(relaxed) != 0 && j.exchange(0, acquire) != 0) return true;
    return false;
  }
  bool has_work() const {
    for (const auto& j : jobs_)
      if (j.load(relaxed) != 0) return true;
    return false;
  }
  /// S1 to S5, as in idle_sleep::sleep. True if a publisher woke it.
  bool sleep(int me, latch* goal) {
    parker& sleeper = parkers_.at(static_cast<std::size_t>(me));
    sleeping_.announce(sleeper, [] {});  // S1, S2
    const bool set = goal != nullptr && !goal->try_sleep(sleeper);
    const bool stopping = goal == nullptr && stopped();
    if (!set && !stopping && !has_work()) sleeper.park();  // S3, S4
    if (goal != nullptr && !set) goal->cancel_sleep(sleeper);
    return !sleeping_.retract(sleeper);  // S5
  }
  void wake_one() {
    for (parker& sleeper : parkers_)
      if (sleeping_.wake(sleeper)) return;
  }
  /// The wake-up that brought us here may have been for more than we take.
  void pass_on() {
    if (sleeping_.any() && has_work()) wake_one();
  }

  sleepers sleeping_{8};
  std::array<parker, 2> parkers_;
  std::array<atomic<std::uint32_t>, 2> jobs_;
  atomic<std::uint32_t> stopped_{0};
  std::optional<latch> done_{std::in_place};
};

/// The contract of claim() by itself: what the waker did is seen by the woken, and what the sleeper
/// did before it announced itself is seen by the waker.
class handover : public model::game {
 public:
  void thread(int id) override {
    if (id == 1) {
      note_.set(1);
      while (!sleeping_.wake(parker_)) filch::detail::yield();
      model::check(sleeping_.count_hint() <= 1, "fewer sleep than none");
      model::check(announced_.get() == 1, "woken before it slept");
      return;
    }
    announced_.set(1);
    sleeping_.announce(parker_, [] {});
    if (model::engine::running().choose(2) == 0) {
      parker_.park();
      model::check(note_.get() == 1, "woken, but by no thread");
      sleeping_.retract(parker_);
      return;
    }
    while (parker_.is_asleep()) filch::detail::yield();
    model::check(!parker_.retract(), "claimed, but still counted");
    model::check(note_.get() == 1, "woken, but by no thread");
  }
  void finish() override { model::check(sleeping_.count_hint() == 0, "the count is wrong"); }

 private:
  sleepers sleeping_{8};
  parker parker_;
  var<int> note_{0};
  var<int> announced_{0};
};

/// The same with a real deque as the source of work: push, any | announce, size_hint, steal.
class deque_world : public model::game {
 public:
  void push() {
    d_.push(1);
    if (sleeping_.any()) (void)sleeping_.wake(parker_);
  }
  void steal() {
    int item = 0;
    while (d_.steal(item) != filch::steal_status::taken) {
      sleeping_.announce(parker_, [] {});
      if (d_.size_hint() == 0) parker_.park();
      sleeping_.retract(parker_);
    }
  }
  void finish() override { model::check(sleeping_.count_hint() == 0, "the count is wrong"); }

 private:
  filch::detail::chase_lev<int> d_{2};
  sleepers sleeping_{8};
  parker parker_;
};

/// A pool of one seat: a worker, and guests that come and go.
template <int Published>
class seats_world : public model::game {
 public:
  void publish(int job) {
    jobs_.at(static_cast<std::size_t>(job)).store(1, release);  // P1
    tell();
  }
  /// registry::enter() and leave(), with nothing in between.
  void visit() {
    sleeping_.take_seats(1);
    if (sleeping_.give_seats_back(1) != sleepers::freed::noted_seat) return;
    if (has_work()) tell();
  }
  /// Runs jobs, for which it may look only while there is a seat for it.
  void work(int wanted = 1) {
    sleeping_.take_seats(1);
    for (int done = 0; done < wanted; ++done)
      while (sleeping_.free_seats() < 0 || !find()) {
        sleeping_.announce(parker_, [] {});                                   // S1, S2
        if (!sleeping_.may_wake_for_others() || !has_work()) parker_.park();  // S3, S4
        sleeping_.retract(parker_);                                           // S5
      }
    (void)sleeping_.give_seats_back(1);
  }
  void finish() override {
    model::check(sleeping_.count_hint() == 0, "the count is wrong");
    model::check(sleeping_.free_seats() == 1, "the seats are miscounted");
  }

 private:
  /// P2, P3, P4.
  void tell() {
    if (sleeping_.any_to_notify(false) && sleeping_.may_wake_for_others())
      (void)sleeping_.wake(parker_);
  }
  bool has_work() const { return jobs_[0].load(relaxed) != 0 || jobs_[1].load(relaxed) != 0; }
  bool find() {
    for (auto& j : jobs_)
      if (j.load(relaxed) != 0 && j.exchange(0, acquire) != 0) return true;
    return false;
  }

  sleepers sleeping_{1};
  parker parker_;
  std::array<atomic<std::uint32_t>, 2> jobs_{atomic<std::uint32_t>{Published},
                                             atomic<std::uint32_t>{0}};
};

/// A pool of one seat, with a worker and a guest that have a job of one call each. The guest may
/// come when the worker has taken its job, and before it has begun it.
class one_seat_world : public model::game {
 public:
  one_seat_world() { sleeping_.take_seats(1); }
  /// run_loop::run_until_stopped, for a stolen job.
  void work() {
    if (sleeping_.free_seats() >= 0) work_with_job();
    (void)sleeping_.give_seats_back(1);
  }
  /// The same, for a worker that runs a job, and has another one in its own deque.
  void begin_job() { show(0, running); }
  void end_job_and_work() {
    show(0, absent);
    work_with_job();
    (void)sleeping_.give_seats_back(1);
  }
  /// scope_core::wait_as_guest.
  void visit() {
    sleeping_.take_seats(1);
    show(1, running);
    wait_for_seat(1);
    body();
    show(1, absent);
    (void)sleeping_.give_seats_back(1);
  }
  void finish() override { model::check(sleeping_.free_seats() == 1, "the seats are miscounted"); }

 protected:
  static constexpr std::uint32_t absent = 0, running = 1, awaiting = 2;

  void work_with_job() {
    show(0, running);
    if (sleeping_.too_many_for_job()) wait_for_seat(0);
    body();
    show(0, absent);
  }
  void show(std::size_t me, std::uint32_t doing) { doing_.at(me).store(doing, relaxed); }
  void body() {
    model::check(inside_.exchange(1, relaxed) == 0, "two bodies run, and there is one seat");
    inside_.store(0, relaxed);
  }
  /// run_loop::wait_for_seat.
  void wait_for_seat(std::size_t me) {
    const auto must_wait = [&] { return sleeping_.too_many_with_me() && other_uses_seat(me); };
    if (!must_wait()) return;
    do {
      show(me, awaiting);
      while (other_uses_seat(me)) filch::detail::yield();
      show(me, running);
    } while (must_wait());
  }
  bool other_uses_seat(std::size_t me) const {
    const std::size_t other = 1 - me;
    const std::uint32_t doing = doing_.at(other).load(relaxed);
    const bool goes_first = doing == awaiting && other < me;
    return sleeping_.free_seats() < 0 && (doing == running || goes_first);
  }

  sleepers sleeping_{1};
  std::array<atomic<std::uint32_t>, 2> doing_{};
  atomic<std::uint32_t> inside_{0};
};

/// The worker runs a job already.
class one_seat_in_use_world : public one_seat_world {
 public:
  one_seat_in_use_world() { begin_job(); }
};

/// The worker runs a body that polls for a job of the guest. It takes that job itself if there is a
/// seat for both, or if the guest waits for one. The guest takes it only when it has a seat.
class polled_job_world : public one_seat_world {
 public:
  polled_job_world() {
    begin_job();
    inside_.store(1, relaxed);
  }
  /// run_loop::help_once, with thief::may_take_from.
  void poll() {
    while (done_.load(acquire) == 0) {
      if (may_take() && take_job())
        done_.store(1, release);
      else
        filch::detail::yield();
    }
    inside_.store(0, relaxed);
    show(0, absent);
    (void)sleeping_.give_seats_back(1);
  }
  /// run_loop::next_job, for a guest that comes into a wait.
  void visit_and_run() {
    sleeping_.take_seats(1);
    show(1, running);
    while (done_.load(acquire) == 0) {
      if (job_.load(relaxed) == 0) {
        filch::detail::yield();
        continue;
      }
      wait_for_seat(1);
      if (take_job()) run();
    }
    show(1, absent);
    (void)sleeping_.give_seats_back(1);
  }

 private:
  bool may_take() const {
    return sleeping_.free_seats() >= 0 || doing_[1].load(relaxed) == awaiting;
  }
  bool take_job() { return job_.exchange(0, relaxed) != 0; }
  void run() {
    body();
    done_.store(1, release);
  }

  atomic<std::uint32_t> job_{1};
  atomic<std::uint32_t> done_{0};
};

model::scenario_list scenarios() {
  using model::both_fences;
  using model::play;
  using frames = model::script<latch_world>;
  using workers = model::script<pool>;
  using thieves = model::script<deque_world>;
  using seats = model::script<seats_world<0>>;
  using one_seat = model::script<one_seat_world>;
  using one_seat_in_use = model::script<one_seat_in_use_world>;
  using polled_job = model::script<polled_job_world>;
  using seats_and_job = model::script<seats_world<1>>;
  return model::all_of({
      play("latch", 3,
           frames{[](auto& w) { w.wait_and_return(0, w.sleeper); }, [](auto& w) { w.set(0); }}),
      play("latch_again", 3,
           frames{[](auto& w) { w.wait_and_reset(0, w.sleeper), w.wait_and_return(0, w.sleeper); },
                  [](auto& w) {
                    w.set(0);
                    while (w.latch_is_reset.load(acquire) == 0) filch::detail::yield();
                    w.set(0);
                  }}),
      play("late_unpark", 2,
           frames{[](auto& w) { w.wait_and_return(0, w.sleeper), w.wait_and_return(1, w.sleeper); },
                  [](auto& w) { w.set(0), w.set(1); }, [](auto& w) { w.wake_for_nothing(); }}),
      play("parker_reused", 2,
           frames{[](auto& w) {
                    w.wait_and_return(0, w.sleeper);
                    w.parker_is_free.store(1, release);
                  },
                  [](auto& w) { w.set(0), w.set(1); },
                  [](auto& w) {
                    w.wake_for_nothing();
                    while (w.parker_is_free.load(acquire) == 0) filch::detail::yield();
                    w.wait_and_return(1, w.sleeper);
                  }}),
      {{"handover", 2, 3, [] { return std::make_unique<handover>(); }}},
      both_fences("one_job", 3, workers{[](auto& p) { p.publish(0); }, [](auto& p) { p.work(0); }}),
      both_fences(
          "two_jobs", 3,
          workers{[](auto& p) { p.publish(0), p.publish(1); }, [](auto& p) { p.work(0, 2); }}),
      both_fences("two_publishers", 2,
                  workers{[](auto& p) { p.publish(0); }, [](auto& p) { p.publish(1); },
                          [](auto& p) { p.work(0, 2); }}),
      both_fences("two_sleepers", 2,
                  workers{[](auto& p) { p.publish(0), p.publish(1); }, [](auto& p) { p.work(0); },
                          [](auto& p) { p.work(1); }}),
      both_fences("wake_chain", 2,
                  workers{[](auto& p) { p.publish_together(); }, [](auto& p) { p.work(0); },
                          [](auto& p) { p.work(1); }}),
      both_fences("claimed_and_set", 2,
                  workers{[](auto& p) { p.set(); }, [](auto& p) { p.publish(0); },
                          [](auto& p) { p.wait(0); }}),
      both_fences("claimed_but_leaves", 2,
                  workers{[](auto& p) { p.publish(0), p.set(); }, [](auto& p) { p.wait(0); },
                          [](auto& p) { p.work_until_stopped(1); }}),
      both_fences("shutdown", 2,
                  workers{[](auto& p) { p.stop(); }, [](auto& p) { p.work_until_stopped(0); },
                          [](auto& p) { p.work_until_stopped(1); }}),
      both_fences("seat_given_back", 2,
                  seats{[](auto& w) { w.visit(); }, [](auto& w) { w.publish(0); },
                        [](auto& w) { w.work(); }}),
      both_fences("two_guests", 2,
                  seats_and_job{[](auto& w) { w.visit(); }, [](auto& w) { w.visit(); },
                                [](auto& w) { w.work(); }}),
      both_fences("one_seat_too_many", 3,
                  one_seat{[](auto& w) { w.work(); }, [](auto& w) { w.visit(); }}),
      play("one_seat_and_own_jobs", 3,
           one_seat_in_use{[](auto& w) { w.end_job_and_work(); }, [](auto& w) { w.visit(); }}),
      play("job_of_a_guest_without_a_seat", 3,
           polled_job{[](auto& w) { w.poll(); }, [](auto& w) { w.visit_and_run(); }}),
      both_fences("deque_push", 3, thieves{[](auto& w) { w.push(); }, [](auto& w) { w.steal(); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }
