#include "report/summary.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace filch::report {
namespace {

using intervals = std::vector<trace_interval>;

/// Distributes [begin, end) over equal parts of the wall time.
void spread(std::vector<double>& parts, std::uint64_t wall, std::uint64_t begin,
            std::uint64_t end) {
  if (parts.empty() || wall == 0) return;
  const double width = static_cast<double>(wall) / static_cast<double>(parts.size());
  const double from = static_cast<double>(begin) / width;
  const double to = static_cast<double>(end) / width;
  const std::size_t last = parts.size() - 1;
  for (std::size_t i = std::min(last, static_cast<std::size_t>(from)); i <= last; ++i) {
    const auto left = static_cast<double>(i);
    if (left >= to) return;
    parts[i] += std::max(0.0, std::min(to, left + 1.0) - std::max(from, left));
  }
}

/// Adds what the events of each thread tell: jobs, and how long it was busy or asleep. Intervals
/// are sorted by begin. Where intervals of one kind overlap, only the part that is not yet covered
/// counts.
void add_intervals(const trace_data& trace, summary& result) {
  std::uint64_t busy_until = 0, asleep_until = 0;
  for (std::size_t i = 0; i < trace.intervals.size(); ++i) {
    const trace_interval& now = trace.intervals[i];
    if (i == 0 || trace.intervals[i - 1].thread != now.thread) busy_until = asleep_until = 0;
    if (now.kind == interval_kind::span || now.kind == interval_kind::guest) continue;
    const bool asleep = now.kind == interval_kind::sleep;
    thread_summary& own = result.threads[now.thread];
    own.jobs += now.kind == interval_kind::job ? 1 : 0;
    own.sleeps += asleep ? 1 : 0;
    std::uint64_t& until = asleep ? asleep_until : busy_until;
    const std::uint64_t begin = std::max(until, now.begin_ns);
    const std::uint64_t end = now.begin_ns + now.duration_ns;
    if (end <= begin) continue;
    (asleep ? own.sleep_ns : own.busy_ns) += end - begin;
    if (!asleep) spread(result.active, result.wall_ns, begin, end);
    until = end;
  }
}

void add_steals(const trace_data& trace, summary& result) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, steal_cell> cells;
  for (const trace_instant& now : trace.instants) {
    if (now.kind == instant_kind::wake) ++result.threads[now.thread].wakes;
    if (now.kind != instant_kind::steal) continue;
    result.threads[now.thread].steals_taken += now.count;
    ++result.threads[now.thread].steal_hits;
    steal_cell& cell = cells[{now.thread, now.other}];
    cell.thief = now.thread;
    cell.victim = now.other;
    ++cell.steals;
    cell.jobs += now.count;
  }
  for (const auto& [key, cell] : cells) result.steals.push_back(cell);
}

duration_histogram durations(const intervals& all) {
  duration_histogram result;
  for (const trace_interval& now : all) {
    if (now.kind != interval_kind::job) continue;
    const auto bucket = static_cast<std::size_t>(std::bit_width(now.duration_ns | 1U)) - 1;
    ++result.buckets[std::min(bucket, result.buckets.size() - 1)];
    result.shortest_ns =
        result.jobs == 0 ? now.duration_ns : std::min(result.shortest_ns, now.duration_ns);
    result.longest_ns = std::max(result.longest_ns, now.duration_ns);
    result.total_ns += now.duration_ns;
    ++result.jobs;
  }
  return result;
}

/// Replaces the values computed from events by the counters of the file.
void believe(const trace_thread& said, thread_summary& own) {
  own.jobs = said.jobs.value_or(own.jobs);
  own.steals_taken = said.steals_taken.value_or(own.steals_taken);
  own.steal_hits = said.steal_hits.value_or(own.steal_hits);
  own.steals_lost = said.steals_lost.value_or(0);
  own.steals_empty = said.steals_empty.value_or(0);
  own.sleeps = said.sleeps.value_or(own.sleeps);
  own.wakes = said.wakes.value_or(own.wakes);
  own.busy_ns = said.busy_ns.value_or(own.busy_ns);
  own.sleep_ns = said.sleep_ns.value_or(own.sleep_ns);
}

void add(thread_summary& sum, const thread_summary& own) {
  for (const auto member :
       {&thread_summary::jobs, &thread_summary::steals_taken, &thread_summary::steal_hits,
        &thread_summary::steals_lost, &thread_summary::steals_empty, &thread_summary::sleeps,
        &thread_summary::wakes, &thread_summary::busy_ns, &thread_summary::sleep_ns,
        &thread_summary::idle_ns})
    // A file may claim anything. A sum that wraps around would look plausible.
    sum.*member += std::min(own.*member, UINT64_MAX - sum.*member);
}

/// How long a thread was there: workers and spares as long as their pool, others during their
/// visits. For a guest in a file without that time, the whole trace.
std::uint64_t presence(const trace_data& trace,
                       const std::map<std::int64_t, std::uint64_t>& of_pools,
                       const trace_thread& thread, const thread_summary& own) {
  const std::uint64_t wall = trace.duration_ns;
  const std::uint64_t busy = std::min(own.busy_ns, wall);
  const std::uint64_t busy_or_asleep = busy + std::min(own.sleep_ns, wall - busy);
  if (thread.kind == thread_kind::guest)
    return thread.guest_ns ? std::clamp(*thread.guest_ns, busy_or_asleep, wall) : wall;
  if (thread.kind == thread_kind::outside) return thread.declared ? busy_or_asleep : wall;
  const auto found = of_pools.find(thread.pool);
  return found != of_pools.end() ? found->second : wall;
}

std::size_t most_at_once(const trace_data& trace, std::size_t workers) {
  std::map<std::uint64_t, std::int64_t> changes;
  std::uint64_t listed = 0;
  for (const trace_pool& pool : trace.pools) {
    const auto count = static_cast<std::int64_t>(std::min<std::uint64_t>(pool.workers, workers));
    changes[pool.begin_ns.value_or(0)] += count;
    changes[std::max(pool.begin_ns.value_or(0), pool.end_ns.value_or(UINT64_MAX))] -= count;
    listed += pool.workers;
  }
  if (listed != workers) return workers;  // the file's statements about its pools do not add up
  std::int64_t now = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

double ratio(std::uint64_t a, double b) { return b > 0 ? static_cast<double>(a) / b : 0.0; }

}  // namespace

summary summarise(const trace_data& trace, std::size_t parts) {
  summary result;
  result.wall_ns = trace.duration_ns;
  result.lost_events = trace.lost_events;
  result.threads.resize(trace.threads.size());
  result.active.resize(parts);
  add_intervals(trace, result);
  add_steals(trace, result);
  result.durations = durations(trace.intervals);

  const auto wall = static_cast<double>(result.wall_ns);
  std::map<std::int64_t, std::uint64_t> of_pools;
  for (const trace_pool& pool : trace.pools) {
    const std::uint64_t begin = std::min(pool.begin_ns.value_or(0), result.wall_ns);
    const std::uint64_t end = std::min(pool.end_ns.value_or(result.wall_ns), result.wall_ns);
    of_pools[pool.id] = end - std::min(begin, end);
  }
  double worker_time = 0;
  for (std::size_t i = 0; i < trace.threads.size(); ++i) {
    thread_summary& own = result.threads[i];
    believe(trace.threads[i], own);
    const std::uint64_t there = presence(trace, of_pools, trace.threads[i], own);
    own.busy_ns = std::min(own.busy_ns, there);
    own.sleep_ns = std::min(own.sleep_ns, there - own.busy_ns);
    own.idle_ns = there - own.busy_ns - own.sleep_ns;
    own.utilisation = ratio(own.busy_ns, static_cast<double>(there));
    add(result.total, own);
    if (trace.threads[i].kind == thread_kind::guest) result.guests_busy_ns += own.busy_ns;
    if (trace.threads[i].kind != thread_kind::worker) continue;
    ++result.workers;
    add(result.of_workers, own);
    worker_time += static_cast<double>(there);
  }
  result.workers_at_once = most_at_once(trace, result.workers);
  result.utilisation = ratio(result.of_workers.busy_ns, worker_time);
  result.total.utilisation = result.of_workers.utilisation = result.utilisation;
  result.parallelism = ratio(result.total.busy_ns, wall);
  return result;
}

}  // namespace filch::report
