// A trace as Chrome trace JSON. docs/spec/observing.md has the format.
#include "filch/detail/observe/trace_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "filch/detail/base/process.hpp"
#include "filch/version.hpp"

namespace filch::detail {

namespace {

using kinds = traced_role::kinds;

/// One row of the timeline. A worker has one even if it recorded nothing.
struct row {
  traced_role role;
  const thread_record* thread = nullptr;
  std::uint64_t busy_ns = 0;
  std::uint64_t sleep_ns = 0;
};

const char* word_for(kinds k) {
  switch (k) {
    case kinds::worker:
      return "worker";
    case kinds::spare:
      return "spare";
    case kinds::guest:
      return "guest";
    case kinds::outside:
    case kinds::sampler:
      break;
  }
  return "outside";
}

/// When the events of a thread that have a duration ended: `of` by the number of the begin event,
/// `wholes` for events that are written at their end.
struct intervals {
  static constexpr std::uint64_t none = UINT64_MAX;
  struct interval {
    std::uint64_t end_ns = none;
    bool unfinished = false;
  };
  struct whole {
    ticks begin;
    ticks end;  ///< or none, if it is unfinished
    event_kind kind;
    std::uint32_t pool;  ///< of a guest: registry::id()
  };
  std::vector<interval> of;
  std::vector<whole> wholes;                  ///< in the order in which they began
  std::uint64_t slept_from_the_start = none;  ///< the end of a sleep that began before the trace
  std::uint64_t kept = 0;
};

/// Writes one trace. It has a short function for each kind of event: together they are the format.
class writer {
 public:
  writer(int file, const trace_record& record) : out_(file), record_(record) {
    make_rows();
    pid_ = std::to_string(process_id());
  }

  std::error_code write() {
    out_ << "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"filch\":";
    write_header();
    out_ << "},\n\"traceEvents\":[\n";
    out_ << "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" << pid_
         << ",\"tid\":0,\"args\":{\"name\":";
    out_.quoted(program_name()) << "}}";
    for (std::size_t tid = 0; tid < rows_.size(); ++tid) write_row(tid);
    for (const thread_record& t : record_.threads)
      if (t.role.kind == kinds::sampler) write_samples(t);
    out_ << "\n]}\n";
    return out_.flush();
  }

 private:
  void make_rows() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, const thread_record*> of_workers;
    for (const thread_record& t : record_.threads)
      if (t.role.kind == kinds::worker) of_workers[{t.role.pool, t.role.index}] = &t;
    for (std::size_t p = 0; p < record_.pools.size(); ++p) {
      const pool_record& pool = record_.pools[p];
      numbers_[pool.id] = p;
      for (std::uint32_t i = 0; i < pool.size; ++i) {
        const auto found = of_workers.find({pool.id, i});
        add_row({{kinds::worker, pool.id, i}, found == of_workers.end() ? nullptr : found->second});
      }
    }
    for (const kinds k : {kinds::spare, kinds::guest, kinds::outside})
      for (const thread_record& t : record_.threads)
        if (t.role.kind == k && has_something(t)) add_row({t.role, &t});
    add_silent_guests();
  }

  /// A guest without any event came before the trace and stayed until after it.
  void add_silent_guests() {
    for (const pool_record& pool : record_.pools)
      for (const std::uint32_t index : pool.guests) {
        if (tids_.count({pool.id, index}) != 0 || index >= pool.gone_by.size()) continue;
        const worker_metrics& m = pool.gone_by[index];
        if (m.busy_ns != 0 || m.sleep_ns != 0) add_row({{kinds::guest, pool.id, index}});
      }
  }

  /// The trace may end before a thread that has just joined it writes its first event.
  static bool has_something(const thread_record& t) {
    return t.role.kind != kinds::outside || t.events.recorded() != 0;
  }

  /// Notes at which indices the thread of the next row is known to have been. If an index had
  /// several guests, the last one counts.
  void note_roles(const row& r) {
    if (r.thread != nullptr) {
      r.thread->events.for_each([&](const event& e, const std::string&) {
        if (e.kind() == event_kind::guest) tids_[{e.b(), e.a()}] = rows_.size();
      });
    }
    if (r.role.kind != kinds::outside) tids_[{r.role.pool, r.role.index}] = rows_.size();
  }

  void add_row(row r) {
    note_roles(r);
    const auto pool = numbers_.find(r.role.pool);
    const bool alone = r.role.kind == kinds::worker || r.role.kind == kinds::spare ||
                       (r.role.kind == kinds::guest && is_only_guest(r));
    const bool has_times = alone && pool != numbers_.end() &&
                           r.role.index < record_.pools[pool->second].gone_by.size();
    if (has_times) {
      const worker_metrics& m = record_.pools[pool->second].gone_by[r.role.index];
      r.busy_ns = m.busy_ns;
      r.sleep_ns = m.sleep_ns;
    } else if (r.thread != nullptr) {
      const ticks visited = as_guest(*r.thread), idle = idle_as_guest(*r.thread);
      r.busy_ns = record_.ns_between(visited != 0 ? visited - std::min(visited, idle)
                                                  : r.thread->sums.in_jobs);
      r.sleep_ns = record_.ns_between(r.thread->sums.asleep);
    }
    rows_.push_back(r);
  }

  ticks until_end(ticks since) const { return record_.end.at - std::min(record_.end.at, since); }
  ticks as_guest(const thread_record& t) const {
    return t.sums.as_guest + (t.guest_since == 0 ? 0 : until_end(t.guest_since));
  }
  ticks idle_as_guest(const thread_record& t) const {
    return t.sums.idle_as_guest + (t.idle_since == 0 ? 0 : until_end(t.idle_since));
  }

  /// Does all the time that the index accounts for belong to this thread alone?
  bool is_only_guest(const row& r) const {
    if (r.thread == nullptr) return true;
    if (r.thread->had_other_roles) return false;
    return std::all_of(record_.threads.begin(), record_.threads.end(), [&](const auto& t) {
      return &t == r.thread || (t.role != r.role && !t.had_other_roles);
    });
  }

  std::string name_of(const row& r) const {
    const auto pool = numbers_.find(r.role.pool);
    if (pool != numbers_.end() && r.role.kind == kinds::worker)
      return record_.pools[pool->second].name + " " + std::to_string(r.role.index);
    if (pool != numbers_.end() && r.role.kind == kinds::spare)
      return record_.pools[pool->second].name + " spare " + std::to_string(r.role.index);
    if (r.thread != nullptr) return r.thread->name.data();
    return record_.pools[pool->second].name + " guest " + std::to_string(r.role.index);
  }

  static std::uint64_t kept_in(const thread_record& t) {
    std::uint64_t kept = 0;
    t.events.for_each([&](const event&, const std::string&) { ++kept; });
    return kept;
  }

  void write_header() {
    out_ << "{\"format\":1,\"version\":";
    out_.quoted(library_version()) << ",\"program\":";
    out_.quoted(program_name()) << ",\"pid\":" << pid_ << ",\"start_unix_ns\":\""
                                << record_.start_unix_ns
                                << "\",\"duration_ns\":" << record_.duration_ns()
                                << ",\n\"pools\":[";
    for (std::size_t p = 0; p < record_.pools.size(); ++p) {
      out_ << (p == 0 ? "" : ",") << "{\"id\":" << p << ",\"name\":";
      out_.quoted(record_.pools[p].name)
          << ",\"workers\":" << record_.pools[p].size
          << ",\"begin_ns\":" << record_.ns_of(record_.pools[p].from)
          << ",\"end_ns\":" << record_.ns_of(record_.pools[p].until) << "}";
    }
    out_ << "],\n\"threads\":[";
    std::uint64_t lost = record_.lost_without_log;
    for (std::size_t tid = 0; tid < rows_.size(); ++tid) lost += write_thread(tid);
    for (const thread_record& t : record_.threads)
      if (t.role.kind == kinds::sampler) lost += t.events.recorded() - kept_in(t);
    out_ << "],\n\"lost_events\":" << lost << "}";
  }

  /// Returns how many of its events were lost.
  std::uint64_t write_thread(std::size_t tid) {
    const row& r = rows_[tid];
    const std::uint64_t kept = r.thread == nullptr ? 0 : kept_in(*r.thread);
    const std::uint64_t lost = r.thread == nullptr ? 0 : r.thread->events.recorded() - kept;
    const traced_sums sums = r.thread == nullptr ? traced_sums{} : r.thread->sums;
    const auto pool = numbers_.find(r.role.pool);
    out_ << (tid == 0 ? "\n" : ",\n") << "{\"tid\":" << tid << ",\"pool\":";
    if (pool == numbers_.end())
      out_ << "-1";
    else
      out_ << pool->second;
    out_ << ",\"kind\":\"" << word_for(r.role.kind) << "\",\"index\":" << r.role.index
         << ",\"name\":";
    out_.quoted(name_of(r)) << ",\"events\":" << kept << ",\"lost_events\":" << lost;
    if (lost != 0) out_ << ",\"recorded_from_ns\":" << recorded_from(*r.thread);
    out_ << ",\"jobs\":" << sums.jobs << ",\"steals_taken\":" << sums.steals_taken
         << ",\"steal_hits\":" << sums.steal_hits << ",\"steals_lost\":" << sums.steals_lost
         << ",\"steals_empty\":" << sums.steals_empty << ",\"sleeps\":" << sums.sleeps
         << ",\"wakes\":" << sums.wakes << ",\"busy_ns\":" << r.busy_ns
         << ",\"sleep_ns\":" << r.sleep_ns;
    if (r.role.kind == kinds::guest) out_ << ",\"guest_ns\":" << guest_ns(r);
    out_ << "}";
    return lost;
  }

  std::uint64_t guest_ns(const row& r) const {
    if (r.thread != nullptr) return record_.ns_between(as_guest(*r.thread));
    const pool_record& pool = record_.pools[numbers_.at(r.role.pool)];
    return record_.ns_of(pool.until) - record_.ns_of(pool.from);
  }

  /// The time from which on all events of a thread are in the file. Earlier ones are lost.
  std::uint64_t recorded_from(const thread_record& t) const {
    std::uint64_t from = intervals::none;
    t.events.for_each([&](const event& e, const std::string&) {
      if (from == intervals::none) from = record_.ns_of(is_whole(e.kind()) ? e.data : e.time);
    });
    return std::min(from, record_.duration_ns());
  }

  static bool is_whole(event_kind k) {
    return k == event_kind::job || k == event_kind::guest || k == event_kind::idle;
  }

  /// The spans of a thread that ended on the same thread, by their numbers there.
  static std::unordered_set<std::uint32_t> ended_spans(const thread_record& t) {
    std::unordered_set<std::uint32_t> ended;
    t.events.for_each([&](const event& e, const std::string&) {
      if (e.kind() == event_kind::span_end && e.data == t.number) ended.insert(e.b());
    });
    return ended;
  }

  /// Matches begin and end events. If the begin event was overwritten, the pair is left out.
  intervals match(const thread_record& t) const {
    intervals found;
    struct beginning {
      std::size_t number;
      ticks time;
      event_kind end;
      std::uint32_t span;
    };
    std::vector<beginning> open;
    const std::unordered_set<std::uint32_t> ended = ended_spans(t);
    // A span that ended on another thread would stay open. It ends with the interval around it.
    const auto close_strays = [&](std::size_t first, std::uint64_t now) {
      const auto is_stray = [&](const beginning& b) {
        const bool stray = b.end == event_kind::span_end && ended.count(b.span) == 0;
        if (stray) found.of[b.number].end_ns = now;
        return stray;
      };
      const auto from = open.begin() + static_cast<std::ptrdiff_t>(first);
      open.erase(std::remove_if(from, open.end(), is_stray), open.end());
    };
    t.events.for_each([&](const event& e, const std::string&) {
      const std::size_t number = found.of.size();
      found.of.emplace_back();
      if (e.kind() == event_kind::span_begin) {
        open.push_back({number, e.time, event_kind::span_end, e.b()});
      } else if (e.kind() == event_kind::sleep_begin) {
        open.push_back({number, e.time, event_kind::sleep_end, 0});
      } else if (e.kind() == event_kind::job) {
        found.wholes.push_back({e.time, e.data, e.kind(), 0});
        std::size_t first = open.size();
        while (first != 0 && open[first - 1].time > e.time) --first;
        close_strays(first, record_.ns_of(e.data));
      } else if (e.kind() == event_kind::guest || e.kind() == event_kind::idle) {
        found.wholes.push_back({e.time, e.data, e.kind(), e.b()});
      } else if (e.kind() == event_kind::span_end || e.kind() == event_kind::sleep_end) {
        const bool span = e.kind() == event_kind::span_end;
        if (span && e.data != t.number) return;
        std::size_t its = open.size();
        while (its != 0 && (open[its - 1].end != e.kind() || (span && open[its - 1].span != e.b())))
          --its;
        if (its != 0) {
          found.of[open[its - 1].number].end_ns = record_.ns_of(e.time);
          close_strays(its, record_.ns_of(e.time));
          open.erase(open.begin() + static_cast<std::ptrdiff_t>(its - 1));
        } else if (!span) {
          found.slept_from_the_start = record_.ns_of(e.time);
        }
      }
    });
    for (const beginning& o : open) found.of[o.number] = {record_.duration_ns(), true};
    for (const ticks began : t.open_jobs)
      found.wholes.push_back({began, intervals::none, event_kind::job, 0});
    if (t.guest_since != 0)
      found.wholes.push_back({t.guest_since, intervals::none, event_kind::guest, t.role.pool});
    if (t.idle_since != 0)
      found.wholes.push_back({t.idle_since, intervals::none, event_kind::idle, 0});
    // They were written at their ends, and an inner one ends first.
    std::sort(found.wholes.begin(), found.wholes.end(), [](const auto& x, const auto& y) {
      return x.begin != y.begin ? x.begin < y.begin : x.end > y.end;
    });
    found.kept = found.of.size();
    if (t.events.recorded() != found.kept) found.slept_from_the_start = intervals::none;
    return found;
  }

  void write_row(std::size_t tid) {
    const row& r = rows_[tid];
    out_ << ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" << pid_ << ",\"tid\":" << tid
         << ",\"args\":{\"name\":";
    out_.quoted(name_of(r)) << "}}";
    out_ << ",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":" << pid_ << ",\"tid\":" << tid
         << ",\"args\":{\"sort_index\":" << tid << "}}";
    if (r.thread == nullptr) return write_unchanging(tid, r);
    const intervals ends = match(*r.thread);
    if (ends.slept_from_the_start != intervals::none)
      write_interval("sleep", "sleep", tid, 0, {ends.slept_from_the_start, false});
    std::size_t number = 0;
    auto next = ends.wholes.begin();
    const auto write_wholes_until = [&](ticks now) {
      for (; next != ends.wholes.end() && next->begin <= now; ++next) write_whole(tid, *next);
    };
    r.thread->events.for_each([&](const event& e, const std::string& name) {
      if (!is_whole(e.kind())) write_wholes_until(e.time);
      write_event(tid, e, name, ends.of[number++]);
    });
    write_wholes_until(intervals::none);
  }

  /// A thread that recorded nothing did the same thing all the time. If it slept, it slept from
  /// begin to end.
  void write_unchanging(std::size_t tid, const row& r) {
    const intervals::interval all{record_.duration_ns(), true};
    if (r.role.kind == kinds::guest)
      write_whole(tid, {0, intervals::none, event_kind::guest, r.role.pool});
    if (r.sleep_ns == 0) return;
    if (r.role.kind == kinds::guest) write_whole(tid, {0, intervals::none, event_kind::idle, 0});
    write_interval("sleep", "sleep", tid, 0, all);
  }

  void write_whole(std::size_t tid, const intervals::whole& w) {
    const bool unfinished = w.end == intervals::none;
    const std::string_view name = w.kind == event_kind::job     ? "job"
                                  : w.kind == event_kind::guest ? "guest"
                                                                : "idle";
    const auto pool = w.kind == event_kind::guest ? numbers_.find(w.pool) : numbers_.end();
    write_interval(name, name, tid, record_.ns_of(w.begin),
                   {unfinished ? record_.duration_ns() : record_.ns_of(w.end), unfinished},
                   pool == numbers_.end() ? -1 : static_cast<std::int64_t>(pool->second));
  }

  void write_event(std::size_t tid, const event& e, const std::string& name,
                   const intervals::interval& until) {
    const std::uint64_t at = record_.ns_of(e.time);
    switch (e.kind()) {
      case event_kind::sleep_begin:
        return write_interval("sleep", "sleep", tid, at, until);
      case event_kind::span_begin:
        return write_interval(name, "span", tid, at, until);
      case event_kind::steal:
        begin_instant("steal", tid, at) << ",\"args\":{\"victim\":";
        write_tid(e) << ",\"count\":" << std::uint64_t{e.a()} << "}}";
        return;
      case event_kind::wake:
        begin_instant("wake", tid, at) << ",\"args\":{\"worker\":";
        write_tid(e) << "}}";
        return;
      case event_kind::inject:
        begin_instant("inject", tid, at) << ",\"args\":{\"count\":" << std::uint64_t{e.b()} << "}}";
        return;
      case event_kind::counter:
        return write_counter(e, name, at);
      case event_kind::text:
      case event_kind::job:
      case event_kind::guest:
      case event_kind::idle:
      case event_kind::span_end:
      case event_kind::sleep_end:
      case event_kind::sample:
        return;
    }
  }

  void write_interval(std::string_view name, std::string_view category, std::size_t tid,
                      std::uint64_t from_ns, const intervals::interval& until,
                      std::int64_t pool = -1) {
    out_ << ",\n{\"ph\":\"X\",\"name\":";
    out_.quoted(name) << ",\"cat\":\"" << category << "\",\"ts\":";
    out_.microseconds(from_ns) << ",\"dur\":";
    out_.microseconds(until.end_ns - std::min(from_ns, until.end_ns))
        << ",\"pid\":" << pid_ << ",\"tid\":" << tid;
    if (pool >= 0) out_ << ",\"args\":{\"pool\":" << static_cast<std::uint64_t>(pool);
    if (until.unfinished) out_ << (pool >= 0 ? "," : ",\"args\":{") << "\"unfinished\":true";
    out_ << (pool >= 0 || until.unfinished ? "}}" : "}");
  }

  text_file& begin_instant(std::string_view name, std::size_t tid, std::uint64_t at) {
    out_ << ",\n{\"ph\":\"i\",\"s\":\"t\",\"name\":\"" << name << "\",\"cat\":\"" << name
         << "\",\"ts\":";
    return out_.microseconds(at) << ",\"pid\":" << pid_ << ",\"tid\":" << tid;
  }

  text_file& write_tid(const event& e) {
    const auto found = tids_.find({static_cast<std::uint32_t>(e.data), e.b()});
    return found == tids_.end() ? out_ << "-1" : out_ << found->second;
  }

  void write_counter(const event& e, std::string_view name, std::uint64_t at) {
    const auto value = std::bit_cast<double>(e.data);
    if (!std::isfinite(value)) return;
    out_ << ",\n{\"ph\":\"C\",\"name\":";
    out_.quoted(name) << ",\"cat\":\"counter\",\"ts\":";
    out_.microseconds(at) << ",\"pid\":" << pid_ << ",\"tid\":0,\"args\":{\"value\":";
    out_.number(value) << "}}";
  }

  void write_samples(const thread_record& t) {
    t.events.for_each([&](const event& e, const std::string&) {
      const auto pool = numbers_.find(static_cast<std::uint32_t>(e.data));
      if (e.kind() != event_kind::sample || pool == numbers_.end()) return;
      for (const auto& [name, value] : {std::pair("queue", e.b()), std::pair("active", e.a())}) {
        out_ << ",\n{\"ph\":\"C\",\"name\":\"" << name << "\",\"ts\":";
        out_.microseconds(record_.ns_of(e.time))
            << ",\"pid\":" << pid_ << ",\"tid\":0,\"args\":{\"pool " << pool->second
            << "\":" << std::uint64_t{value} << "}}";
      }
    });
  }

  text_file out_;
  const trace_record& record_;
  std::string pid_;
  std::vector<row> rows_;
  std::map<std::uint32_t, std::size_t> numbers_;  // the numbers of pools, by registry::id()
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> tids_;
};

}  // namespace

std::error_code write_trace(int file, const trace_record& record) {
  return std::make_unique<writer>(file, record)->write();  // its buffer is too large for a stack
}

}  // namespace filch::detail
