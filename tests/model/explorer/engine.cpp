// Schedules: which thread runs when, which choices were made, and how a failure is reported. The
// memory model itself is in memory.cpp.
#include "explorer/engine.hpp"

#include <cassert>
#include <new>
#include <utility>

namespace model {

namespace {

engine* running_engine = nullptr;
constexpr std::uint64_t step_limit = 5000;  // far beyond any scenario: a thread spins for ever
constexpr std::string_view digits =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

}  // namespace

engine& engine::running() noexcept {
  assert(running_engine != nullptr);
  return *running_engine;
}

engine::engine(scenario what)
    : what_(std::move(what)), thread_count_(static_cast<std::size_t>(what_.threads) + 1) {
  assert(thread_count_ <= max_threads);
  histories_.resize(max_locations);
}

outcome engine::explore(std::uint64_t limit) {
  mode_ = mode::depth_first;
  path_.clear();
  visited_.clear();
  for (schedules_ = 1;; ++schedules_) {
    if (!run_once()) return failure();
    if (!advance())
      return {.exhausted = true, .schedules = schedules_, .message = {}, .schedule = {}};
    if (schedules_ == limit) return {.schedules = schedules_, .message = {}, .schedule = {}};
  }
}

outcome engine::explore_random(std::uint64_t count, std::uint64_t seed) {
  mode_ = mode::random;
  for (schedules_ = 1; schedules_ <= count; ++schedules_) {
    random_.seed(seed + schedules_ - 1);
    path_.clear();
    if (!run_once()) return failure();
  }
  return {.schedules = count, .message = {}, .schedule = {}};
}

outcome engine::replay(const std::string& schedule) {
  path_.clear();
  mode_ = schedule.starts_with('r') ? mode::random : mode::depth_first;
  for (const char c : schedule.substr(1)) {
    const auto digit = digits.find(c);
    if (digit == std::string_view::npos)
      return {.failed = true, .message = "not a schedule: '" + schedule + "'", .schedule = {}};
    path_.push_back({static_cast<int>(digit), static_cast<int>(digits.size())});
  }
  tracing_ = true;
  const bool passed = run_once();
  tracing_ = false;
  return {.failed = !passed,
          .schedules = 1,
          .message = trace_ + (passed ? "passed" : complaint_),
          .schedule = schedule};
}

/// Runs the same schedule again, and records what happens.
outcome engine::failure() {
  const std::string number = encode();
  const std::uint64_t found_after = schedules_;
  outcome again = replay(number);
  again.failed = true;
  again.schedules = found_after;
  again.message = "scenario '" + what_.name + "' failed in schedule " +
                  std::to_string(found_after) + ":\n" + again.message +
                  "\nto see it again: --run " + what_.name + " --replay " + number + "\n";
  return again;
}

std::string engine::so_far() const {
  return trace_ + "in scenario '" + what_.name + "'; to see it with a trace: --run " + what_.name +
         " --replay " + encode() + "\n";
}

std::string engine::encode() const {
  std::string number = mode_ == mode::random ? "r" : "d";
  for (std::size_t i = 0; i < next_choice_; ++i)
    number += digits[static_cast<std::size_t>(path_[i].taken)];
  return number;
}

/// Goes to the next path, depth first. Returns false if there is none.
bool engine::advance() {
  path_.resize(next_choice_);
  while (!path_.empty() && path_.back().taken + 1 == path_.back().count) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().taken;
  return true;
}

int engine::choose(int count) {
  const int taken = pick(count);
  observe(static_cast<digest>(taken));
  return taken;
}

int engine::pick(int count) {
  if (count == 1 || known_from_here_) return 0;
  if (count > static_cast<int>(digits.size())) fail("too many alternatives for one choice");
  if (next_choice_ == path_.size()) {
    const int taken =
        mode_ == mode::random ? static_cast<int>(random_() % static_cast<std::uint64_t>(count)) : 0;
    path_.push_back({taken, count});
  }
  choice& c = path_[next_choice_++];
  c.count = count;
  if (c.taken >= count) c.taken = count - 1;  // a replayed number that does not fit this program
  return c.taken;
}

void engine::reset() {
  for (std::size_t i = 0; i < used_; ++i) histories_[i].clear();
  used_ = 0;
  sc_fences_.clear();
  sc_fence_positions_.clear();
  sc_count_ = 0;
  sc_order_ = memory_ = 0;
  for (const block& b : blocks_) ::operator delete (b.memory, std::align_val_t{b.alignment});
  blocks_.clear();
  for (thread_state& t : threads_) {
    t.now = state::ended;
    t.seen = t.to_acquire = t.fence_released = view{};
    t.waits_on = nullptr;
    t.past = t.objects = 0;
  }
  known_from_here_ = false;
  next_choice_ = 0;
  steps_ = 0;
  current_ = 0;
  concurrent_ = false;
  preemptions_left_ = what_.preemptions;
  failed_ = false;
  complaint_.clear();
  trace_.clear();
}

/// Runs one execution. Returns false if it failed. The game is made, finished and destroyed on
/// fiber 0; the threads in between run on their own fibers.
bool engine::run_once() {
  running_engine = this;
  reset();
  fiber& alone = threads_[0].run;
  alone.start([this, &alone] {
    game_ = what_.make();
    alone.suspend();
    game_->finish();
    game_.reset();
  });
  alone.resume();
  if (!failed_) run_threads();
  if (!failed_) {
    current_ = 0;
    for (std::size_t i = 1; i < thread_count_; ++i) threads_[0].seen.join(threads_[i].seen);
    alone.resume();
  }
  for (const block& b : blocks_)
    if (!failed_ && !b.freed) {
      failed_ = true;
      complaint_ = "leaked: a block of " + std::to_string(b.bytes) + " bytes was never freed";
    }
  if (failed_) (void)game_.release();  // half-way: its destructor would find an inconsistent state
  return !failed_;
}

void engine::run_threads() {
  for (std::size_t i = 1; i < thread_count_; ++i) {
    thread_state& t = threads_[i];
    t.seen = threads_[0].seen;
    t.now = state::ready;
    t.run.start([this, i] {
      game_->thread(static_cast<int>(i) - 1);
      threads_[i].now = state::ended;
      note("ends");
    });
  }
  concurrent_ = true;
  current_ = 0;
  while (!failed_) {
    if (current_ == 0) {  // no thread is chosen: the last one waits, has yielded or has ended
      std::array<std::size_t, max_threads> ready{};
      int count = 0;
      for (const state wanted : {state::ready, state::yielded}) {
        for (std::size_t i = 1; i < thread_count_; ++i)
          if (threads_[i].now == wanted) ready[static_cast<std::size_t>(count++)] = i;
        if (count > 0) break;
      }
      if (count == 0) break;
      if (count > 1) look_for_known_state();
      current_ = ready[static_cast<std::size_t>(pick(count))];
      threads_[current_].now = state::ready;
    }
    const std::size_t resumed = current_;
    threads_[resumed].run.resume();
    if (current_ == resumed) current_ = 0;  // otherwise step() has chosen the next thread
  }
  concurrent_ = false;
  if (failed_) return;
  for (std::size_t i = 1; i < thread_count_; ++i)
    if (threads_[i].now != state::ended) {
      failed_ = true;
      complaint_ =
          "deadlock: thread " + std::to_string(i - 1) + " sleeps and no thread will wake it";
    }
}

/// Called before every step that other threads can notice: may another thread run first?
void engine::step() {
  if (!concurrent_) return;
  if (++steps_ > step_limit) fail("no end after " + std::to_string(step_limit) + " steps");
  std::array<std::size_t, max_threads> others{};
  int count = 0;
  for (std::size_t i = 1; i < thread_count_; ++i) {
    if (i == current_) continue;
    if (threads_[i].now == state::yielded) threads_[i].now = state::ready;
    if (threads_[i].now == state::ready) others[static_cast<std::size_t>(count++)] = i;
  }
  if (count == 0) return;
  if (mode_ == mode::random) {
    if (pick(3) == 0) hand_control_to(others[static_cast<std::size_t>(pick(count))]);
  } else if (preemptions_left_ > 0) {
    look_for_known_state();
    if (const int k = pick(1 + count); k > 0) {
      --preemptions_left_;
      hand_control_to(others[static_cast<std::size_t>(k - 1)]);
    }
  }
}

/// Two schedules can lead to the same state: every thread has observed the same, memory has the
/// same writes in the same order, and the same thread runs. From there on both have the same
/// futures, so only the first one goes on with all choices. The other one ends with the first
/// choice everywhere.
void engine::look_for_known_state() {
  if (mode_ != mode::depth_first || known_from_here_ || next_choice_ < path_.size()) return;
  digest whole = mixed(memory_, sc_order_);
  for (std::size_t i = 1; i < thread_count_; ++i) {
    const thread_state& t = threads_[i];
    whole = mixed(whole, mixed(t.past, static_cast<digest>(t.now)));
  }
  known_from_here_ = !visited_.add(mixed(whole, current_), preemptions_left_);
}

void engine::hand_control_to(std::size_t thread) {
  fiber& here = self().run;
  const std::size_t mine = current_;
  current_ = thread;
  here.suspend();
  current_ = mine;
}

void engine::yield() {
  if (!concurrent_) return;
  step();
  thread_state& t = self();
  // Every store becomes visible sooner or later. A loop that yields may rely on it.
  observe(memory_);
  for (std::size_t i = 0; i < used_; ++i) t.seen.set_newest(i, histories_[i].messages.size() - 1);
  t.now = state::yielded;
  t.run.suspend();
}

void engine::check(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

void engine::fail(const std::string& what) {
  note("FAILS: " + what);
  failed_ = true;
  complaint_ = what;
  self().run.suspend();
  std::abort();  // a failed fiber is never resumed
}

void engine::note(const std::string& what) {
  if (!tracing_) return;
  trace_ += concurrent_ || current_ != 0 ? "  thread " + std::to_string(current_ - 1)
                                         : std::string("  alone   ");
  trace_ += ": " + what + "\n";
}

}  // namespace model
