// How soon is work stolen from a worker that is busy with something long? A worker leaves a piece
// of work behind and runs a leaf that only waits for it. A thief, which has looked for work for a
// while, starts it. The result is the median of many rounds; the size is the number of rounds.
//
//   latency_branch  from the push of a join's second branch to its first instruction
//   latency_task    from the spawn of a task to its first instruction
//   latency_deaf    two nested joins: a thief takes the outer branch and works on it. Meanwhile the
//                   owner, having left the inner branch, pushes and pops nothing for long. The time
//                   is from the end of the outer branch to the first instruction of the inner one
//
// A round in which no thief came counts with the length of the leaf: then the median shows that
// thieves starve. Between two rounds the owner is busy for a moment. So thieves are looking for
// work, or sleep if their runtime makes them sleep so soon; filch is set to look for longer.
//
// It needs two workers. There is no `serial`, which cannot steal. OpenMP and the mutex queue are
// left out, because their threads sleep, or spin, as the system's locks do: `wake` measures those.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "harness.hpp"

namespace latency {

using clock = std::chrono::steady_clock;

inline constexpr std::chrono::microseconds longest_leaf{200};
inline constexpr std::chrono::microseconds between_rounds{20};
inline constexpr std::chrono::microseconds outer_branch{5};

inline void be_busy(std::chrono::microseconds time) {
  const clock::time_point end = clock::now() + time;
  while (clock::now() < end) {
  }
}

/// A piece of work that a thief should start, and the leaf that waits for that.
class round {
 public:
  /// Called where the latency begins.
  void push() { pushed_ = clock::now(); }
  void leaf() const {
    const clock::time_point end = clock::now() + longest_leaf;
    while (!started_.load() && clock::now() < end) {
    }
  }
  void stolen() {
    first_ = clock::now();
    by_another_ = std::this_thread::get_id() != owner_;
    started_.store(true);
  }
  /// The branch that keeps the thief busy while the owner neither pushes nor pops. A thread that
  /// starts the inner branch before it ends is another thief, and was free all the time.
  void keep_a_thief() {
    be_busy(outer_branch);
    if (!started_.load()) push();
  }
  /// Returns the latency. Called after everything has ended.
  double seconds() const {
    if (!by_another_) return std::chrono::duration<double>(longest_leaf).count();
    return std::max(1e-9, std::chrono::duration<double>(first_ - pushed_).count());
  }

 private:
  std::thread::id owner_ = std::this_thread::get_id();
  clock::time_point pushed_;
  clock::time_point first_;
  bool by_another_ = false;
  std::atomic<bool> started_{false};
};

/// Returns the median of `count` rounds, each made and finished by `play(round)`.
template <class Play>
double median(int count, Play play) {
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) {
    be_busy(between_rounds);
    round r;
    play(r);
    seconds.push_back(r.seconds());
  }
  const auto middle = seconds.begin() + count / 2;
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

constexpr bench::problem problem(const char* name) {
  return {.name = name, .size = {.full = 3000, .quick = 500, .tiny = 5}, .fewest_workers = 2};
}
inline constexpr bench::problem branch = problem("latency_branch");
inline constexpr bench::problem task = problem("latency_task");
inline constexpr bench::problem deaf = problem("latency_deaf");

/// Returns a page of all of them. `Ways` has join(leaf, stolen) and spawn(stolen, leaf). Each calls
/// the leaf itself, lets others start `stolen`, and returns when both have ended.
template <class Runtime, class Ways>
bench::page<Runtime> page_of() {
  const auto problem = [](auto play) {
    return [play](Runtime& runtime, int count) {
      return runtime.run([&] { return median(count, play); });
    };
  };
  bench::page<Runtime> page;
  page.measured(branch, problem([](round& r) {
                  r.push();
                  Ways::join([&r] { r.leaf(); }, [&r] { r.stolen(); });
                }))
      .measured(task, problem([](round& r) {
                  r.push();
                  Ways::spawn([&r] { r.stolen(); }, [&r] { r.leaf(); });
                }))
      .measured(deaf, problem([](round& r) {
                  r.push();
                  Ways::join([&r] { Ways::join([&r] { r.leaf(); }, [&r] { r.stolen(); }); },
                             [&r] { r.keep_a_thief(); });
                }));
  return page;
}

}  // namespace latency
