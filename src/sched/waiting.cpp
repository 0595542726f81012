#include "filch/detail/sched/waiting.hpp"

#include <new>
#include <thread>

#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

// They take less time than to go to sleep and to be woken.
constexpr int looks_before_sleep = 64;

/// An outside thread's parker, for as long as the thread lives. Destructors of thread_local objects
/// may wait after it is gone; a plain bool can still tell them that.
constinit thread_local bool parker_is_gone = false;

struct parker_of_thread {
  parker* sleeper = nullptr;
  parker_of_thread() = default;
  parker_of_thread(const parker_of_thread&) = delete;
  parker_of_thread& operator=(const parker_of_thread&) = delete;
  ~parker_of_thread() {
    parker_is_gone = true;
    if (sleeper != nullptr) return_parker(*sleeper);
  }
};

/// A parker, or null if there is no memory for one.
parker* try_to_borrow() noexcept {
  try {
    return &borrow_parker();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

/// Waits without a parker: looks again and again, with naps.
bool wait_without_parker(const latch& done,
                         std::chrono::steady_clock::time_point deadline) noexcept {
  while (!done.probe()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool wait_in(parker& sleeper, latch& done,
             std::chrono::steady_clock::time_point deadline) noexcept {
  const bool for_ever = deadline == std::chrono::steady_clock::time_point::max();
  // A loop, since a late unpark() that was meant for an earlier sleeper ends a sleep too.
  while (!done.probe()) {
    if (!for_ever && std::chrono::steady_clock::now() >= deadline) return false;
    if (is_set_within(looks_before_sleep, done)) return true;
    sleeper.announce();
    if (done.try_sleep(sleeper)) {
      for_ever ? sleeper.park() : sleeper.park_until(deadline);
      done.cancel_sleep(sleeper);
    }
    (void)sleeper.retract();
  }
  return true;
}

}  // namespace

bool is_set_within(int looks, const latch& done) noexcept {
  for (; looks > 0; --looks) {
    if (done.probe()) return true;
    cpu_relax();
  }
  return done.probe();
}

bool wait_asleep(latch& done, std::chrono::steady_clock::time_point deadline) noexcept {
  if (done.probe()) return true;
  if (parker_is_gone) {
    parker* const borrowed = try_to_borrow();
    if (borrowed == nullptr) return wait_without_parker(done, deadline);
    const bool set = wait_in(*borrowed, done, deadline);
    return_parker(*borrowed);
    return set;
  }
  thread_local parker_of_thread mine;
  if (mine.sleeper == nullptr) mine.sleeper = try_to_borrow();
  if (mine.sleeper == nullptr) return wait_without_parker(done, deadline);
  return wait_in(*mine.sleeper, done, deadline);
}

bool wait_for_until(latch& done, std::chrono::steady_clock::time_point deadline,
                    awaited_task* what) noexcept {
  const continuations_in_wait here;
  if (worker* w = worker::current()) return w->loop.wait(done, deadline, what);
  return wait_asleep(done, deadline);
}

void wait_for(latch& done, awaited_task* what) noexcept {
  (void)wait_for_until(done, std::chrono::steady_clock::time_point::max(), what);
}

}  // namespace filch::detail
