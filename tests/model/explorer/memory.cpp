// The memory model: what each operation may read, and what it publishes to which threads.
//
// Every atomic keeps all the values that it ever had, each with the view that its writer released.
// A thread's own view limits how old a value it may still read. So stale values are read by choice,
// not by accident of timing.
#include <algorithm>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explorer/engine.hpp"

namespace model {

namespace {

bool acquires(std::memory_order o) {
  return o == std::memory_order_acquire || o == std::memory_order_acq_rel ||
         o == std::memory_order_seq_cst || o == std::memory_order_consume;
}
bool releases(std::memory_order o) {
  return o == std::memory_order_release || o == std::memory_order_acq_rel ||
         o == std::memory_order_seq_cst;
}
bool is_sc(std::memory_order o) { return o == std::memory_order_seq_cst; }

std::string last_part(const char* path) {
  const std::string p = path;
  return p.substr(p.rfind('/') + 1);
}

std::vector<weakening> weakenings;
bool recording = false;
std::set<std::string> recorded;

}  // namespace

void engine::weaken(const weakening& mutant) {
  weakenings.push_back(mutant);
  as_written_ = false;
}
void engine::record_sites() {
  recording = true;
  as_written_ = false;
}
std::string engine::sites() {
  std::string all;
  for (const std::string& s : recorded) all += s + "\n";
  return all;
}

std::memory_order engine::looked_up(std::memory_order written, site at, bool on_failure) {
  if (recording) recorded.insert(last_part(at.file) + ":" + std::to_string(at.line));
  for (const weakening& w : weakenings)
    if (at.line == w.line && on_failure == w.on_failure && last_part(at.file) == w.file)
      return w.to;
  return written;
}

// ---- objects -----------------------------------------------------------------------------------

void engine::born(tracked& object) {
  object.id = mixed(current_ + 1, ++self().objects);
  object.born_by = static_cast<int>(current_);
  object.born_at = ++self().seen.clock[current_];
  object.written_by = object.born_by;
  object.written_at = object.born_at;
  object.used_at[current_] = object.born_at;
}

void engine::touch(tracked& object) {
  if (object.dead) fail("use after free: the object was destroyed");
  const std::uint32_t now = ++self().seen.clock[current_];
  if (self().seen.clock[static_cast<std::size_t>(object.born_by)] < object.born_at)
    fail("data race: the object is used, but its construction does not happen before");
  object.used_at[current_] = now;
}

void engine::died(tracked& object) {
  if (failed_) return;
  if (object.dead) fail("destroyed twice");
  for (std::size_t i = 0; i < thread_count_; ++i)
    if (object.used_at[i] > self().seen.clock[i])
      fail("freed too early: thread " + std::to_string(static_cast<int>(i) - 1) +
           " used the object, and that does not happen before its destruction");
  object.dead = true;
}

void engine::variable_read(tracked& object) {
  touch(object);
  if (self().seen.clock[static_cast<std::size_t>(object.written_by)] < object.written_at)
    fail("data race: a plain variable is read, but the last write to it does not happen before");
}

void engine::variable_written(tracked& object) {
  for (std::size_t i = 0; i < thread_count_; ++i)
    if (object.used_at[i] > self().seen.clock[i])
      fail("data race: a plain variable is written, but another use does not happen before");
  touch(object);
  object.written_by = static_cast<int>(current_);
  object.written_at = self().seen.clock[current_];
}

void* engine::allocate(std::size_t bytes, std::size_t alignment) {
  void* memory = ::operator new (bytes, std::align_val_t{alignment});
  blocks_.push_back({memory, bytes, alignment, false});
  return memory;
}

/// The memory is kept until the execution ends, so that a late use finds an object marked as dead.
void engine::deallocate(void* memory) {
  if (failed_) return;
  const auto it = std::find_if(blocks_.begin(), blocks_.end(),
                               [&](const block& b) { return b.memory == memory; });
  if (it == blocks_.end()) fail("freed: a block that was never allocated");
  if (it->freed) fail("freed twice: a block of " + std::to_string(it->bytes) + " bytes");
  it->freed = true;
}

// ---- atomics -----------------------------------------------------------------------------------

engine::history& engine::use(tracked& object) {
  touch(object);
  if (object.location < 0) {
    if (used_ == max_locations) fail("the scenario touches too many atomics");
    object.location = static_cast<int>(used_++);
    message& first = histories_[used_ - 1].messages.emplace_back();
    first.value = object.initial;
    first.id = object.id;
  }
  return histories_[static_cast<std::size_t>(object.location)];
}

/// The position in S of the newest seq_cst write that the value at `stamp` is or comes after.
std::uint32_t engine::sc_position(const history& h, std::size_t stamp) noexcept {
  for (auto w = h.sc_writes.rbegin(); w != h.sc_writes.rend(); ++w)
    if (w->stamp <= stamp) return w->position;
  return 0;
}

/// A seq_cst load has to respect every seq_cst write and fence that is before it in S. The load
/// itself may have any position in S after those that its thread already knows: `seen.sc`.
std::size_t engine::oldest_readable(const tracked& object, const history& h,
                                    std::memory_order order) {
  const auto l = static_cast<std::size_t>(object.location);
  std::size_t oldest = self().seen.newest(l);
  if (!is_sc(order)) return oldest;
  const std::uint32_t known = self().seen.sc;
  for (const sc_write& w : h.sc_writes)
    if (w.position <= known) oldest = std::max<std::size_t>(oldest, w.stamp);
  for (std::size_t i = 0; i < sc_fences_.size(); ++i)
    if (sc_fence_positions_[i] <= known)
      oldest = std::max<std::size_t>(oldest, sc_fences_[i].newest(l));
  return oldest;
}

std::uint64_t engine::read(tracked& object, history& h, std::size_t stamp,
                           std::memory_order order) {
  thread_state& t = self();
  const message& m = h.messages[stamp];
  observe(m.id);
  t.seen.set_newest(static_cast<std::size_t>(object.location), stamp);
  (acquires(order) ? t.seen : t.to_acquire).join(m.released);
  if (is_sc(order)) t.seen.sc = std::max(t.seen.sc, sc_position(h, stamp));
  return m.value;
}

/// A read-modify-write continues the release sequence of the value that it replaces. A plain store
/// does not, not even by the same thread (C++20).
void engine::append(tracked& object, history& h, std::uint64_t value, std::memory_order order,
                    bool continues) {
  thread_state& t = self();
  const auto l = static_cast<std::size_t>(object.location);
  const auto stamp = static_cast<std::uint16_t>(h.messages.size());
  t.seen.set_newest(l, stamp);
  observe(h.messages.back().id);
  message& m = h.messages.emplace_back();
  m.value = value;
  m.released = releases(order) ? t.seen : t.fence_released;
  m.released.set_newest(l, stamp);
  if (continues) m.released.join(h.messages[stamp - std::size_t{1}].released);
  if (is_sc(order)) {
    h.sc_writes.push_back({++sc_count_, stamp});
    t.seen.sc = sc_count_;
    observe(sc_order_);
    sc_order_ = t.past;
  }
  m.id = t.past;
  memory_ += m.id;  // a sum, because writes to different atomics have no order
}

std::uint64_t engine::load(tracked& object, std::memory_order order, site at) {
  order = ordering(order, at, false);
  step();
  history& h = use(object);
  const std::size_t oldest = oldest_readable(object, h, order);
  const std::size_t newest = h.messages.size() - 1;
  const std::size_t stamp =
      newest - static_cast<std::size_t>(pick(static_cast<int>(newest - oldest) + 1));
  const std::uint64_t value = read(object, h, stamp, order);
  if (tracing_) note_atomic(stamp == newest ? "loads" : "loads STALE", object, value, at);
  return value;
}

void engine::store(tracked& object, std::uint64_t value, std::memory_order order, site at) {
  order = ordering(order, at, false);
  step();
  append(object, use(object), value, order, false);
  if (tracing_) note_atomic("stores", object, value, at);
}

std::uint64_t engine::modify(tracked& object,
                             const std::function<std::uint64_t(std::uint64_t)>& change,
                             std::memory_order order, site at) {
  order = ordering(order, at, false);
  step();
  history& h = use(object);
  const std::size_t newest = h.messages.size() - 1;
  const std::uint64_t old = read(object, h, newest, order);
  append(object, h, change(old), order, true);
  if (tracing_) note_atomic("modifies to", object, h.messages.back().value, at);
  return old;
}

/// Succeeds only on the newest value. A failure is a load, and may read an older value, but never
/// one equal to the expected value: that would be a spurious failure.
bool engine::compare_exchange(tracked& object, std::uint64_t& expected, std::uint64_t desired,
                              std::memory_order success, std::memory_order failure, site at) {
  success = ordering(success, at, false);
  failure = ordering(failure, at, true);
  step();
  history& h = use(object);
  const std::size_t newest = h.messages.size() - 1;
  std::array<std::size_t, 64> stamps{};
  std::size_t count = 0;
  for (std::size_t s = newest + 1; s-- > oldest_readable(object, h, failure);)
    if ((s == newest || h.messages[s].value != expected) && count < stamps.size())
      stamps[count++] = s;
  const std::size_t stamp = stamps[static_cast<std::size_t>(pick(static_cast<int>(count)))];
  if (h.messages[stamp].value == expected) {
    read(object, h, stamp, success);
    append(object, h, desired, success, true);
    if (tracing_) note_atomic("compare-exchanges to", object, desired, at);
    return true;
  }
  expected = read(object, h, stamp, failure);
  if (tracing_) note_atomic("fails to compare-exchange, reads", object, expected, at);
  return false;
}

// ---- fences and sleep --------------------------------------------------------------------------

/// Exchanges whole views with every earlier seq_cst fence, and sees every earlier seq_cst write. It
/// orders, but creates no happens-before by itself: the clocks do not change.
void engine::sc_fence_of(thread_state& t) {
  t.seen.join(t.to_acquire);
  for (std::size_t l = 0; l < used_; ++l) {
    view::stamp newest = t.seen.newest(l);
    if (!histories_[l].sc_writes.empty())
      newest = std::max(newest, histories_[l].sc_writes.back().stamp);
    for (const view& f : sc_fences_) newest = std::max(newest, f.newest(l));
    t.seen.set_newest(l, newest);
  }
  t.seen.sc = ++sc_count_;
  t.fence_released = t.seen;
  t.past = sc_order_ = mixed(t.past, sc_order_);
  sc_fences_.push_back(t.seen);
  sc_fence_positions_.push_back(sc_count_);
}

void engine::fence_sc() {
  step();
  sc_fence_of(self());
  note("full fence");
}

/// Does nothing: the heavy fence has the effect, and reaches every thread.
void engine::fence_light() {
  if (what_.full_fences) fence_sc();
}

/// Acts as if every thread ran a full fence at this moment, as membarrier does.
void engine::fence_heavy() {
  if (what_.full_fences) return fence_sc();
  step();
  for (int round = 0; round < 2; ++round)  // the second, so that the first thread sees the last
    for (std::size_t i = 1; i < thread_count_; ++i) sc_fence_of(threads_[i]);
  note("heavy fence");
}

/// The kernel compares the newest value, not a stale one, and the thread goes to sleep in the same
/// step. The thread then knows the value that was read, so a loop around the wait sees that value
/// or a newer one.
void engine::futex_wait(tracked& object, std::uint32_t expected) {
  step();
  history& h = use(object);
  if (read(object, h, h.messages.size() - 1, std::memory_order_relaxed) != expected)
    return note("futex: value has changed");
  thread_state& t = self();
  observe(object.id);
  note("sleeps");
  t.now = state::waiting;
  t.waits_on = &object;
  t.run.suspend();
  note("is awake");
}

unsigned engine::futex_wake(const tracked* object, unsigned count) {
  step();
  unsigned woken = 0;
  for (std::size_t i = 1; i < thread_count_ && woken < count; ++i) {
    thread_state& t = threads_[i];
    if (t.now != state::waiting || t.waits_on != object) continue;
    t.now = state::ready;
    t.waits_on = nullptr;
    ++woken;
  }
  observe(woken);
  note("futex: wakes " + std::to_string(woken));
  return woken;
}

void engine::note_atomic(const char* what, const tracked& object, std::uint64_t value, site at) {
  note(std::string(what) + " " + std::to_string(static_cast<std::int64_t>(value)) + "  (atomic #" +
       std::to_string(object.location) + ", " + last_part(at.file) + ":" + std::to_string(at.line) +
       ")");
}

}  // namespace model
