// Runs a small concurrent program many times, once for every schedule and every value that the C++
// memory model lets each load return. README.md says what that covers and what it does not.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "explorer/fiber.hpp"
#include "explorer/view.hpp"
#include "explorer/visited.hpp"

namespace model {

/// A position in the source: an atomic operation of the header under test.
struct site {
  const char* file;
  int line;
};

/// One ordering made weaker than in the source: these are the generated mutants.
struct weakening {
  std::string file;  ///< last part of the path
  int line = 0;
  bool on_failure = false;  ///< of a compare-exchange: the second order instead of the first
  std::memory_order to = std::memory_order_relaxed;
};

/// A program to be explored. The constructor sets it up and the destructor cleans up; both run
/// alone.
class game {
 public:
  game() = default;
  game(const game&) = delete;
  game& operator=(const game&) = delete;
  virtual ~game() = default;
  virtual void thread(int id) = 0;
  virtual void finish() {}  ///< called after all threads have ended, for final checks
};

/// What to explore, and how far.
struct scenario {
  std::string name;
  int threads;
  int preemptions;  ///< forced switches per schedule; blocking and ending switch for free
  std::function<std::unique_ptr<game>()> make;
  bool full_fences = false;  ///< as without membarrier: light and heavy fences are full fences
};

struct outcome {
  bool failed = false;
  bool exhausted = false;  ///< every schedule within the bound was seen
  std::uint64_t schedules = 0;
  std::string message;   ///< if failed: what happened, the trace, and how to repeat it
  std::string schedule;  ///< if failed: the number that replay() takes
};

/// The state of an object that the explorer watches. It is part of every model atomic and variable.
struct tracked {
  digest id = 0;  ///< of the thread that made it, and its number there: the same in every schedule
  int born_by = 0;
  std::uint32_t born_at = 0;
  bool dead = false;
  std::array<std::uint32_t, max_threads> used_at{};
  int location = -1;          // atomics: index of the history, once used
  std::uint64_t initial = 0;  // atomics: the value they were constructed with
  int written_by = 0;         // variables: the last writer, and the time of the write
  std::uint32_t written_at = 0;
};

/// Chooses the schedule, runs the threads, and keeps the memory that they see. All this is one
/// class, because each operation of a program uses and changes all of it: the choice of the next
/// thread and of the value to load depend on the memory, and the memory on both choices.
class engine {
 public:
  /// The engine whose scenario is running. Operations on model atomics go to it.
  static engine& running() noexcept;

  explicit engine(scenario what);

  /// Explores depth first, until every schedule was seen, one failed, or `limit` schedules were
  /// run.
  outcome explore(std::uint64_t limit);
  /// Runs `count` random schedules without a limit on preemptions. Schedule i has the seed `seed` +
  /// i.
  outcome explore_random(std::uint64_t count, std::uint64_t seed);
  /// Repeats the schedule that an outcome names, with a trace.
  outcome replay(const std::string& schedule);

  /// The state of the running schedule, for a program that has crashed: its trace, if there is one,
  /// and how to repeat it.
  std::string so_far() const;

  /// Several operations may be weaker at a time.
  static void weaken(const weakening& mutant);
  static void record_sites();
  static std::string sites();

  // Called by the seam. `what` names the operation in the trace.
  void born(tracked& object);
  void died(tracked& object);
  std::uint64_t load(tracked& object, std::memory_order order, site at);
  void store(tracked& object, std::uint64_t value, std::memory_order order, site at);
  std::uint64_t modify(tracked& object, const std::function<std::uint64_t(std::uint64_t)>& change,
                       std::memory_order order, site at);
  bool compare_exchange(tracked& object, std::uint64_t& expected, std::uint64_t desired,
                        std::memory_order success, std::memory_order failure, site at);
  void fence_sc();
  void fence_light();
  void fence_heavy();
  bool full_fences() const noexcept { return what_.full_fences; }
  void variable_read(tracked& object);
  void variable_written(tracked& object);
  void* allocate(std::size_t bytes, std::size_t alignment);
  void deallocate(void* memory);
  void futex_wait(tracked& object, std::uint32_t expected);
  /// Only the address counts: the object may be gone.
  unsigned futex_wake(const tracked* object, unsigned count);
  void yield();

  /// Called by scenarios.
  void check(bool holds, const std::string& what);
  /// A choice of the scenario: every value below `count` is explored.
  int choose(int count);
  [[noreturn]] void fail(const std::string& what);

 private:
  struct message {
    std::uint64_t value = 0;
    digest id = 0;  // of the write: all that its thread had observed, and the write before it
    view released;  // what a load that acquires it learns
  };
  struct sc_write {
    std::uint32_t position;  // in S
    std::uint16_t stamp;
  };
  struct history {
    std::vector<message> messages;
    std::vector<sc_write> sc_writes;
    void clear() noexcept {
      messages.clear();
      sc_writes.clear();
    }
  };
  enum class state { ready, waiting, yielded, ended };
  struct thread_state {
    fiber run;
    state now = state::ended;
    view seen;            // what happened before its next step
    view to_acquire;      // what relaxed loads have read: an acquire fence would add it to `seen`
    view fence_released;  // what a relaxed store publishes: `seen` at the last release fence
    const tracked* waits_on = nullptr;
    digest past = 0;            // all that it has observed so far
    std::uint64_t objects = 0;  // that it has made
  };
  struct choice {
    int taken;
    int count;
  };
  struct block {
    void* memory;
    std::size_t bytes;
    std::size_t alignment;
    bool freed;
  };
  enum class mode { depth_first, random, replay };

  bool run_once();
  int pick(int count);
  void run_threads();
  void reset();
  bool advance();
  outcome failure();
  std::string encode() const;

  thread_state& self() noexcept { return threads_[current_]; }
  void step();
  void hand_control_to(std::size_t thread);
  history& use(tracked& object);
  void touch(tracked& object);
  std::uint64_t read(tracked& object, history& h, std::size_t stamp, std::memory_order order);
  void append(tracked& object, history& h, std::uint64_t value, std::memory_order order,
              bool continues);
  std::size_t oldest_readable(const tracked& object, const history& h, std::memory_order order);
  static std::uint32_t sc_position(const history& h, std::size_t stamp) noexcept;
  void observe(digest what) noexcept { self().past = mixed(self().past, what); }
  void look_for_known_state();
  void sc_fence_of(thread_state& t);
  static std::memory_order ordering(std::memory_order written, site at, bool on_failure) {
    return as_written_ ? written : looked_up(written, at, on_failure);
  }
  static std::memory_order looked_up(std::memory_order written, site at, bool on_failure);
  void note(const std::string& what);
  void note_atomic(const char* what, const tracked& object, std::uint64_t value, site at);

  static inline bool as_written_ = true;  // no mutant, and no record of the executed operations

  scenario what_;
  mode mode_ = mode::depth_first;
  std::vector<choice> path_;
  std::size_t next_choice_ = 0;
  std::mt19937_64 random_;

  std::array<thread_state, max_threads> threads_;
  std::size_t thread_count_ = 0;
  std::size_t current_ = 0;
  bool concurrent_ = false;  // between set-up and clean-up
  int preemptions_left_ = 0;
  std::uint64_t steps_ = 0;
  visited_states visited_;
  bool known_from_here_ = false;  // what follows was explored from the same state before

  std::vector<history> histories_;
  std::size_t used_ = 0;
  std::vector<view> sc_fences_;
  std::vector<std::uint32_t> sc_fence_positions_;
  std::uint32_t sc_count_ = 0;
  digest sc_order_ = 0;  // of all seq_cst writes and fences so far
  digest memory_ = 0;    // of all writes so far
  std::vector<block> blocks_;

  std::unique_ptr<game> game_;
  bool failed_ = false;
  std::string complaint_;
  bool tracing_ = false;
  std::string trace_;
  std::uint64_t schedules_ = 0;
};

/// For scenarios: if `holds` is false, the run fails with a trace.
inline void check(bool holds, const std::string& what) { engine::running().check(holds, what); }

}  // namespace model
