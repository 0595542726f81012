// The trace that runs, and how threads record in it. log_gate.hpp has the protocol.
#include "filch/detail/observe/recording.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/base/thread.hpp"
#include "filch/detail/base/tracing.hpp"
#include "filch/detail/observe/log_gate.hpp"
#include "filch/detail/observe/open_spans.hpp"
#include "filch/detail/observe/sampler.hpp"
#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

/// The log of one thread. Only that thread uses `session`, and the other members while it is inside
/// the gate.
struct thread_log {
  log_gate gate;
  std::uint32_t session = not_tracing;
  thread_record data;
  ticks session_begin = 0;
  ticks job_end = 0;      // of the last job; 0: another event came since
  ticks sleep_begin = 0;  // 0: it does not sleep, or has slept since before the trace
  bool orphan = false;    // its thread has ended; guarded by the lock
};

struct recording {
  std::uint32_t number = not_tracing;
  std::size_t capacity = 0;
  std::vector<thread_log*> logs;
  std::unique_ptr<sampler> samples;
  trace_record record;
};

/// Initialised statically and never destroyed, because threads may end after main. The child of a
/// fork forgets it in whatever state it is.
struct recordings {
  std::mutex mutex;
  recording* running = nullptr;
  std::uint32_t so_far = 0;
  recording* of_parent = nullptr;       // for leak checkers
  thread_log* log_of_parent = nullptr;  // for leak checkers
};

constinit recordings all;
static_assert(std::is_trivially_destructible_v<recordings>);

[[gnu::tls_model("initial-exec")]] constinit thread_local thread_log* my_log = nullptr;
// A plain bool can still be read after the thread's other objects have been destroyed.
constinit thread_local bool logs_are_gone = false;

struct log_of_thread {
  log_of_thread() = default;
  log_of_thread(const log_of_thread&) = delete;
  log_of_thread& operator=(const log_of_thread&) = delete;
  ~log_of_thread() {
    logs_are_gone = true;
    thread_log* const log = std::exchange(my_log, nullptr);
    if (log == nullptr) return;
    const std::scoped_lock lock(all.mutex);
    if (all.running != nullptr && log->session == all.running->number)
      log->orphan = true;  // the trace still needs its events
    else
      delete log;
  }
  void keep() noexcept {}
};

traced_role role_of(const worker& who) noexcept {
  using kinds = traced_role::kinds;
  return {who.kind() == participant_kind::worker  ? kinds::worker
          : who.kind() == participant_kind::spare ? kinds::spare
                                                  : kinds::guest,
          who.home().id(), static_cast<std::uint32_t>(who.index())};
}

void note_role(thread_log& log, const traced_role& role) noexcept {
  if (log.data.role.kind == traced_role::kinds::guest && log.data.role != role)
    log.data.had_other_roles = true;
  log.data.role = role;
}

/// A guest whose arrival was not recorded came before the trace. A thread is a guest of one pool at
/// a time, and the thread of a worker is never a guest.
void note_role(thread_log& log, const worker& who) noexcept {
  const traced_role role = role_of(who);
  if (role == log.data.role) return;
  note_role(log, role);
  if (!who.is_guest()) return;
  log.data.guest_since = log.session_begin;
  const activity doing = who.state.doing();
  if (doing == activity::searching || doing == activity::awaiting_seat ||
      doing == activity::sleeping)
    log.data.idle_since = log.session_begin;
}

/// The log of the calling thread, cleared and added to the trace. Null if the trace has ended or
/// there is no memory.
[[gnu::cold, gnu::noinline]] thread_log* join_recording(std::uint32_t session) noexcept {
  if (logs_are_gone) return nullptr;
  thread_local log_of_thread owner;
  owner.keep();
  const std::scoped_lock lock(all.mutex);
  if (all.running == nullptr || all.running->number != session || tracing_now() != session)
    return nullptr;
  recording& now = *all.running;
  try {
    if (my_log == nullptr) my_log = new thread_log;
    now.logs.reserve(now.logs.size() + 1);
  } catch (const std::bad_alloc&) {
    ++now.record.lost_without_log;
    return nullptr;
  }
  thread_log& log = *my_log;
  log.data.number = static_cast<std::uint32_t>(now.logs.size()) + 1;
  log.data.spans = 0;
  log.data.role = {};
  log.data.name = name_of_this_thread();
  log.data.sums = {};
  log.data.events.clear(now.capacity);
  log.data.open_jobs.clear();
  log.data.guest_since = log.data.idle_since = 0;
  log.data.had_other_roles = false;
  log.session_begin = now.record.begin.at;
  log.job_end = log.sleep_begin = 0;
  log.session = session;
  if (const worker* const who = worker::current()) note_role(log, *who);
  now.logs.push_back(&log);
  return &log;
}

/// Calls write(log), unless trace `session` has ended.
template <class F>
void record(std::uint32_t session, F write) noexcept {
  thread_log* log = my_log;
  if (log == nullptr || log->session != session) [[unlikely]] {
    log = join_recording(session);
    if (log == nullptr) return;
  }
  if (!log->gate.enter(*current_trace, session)) return;
  write(*log);
  log->gate.leave();
}

void end_idleness(thread_log& log, ticks now) noexcept {
  const ticks since = std::exchange(log.data.idle_since, 0);
  if (since == 0) return;
  log.data.sums.idle_as_guest += now - std::min(now, since);
  log.data.events.add(since, event_kind::idle, 0, 0, now);
}

std::vector<worker_metrics> measure_all(const registry& home) {
  std::vector<worker_metrics> each;
  const auto now = registry::clock::now();
  for (const worker* w : home.participants.snapshot()) each.push_back(measure(*w, now));
  return each;
}

/// Stores the final counters of a pool. Requires the lock.
void close(pool_record& p) noexcept {
  if (p.alive == nullptr) return;
  p.until = std::chrono::steady_clock::now();
  try {
    for (const worker* w : p.alive->participants.snapshot())
      if (w->is_guest()) p.guests.push_back(static_cast<std::uint32_t>(w->index()));
    std::vector<worker_metrics> now = measure_all(*p.alive);
    for (std::size_t i = 0; i < std::min(now.size(), p.before.size()); ++i) now[i] -= p.before[i];
    p.gone_by = std::move(now);
  } catch (const std::bad_alloc&) {
    p.gone_by.clear();  // then its times are missing
    p.guests.clear();
  }
  p.alive = nullptr;
}

/// Requires the lock. Throws `std::bad_alloc`.
void add_pool(recording& to, const registry& home) {
  for (const pool_record& p : to.record.pools)
    if (p.id == home.id()) return;
  pool_record p;
  p.id = home.id();
  p.name = home.settings().name;
  p.size = home.size();
  p.alive = &home;
  p.before = measure_all(home);
  to.record.pools.push_back(std::move(p));
}

/// Records the waiting jobs and the active workers of all pools, where they have changed.
class queue_samples {
 public:
  explicit queue_samples(std::uint32_t session) : session_(session) {}

  void operator()() {
    try {
      for (last& l : before_) l.seen = false;
      for (const auto& home : live_pools()) {
        const seen_load s = sample_of(*home);
        say(home->id(), s.backlog, s.running + s.helpers);
      }
      for (last& l : before_)
        if (!l.seen) say(l.pool, 0, 0);  // the pool has ended
      std::erase_if(before_, [](const last& l) { return !l.seen; });
    } catch (const std::bad_alloc&) {
      // The next sample may succeed.
    }
  }

 private:
  struct last {
    std::uint32_t pool;
    std::size_t waiting;
    std::size_t active;
    bool seen;
  };

  void say(std::uint32_t pool, std::size_t waiting, std::size_t active) {
    auto at =
        std::find_if(before_.begin(), before_.end(), [&](const last& l) { return l.pool == pool; });
    if (at == before_.end())
      at = before_.insert(at, {pool, waiting, active, true});
    else if (at->seen = true; at->waiting == waiting && at->active == active)
      return;
    at->waiting = waiting;
    at->active = active;
    trace_sample(session_, pool, waiting, active);
  }

  std::uint32_t session_;
  std::vector<last> before_;
};

}  // namespace

// ---- a trace as a whole -------------------------------------------------------------------------

std::uint64_t trace_record::duration_ns() const noexcept {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(end.time - begin.time);
  return static_cast<std::uint64_t>(ns.count());
}

std::uint64_t trace_record::ns_between(ticks sum) const noexcept {
  if (end.at <= begin.at) return 0;
  const double per_tick =
      static_cast<double>(duration_ns()) / static_cast<double>(end.at - begin.at);
  return static_cast<std::uint64_t>(static_cast<double>(sum) * per_tick);
}

std::uint64_t trace_record::ns_of(ticks t) const noexcept {
  return t <= begin.at ? 0 : std::min(ns_between(t - begin.at), duration_ns());
}

std::uint64_t trace_record::ns_of(std::chrono::steady_clock::time_point t) const noexcept {
  const std::chrono::nanoseconds since = std::clamp(t, begin.time, end.time) - begin.time;
  return static_cast<std::uint64_t>(since.count());
}

void require_no_recording() {
  if (tracing_now() != not_tracing)
    throw usage_error(
        "filch::trace: another trace is running, and there can be only one: end that first (if the "
        "environment variable FILCH_TRACE is set, it runs until the program ends)");
}

std::uint32_t begin_recording(std::size_t events, std::chrono::nanoseconds sampling) {
  auto made = std::make_unique<recording>();
  made->capacity = events;
  made->record.start_unix_ns =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count());
  std::uint32_t number = not_tracing;
  {
    const std::scoped_lock lock(all.mutex);
    require_no_recording();
    if (all.running != nullptr)
      throw usage_error(
          "filch::trace: another thread is ending another trace; begin this one after that");
    for (const auto& home : live_pools()) add_pool(*made, *home);
    if (++all.so_far == spans_alone) all.so_far = not_tracing + 1;
    number = made->number = all.so_far;
    made->record.begin = {};
    all.running = made.release();
    current_trace->store(number, std::memory_order_relaxed);  // orders nothing: see join_recording
    trace_observes_spans(number);
  }
  if (sampling.count() == 0) return number;
  try {
    auto samples = std::make_unique<sampler>("filch-trace", sampling,
                                             sampler::work{queue_samples(number), live_pools});
    const std::scoped_lock lock(all.mutex);
    all.running->samples = std::move(samples);
  } catch (...) {
    trace_record unused;
    (void)end_recording(number, unused);
    throw;
  }
  return number;
}

bool end_recording(std::uint32_t session, trace_record& into) {
  std::unique_ptr<sampler> samples;
  {
    const std::scoped_lock lock(all.mutex);
    if (all.running == nullptr || all.running->number != session) return false;
    current_trace->store(not_tracing, std::memory_order_relaxed);  // E1 ordered by the fences
    trace_observes_spans(not_tracing);
    samples = std::move(all.running->samples);
  }
  samples.reset();
  heavy_fence();  // E2
  std::unique_ptr<recording> ended;
  const std::scoped_lock lock(all.mutex);
  for (const thread_log* log : all.running->logs)
    while (!log->gate.is_out()) yield();  // E3
  ended.reset(std::exchange(all.running, nullptr));
  ended->record.end = {};
  for (pool_record& p : ended->record.pools) close(p);
  bool enough_memory = true;
  try {
    ended->record.threads.reserve(ended->logs.size());
  } catch (const std::bad_alloc&) {
    enough_memory = false;
  }
  for (thread_log* log : ended->logs) {
    if (enough_memory) ended->record.threads.push_back(std::move(log->data));
    if (log->orphan) delete log;
  }
  if (!enough_memory) throw std::bad_alloc();
  into = std::move(ended->record);
  return true;
}

void recording_pool_starts(registry& home) noexcept {
  const std::scoped_lock lock(all.mutex);
  if (all.running == nullptr) return;
  try {
    add_pool(*all.running, home);
  } catch (const std::bad_alloc&) {
    return;  // then the pool has no name
  }
  if (all.running->samples != nullptr) all.running->samples->tell();
}

void recording_pool_ends(registry& home) noexcept {
  const std::scoped_lock lock(all.mutex);
  if (all.running == nullptr) return;
  for (pool_record& p : all.running->record.pools)
    if (p.alive == &home) close(p);
  if (all.running->samples != nullptr) all.running->samples->tell();
}

void forget_recording() noexcept {
  std::construct_at(&all.mutex);
  all.of_parent = std::exchange(all.running, nullptr);
  all.log_of_parent = std::exchange(my_log, nullptr);
  current_trace->store(not_tracing, std::memory_order_relaxed);  // no other thread
  forget_open_spans();
}

// ---- events -------------------------------------------------------------------------------------

bool trace_job_begins(std::uint32_t session, const worker& who, ticks before) noexcept {
  bool recorded = false;
  record(session, [&](thread_log& log) {
    note_role(log, who);
    ++log.data.sums.jobs;
    const ticks last = std::exchange(log.job_end, 0);
    try {
      log.data.open_jobs.push_back(before != 0 && before == last ? last : ticks_now());
      recorded = true;
    } catch (const std::bad_alloc&) {
      log.data.events.lose();
    }
  });
  return recorded;
}

ticks trace_job_ends(std::uint32_t session) noexcept {
  ticks now = 0;
  record(session, [&](thread_log& log) {
    now = log.job_end = ticks_now();
    std::vector<ticks>& open = log.data.open_jobs;
    const ticks begin = open.back();
    open.pop_back();
    if (open.empty()) log.data.sums.in_jobs += now - begin;
    log.data.events.add(begin, event_kind::job, 0, 0, now);
  });
  return now;
}

void trace_guest_comes(const worker& guest) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    note_role(log, role_of(guest));
    log.job_end = 0;
    log.data.guest_since = ticks_now();
  });
}

void trace_guest_leaves(const worker& guest) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    note_role(log, guest);
    const ticks now = ticks_now(), since = std::exchange(log.data.guest_since, 0);
    log.job_end = 0;
    log.data.sums.as_guest += now - std::min(now, since);
    log.data.events.add(since, event_kind::guest, log.data.role.index, log.data.role.pool, now);
  });
}

void trace_idle_begins(const worker& guest) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    note_role(log, guest);
    if (log.data.idle_since == 0) log.data.idle_since = ticks_now();
  });
}

void trace_idle_ends(const worker& guest) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    note_role(log, guest);
    if (log.data.idle_since != 0) end_idleness(log, ticks_now());
  });
}

void trace_search() noexcept {
  record(tracing_now(), [](thread_log& log) { log.job_end = 0; });
}

void trace_steal(const worker& thief, const worker& victim, std::size_t count) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    note_role(log, thief);
    log.data.sums.steals_taken += count;
    ++log.data.sums.steal_hits;
    log.job_end = 0;
    log.data.events.add(ticks_now(), event_kind::steal, count, victim.index(), victim.home().id());
  });
}

void trace_failed_steal(const worker& thief, bool lost) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    note_role(log, thief);
    ++(lost ? log.data.sums.steals_lost : log.data.sums.steals_empty);
  });
}

void trace_sleep_begins(const worker& who) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    note_role(log, who);
    ++log.data.sums.sleeps;
    log.sleep_begin = ticks_now();
    log.data.events.add(log.sleep_begin, event_kind::sleep_begin);
  });
}

void trace_sleep_ends(const worker& who) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    note_role(log, who);
    const ticks now = ticks_now();
    const ticks since = log.sleep_begin != 0 ? log.sleep_begin : log.session_begin;
    log.data.sums.asleep += now - std::min(now, since);
    log.sleep_begin = 0;
    log.data.events.add(now, event_kind::sleep_end);
  });
}

void trace_wake(const worker& sleeper) noexcept {
  record(tracing_now(), [&](thread_log& log) {
    ++log.data.sums.wakes;
    log.data.events.add(ticks_now(), event_kind::wake, 0, sleeper.index(), sleeper.home().id());
  });
}

void trace_inject(std::size_t count) noexcept {
  record(tracing_now(),
         [&](thread_log& log) { log.data.events.add(ticks_now(), event_kind::inject, 0, count); });
}

void trace_sample(std::uint32_t session, std::uint32_t pool, std::size_t waiting,
                  std::size_t active) noexcept {
  record(session, [&](thread_log& log) {
    log.data.role.kind = traced_role::kinds::sampler;
    log.data.events.add(ticks_now(), event_kind::sample, active, waiting, pool);
  });
}

std::uint64_t begin_span(std::uint32_t session, std::string_view name) noexcept {
  std::uint64_t which = 0;
  if (session == spans_alone) return open_span(session, 0, name);
  record(session, [&](thread_log& log) {
    const std::uint32_t number = ++log.data.spans;
    which = std::uint64_t{log.data.number} << 32 | number;
    log.data.events.add_named(ticks_now(), event_kind::span_begin, name, number, 0, true);
  });
  return which != 0 ? open_span(session, which, name) : 0;
}

void end_span(std::uint32_t session, std::uint64_t which) noexcept {
  if (which == 0) return;
  close_span(session, which);
  if (session == spans_alone) return;
  record(session, [&](thread_log& log) {
    log.data.events.add(ticks_now(), event_kind::span_end, 0, which & event::most_b, which >> 32);
  });
}

void count_in_trace(std::uint32_t session, std::string_view name, double value) noexcept {
  record(session, [&](thread_log& log) {
    log.data.events.add_named(ticks_now(), event_kind::counter, name, 0,
                              std::bit_cast<std::uint64_t>(value), false);
  });
}

}  // namespace filch::detail
