// Shared by the models of the scheduler: games written as one function for each thread, and an
// outside thread that waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "explorer/runner.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"

// As in src/sched/parker.cpp.
inline void filch::detail::latch::unpark(std::uintptr_t sleeper) noexcept {
  reinterpret_cast<parker*>(sleeper)->unpark();
}

namespace model {

using scenario_list = std::vector<scenario>;

/// One function for each thread.
template <class World>
using script = std::vector<void (*)(World&)>;

template <class World>
class scripted : public World {
 public:
  explicit scripted(script<World> bodies) : bodies_(std::move(bodies)) {}
  void thread(int id) override { bodies_.at(static_cast<std::size_t>(id))(*this); }

 private:
  script<World> bodies_;
};

template <class World>
scenario_list play(const char* name, int preemptions, const script<World>& bodies) {
  return {{name, static_cast<int>(bodies.size()), preemptions,
           [=] { return std::make_unique<scripted<World>>(bodies); }}};
}

/// With membarrier, and as if it were missing.
template <class World>
scenario_list both_fences(const char* name, int preemptions, const script<World>& bodies) {
  scenario_list both = play(name, preemptions, bodies);
  both.push_back(both.front());
  both.back().name += "_full_fences";
  both.back().full_fences = true;
  return both;
}

inline scenario_list all_of(const std::vector<scenario_list>& lists) {
  scenario_list all;
  for (const scenario_list& l : lists) all.insert(all.end(), l.begin(), l.end());
  return all;
}

/// wait_for of waiting.cpp: an outside thread waits, and does not take part in a pool.
inline void wait_outside(filch::detail::latch& done, filch::detail::parker& sleeper) {
  while (!done.probe()) {
    sleeper.announce();
    if (done.try_sleep(sleeper)) {
      sleeper.park();
      done.cancel_sleep(sleeper);
    }
    (void)sleeper.retract();
  }
}

}  // namespace model
