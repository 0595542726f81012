// Three ways to run an algorithm: sequentially, in random order, and in parallel.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/grain_controller.hpp"
#include "support/seed.hpp"

namespace filch::test {

/// The tasks of a fork that has only branches. A task runs at once if a thread is hungry. The other
/// tasks run when the function that spawns them has ended, two at a time, the youngest first.
template <class Fork>
class branch_tasks {
 public:
  explicit branch_tasks(const Fork& fork) : fork_(fork) {}

  template <class F>
  void run(F&& f) {
    attempt(f);
    while (const task first = youngest()) {
      const task second = youngest();
      attempt([&] {
        fork_([&] { first(); },
              [&] {
                if (second) second();
              });
      });
    }
    if (error_) std::rethrow_exception(error_);
  }
  template <class F>
  void spawn(F f) {
    if (fork_.hungry()) return attempt(f);
    const std::scoped_lock lock(mutex_);
    waiting_.push_back([shared = std::make_shared<F>(std::move(f))] { (*shared)(); });
  }

 private:
  using task = std::function<void()>;

  template <class F>
  void attempt(F&& f) {
    try {
      f();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
  task youngest() {
    const std::scoped_lock lock(mutex_);
    if (waiting_.empty()) return nullptr;
    task last = std::move(waiting_.back());
    waiting_.pop_back();
    return last;
  }

  const Fork& fork_;
  std::mutex mutex_;  // guards what follows
  std::vector<task> waiting_;
  std::exception_ptr error_;
};

/// Runs one branch after the other on the calling thread. No thread is ever hungry. Its clock
/// stands still except for what tests add (`advance`), so that its splits are repeatable. It counts
/// its forks.
class sequential_fork {
 public:
  using tasks = branch_tasks<sequential_fork>;

  template <class F, class G>
  auto operator()(F&& f, G&& g) const -> std::pair<detail::result_of<F>, detail::result_of<G>> {
    ++*forks_;
    detail::outcome<detail::result_of<F>> first;
    detail::outcome<detail::result_of<G>> second;
    first.run(f);
    second.run(g);
    return both(first, second);
  }
  std::size_t workers() const { return 1; }
  std::uintptr_t here() const noexcept { return 1; }
  bool hungry() const noexcept { return false; }
  detail::ticks now() const noexcept { return *time_; }

  void advance(detail::ticks by) const noexcept { *time_ += by; }
  std::size_t forks() const noexcept { return *forks_; }

  /// Both results, or the exception that join() would throw.
  template <class A, class B>
  static std::pair<A, B> both(detail::outcome<A>& first, detail::outcome<B>& second) {
    if (first.failed() && second.failed()) first.error().suppress(std::move(second.error()));
    if (!first.failed() && second.failed()) second.take();
    A a = first.take();
    return {std::move(a), second.take()};
  }

 private:
  std::shared_ptr<detail::ticks> time_ = std::make_shared<detail::ticks>(1);
  std::shared_ptr<std::size_t> forks_ = std::make_shared<std::size_t>(0);
};
static_assert(detail::fork_policy<sequential_fork>);

/// A random order. The second branch runs after the first, or before it as if a thief had been
/// quick, or at the same time on a thread of its own. Threads become rarer with every one, because
/// they take time: for large n, about sqrt(2n) of n forks have one. The clock and the hunger are
/// random too. The seed is that of the run (FILCH_TEST_SEED).
class shuffling_fork {
 public:
  using tasks = branch_tasks<shuffling_fork>;

  shuffling_fork() = default;
  explicit shuffling_fork(std::uint64_t stream) { state_->store(seed() + stream); }

  template <class F, class G>
  auto operator()(F&& f, G&& g) const -> std::pair<detail::result_of<F>, detail::result_of<G>> {
    detail::outcome<detail::result_of<F>> first;
    detail::outcome<detail::result_of<G>> second;
    const std::uint64_t how = random();
    if (how / 2 % (64 + *threads_) == 0) {
      ++*threads_;
      std::thread thief([&] { stolen(second, g); });
      first.run(f);
      thief.join();
    } else if (how % 2 == 0) {
      stolen(second, g);
      first.run(f);
    } else {
      first.run(f);
      second.run(g);
    }
    return sequential_fork::both(first, second);
  }
  std::size_t workers() const { return 1 + random() % 4; }
  std::uintptr_t here() const noexcept { return me(); }
  bool hungry() const noexcept { return random() % 4 == 0; }
  detail::ticks now() const noexcept {
    return time_->fetch_add(random() % (2 * detail::ticks_of_a_leaf));
  }

 private:
  /// Runs it as another thread would.
  template <class R, class G>
  void stolen(detail::outcome<R>& result, G& g) const {
    const std::uintptr_t outer = std::exchange(me(), ++*thieves_);
    result.run(g);
    me() = outer;
  }
  static std::uintptr_t& me() noexcept {
    thread_local std::uintptr_t who = 0;
    return who;
  }
  std::uint64_t random() const noexcept {
    std::uint64_t step = state_->fetch_add(0x9e3779b97f4a7c15u);
    return detail::splitmix64(step) >> 20;
  }

  std::shared_ptr<std::atomic<std::uint64_t>> state_ =
      std::make_shared<std::atomic<std::uint64_t>>(seed());
  std::shared_ptr<std::atomic<detail::ticks>> time_ =
      std::make_shared<std::atomic<detail::ticks>>(1);
  std::shared_ptr<std::atomic<std::uint64_t>> threads_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);
  std::shared_ptr<std::atomic<std::uintptr_t>> thieves_ =
      std::make_shared<std::atomic<std::uintptr_t>>(1);
};
static_assert(detail::fork_policy<shuffling_fork>);

/// Steals the second branch of every fork, before the first begins or after it has ended.
/// Everything runs on the calling thread, so that skipped parts can be counted.
class stealing_fork : public sequential_fork {
 public:
  enum class when { before, after };

  explicit stealing_fork(when steals) : steals_(steals) {}

  template <class F, class G>
  auto operator()(F&& f, G&& g) const -> std::pair<detail::result_of<F>, detail::result_of<G>> {
    detail::outcome<detail::result_of<F>> first;
    detail::outcome<detail::result_of<G>> second;
    if (steals_ == when::before) stolen(second, g);
    first.run(f);
    if (steals_ == when::after) stolen(second, g);
    return both(first, second);
  }
  std::uintptr_t here() const noexcept { return me_; }

 private:
  template <class R, class G>
  void stolen(detail::outcome<R>& result, G& g) const {
    const std::uintptr_t outer = std::exchange(me_, ++thieves_);
    result.run(g);
    me_ = outer;
  }

  when steals_;
  mutable std::uintptr_t me_ = 0;
  mutable std::uintptr_t thieves_ = 0;
};
static_assert(detail::fork_policy<stealing_fork>);

}  // namespace filch::test
